import BatonClient
import BatonProtocol

/// `baton hub resume`: continues the background work that a hub has suspended after crashes.
extension Verb {
    @Sendable static func resumeWork(_ call: Invocation, _ satellite: Satellite) async throws {
        guard try call.onlyOperand("resume") == "resume" else { throw unknown(call.operands[0], of: "hub", among: ["resume"]) }
        try await satellite.withHub(call) { hub in
            let answered = try await hub.send(Commands.Resume())
            if case .noop = answered.reply.outcome { return Output.done("The hub holds nothing back.", call) }
            Output.done("The work of the hub goes on.", call)
        }
    }
}
