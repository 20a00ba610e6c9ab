/// Mixes loops with the built-in composer, in a separate process without privileges.
package import BatonCore
import BatonJSON
package import BatonSeams

package struct ProgramMixer: LoopMixing {
    private let path: String
    private let programs: any ProgramRunning

    package init(_ path: String, programs: any ProgramRunning) {
        self.path = path
        self.programs = programs
    }

    package func mix(_ order: LoopOrder) async throws(SourceFault) -> Milliseconds {
        let request = JSONText.object([
            ("recipe", JSONText.string(order.recipe)), ("title", JSONText.string(order.title)),
            ("mix", JSONText.object([("files", "[" + order.files.map(JSONText.string).joined(separator: ",") + "]")])),
        ])
        let (end, loop) = try await programs.make(ProgramCall(making: path, of: request, in: order.folder))
        guard let loop else {
            throw SourceFault(.failed, "The program that mixes clips \(end.words). Have the scene mixed anew: baton clips resume.")
        }
        return loop.durationMs
    }
}
