import BatonClient
import BatonCore
import BatonProtocol

/// Playback modes: all of them with `mode`, and single ones by the verbs that other programs use.
extension Verb {
    @Sendable static func mode(_ call: Invocation, _ satellite: Satellite) async throws {
        let flags = ModePart.all.flatMap { part in call.options[part.name].map { [part.name, $0] } ?? [] }
        let command = try ModePart.command(from: call.operands + flags)
        try await satellite.withHub(call) { hub in
            _ = try await hub.state()
            if let command { try await hub.send(command) }
            try await reportModes(call, hub)
        }
    }

    @Sendable static func `repeat`(_ call: Invocation, _ satellite: Satellite) async throws {
        let word = try call.operandIfAny()
        let named = word.flatMap { ["on": .all][$0] ?? Repeat(rawValue: $0) }
        guard word == nil || named != nil else { throw Stop(.usage, "Write repeat, repeat off, repeat one or repeat all.") }
        try await satellite.withHub(call) { hub in
            let now = try await hub.state().modes?.modes.repeat ?? .off
            try await hub.send(Commands.ModeSet(repeat: named ?? (now == .off ? .all : .off)))
            try await reportModes(call, hub)
        }
    }

    @Sendable static func reportModes(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        if call.json { return try await report(call, hub) }
        let mirror = await hub.mirror
        Output.line(StatusText(mirror: mirror, positionMs: 0).prefix + ModePart.describe(mirror.modes?.modes ?? Modes()))
    }
}
