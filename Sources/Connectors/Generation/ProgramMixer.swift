/// Mixes loops by the built-in composer, in a process of its own that gives up its rights.
import BatonJSON
package import BatonSeams

package struct ProgramMixer: LoopMixing {
    private let path: String
    private let programs: any ProgramRunning

    package init(_ path: String, programs: any ProgramRunning) {
        self.path = path
        self.programs = programs
    }

    package func mix(_ order: LoopOrder) async throws(SourceFault) -> Int {
        let request = JSONText.object([
            ("recipe", JSONText.string(order.recipe)), ("title", JSONText.string(order.title)),
            ("mix", JSONText.object([("files", "[" + order.files.map(JSONText.string).joined(separator: ",") + "]")])),
        ])
        let call = ProgramCall(
            path, input: Array((request + "\n").utf8), folder: order.folder,
            environment: ["BATON_JOB_DIR": order.folder, "HOME": order.folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"],
            isConfined: false)
        let (_, durationMs) = try await programs.run(call, noting: Int?.none) { found, line async throws(SourceFault) in
            switch try WorkerReport(line) {
            case .artifact(let artifact): found = artifact.durationMs
            case .error(let sentence): throw SourceFault(.failed, sentence)
            case .progress, nil: break
            }
        }
        guard let durationMs else { throw SourceFault(.failed, "The clips of a scene could not be mixed.") }
        return durationMs
    }
}
