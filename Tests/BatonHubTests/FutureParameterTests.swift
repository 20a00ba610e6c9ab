/// A command with a parameter or a member that the hub does not know, which does nothing. BT-CMD-007
import BatonCore
import BatonProtocol
import BatonSeams
import Foundation
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel

@Suite struct `A command from the future` {
    private static let examples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Protocol/examples")
        .standardized

    /// The example of a command, with one member more.
    private static func frame(_ kind: CommandKind, adding name: String, to part: String?) throws -> String {
        let data = try Data(contentsOf: examples.appending(path: "client-cmd-\(kind.rawValue).json"))
        var members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        members["id"] = 5
        if members["k"] != nil || kind.needsKey { members["k"] = "future-1" }
        if let part {
            var inner = members[part] as? [String: Any] ?? [:]
            inner[name] = 1
            members[part] = inner
        } else {
            members[name] = 1
        }
        return String(decoding: try JSONSerialization.data(withJSONObject: members, options: [.sortedKeys]), as: UTF8.self)
    }

    @Test(arguments: CommandKind.allCases) func `is refused by the name of what is unknown, and nothing is done`(kind: CommandKind)
        async throws
    {
        try await onLoop {
            let sim = try SimulatedHub()
            for (part, pointer) in [("p", "/p/laterOn"), (nil, "/laterOn")] as [(String?, String)] {
                let owner = try sim.remote(id: "owner-\(pointer.count)")
                let (before, revision) = (owner.mirror, sim.hub.ledger.revision)

                owner.sendText(try Self.frame(kind, adding: "laterOn", to: part))

                let refusal = owner.refusal(5)
                #expect(refusal?.known == .unsupported && refusal?.at == pointer, "\(kind.rawValue)")
                #expect(sim.hub.ledger.revision == revision && owner.mirror == before)
            }
        }
    }
}
