import BatonClient
import BatonProtocol
import BatonWire

/// Rows without a function of their own: the verb or subcommand sends one command and prints the result.
extension Verb {
    /// A verb without operands. It sends a command that depends on the state, and prints the playback state.
    static func sends<Command: WireCommand>(
        _ command: @escaping @Sendable (Mirror) -> Command, unchanged: String? = nil
    ) -> Run {
        { call, satellite in
            try call.expectNoOperands()
            try await satellite.withHub(call) { hub in
                let outcome = try await hub.send(command(try await hub.state())).reply.outcome
                if let unchanged, case .noop = outcome, !call.json { return Output.line(unchanged) }
                try await report(call, hub)
            }
        }
    }

    /// A verb that takes `on` or `off`; without a word it toggles.
    static func switches<Command: WireCommand>(
        _ isOn: @escaping @Sendable (Mirror) -> Bool, by command: @escaping @Sendable (Bool) -> Command, then show: @escaping Choice
    ) -> Run {
        { call, satellite in
            let word = try call.operandIfAny()
            guard word == nil || word == "on" || word == "off" else {
                throw Stop(.usage, "Write \(call.verb), \(call.verb) on or \(call.verb) off.")
            }
            try await satellite.withHub(call) { hub in
                let wasOn = isOn(try await hub.state())
                try await hub.send(command(word.map { $0 == "on" } ?? !wasOn))
                try await show(call, hub)
            }
        }
    }

    /// A subcommand that changes the thing named by its words, and prints a sentence. Programs get the changed list,
    /// if there is one.
    static func changes<Thing: Sendable, Command: WireCommand>(
        _ named: @escaping @Sendable (Invocation, ReconnectingHub) async throws -> Thing,
        by command: @escaping @Sendable (Thing) -> Command,
        says sentence: @escaping @Sendable (Thing) -> String, unchanged: (@Sendable (Thing) -> String)? = nil,
        confirming action: (@Sendable (Thing) -> String)? = nil, list: Choice? = nil
    ) -> Choice {
        { call, hub in
            let thing = try await named(call, hub)
            if let action { try call.confirm(action(thing)) }
            let outcome = try await hub.send(command(thing)).reply.outcome
            if call.json, let list { return try await list(call.alone, hub) }
            if let unchanged, case .noop = outcome { return Output.done(unchanged(thing), call) }
            Output.done(sentence(thing), call)
        }
    }

    /// The operands of a subcommand that takes none.
    @Sendable static func nothing(_ call: Invocation, _ hub: ReconnectingHub) throws { try call.expectNoOperands() }

    /// The operand of a subcommand that takes exactly one.
    static func word(_ what: String) -> @Sendable (Invocation, ReconnectingHub) throws -> String {
        { call, _ in try call.onlyOperand(what) }
    }
}
