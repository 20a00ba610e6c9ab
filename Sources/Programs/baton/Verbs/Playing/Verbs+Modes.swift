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

    /// Repeats the queue or an entry. `all` ends `single`; `off` ends both where one entry repeats.
    @Sendable static func `repeat`(_ call: Invocation, _ satellite: Satellite) async throws {
        let word = try call.operandIfAny()
        guard word.map(["on", "off", "one", "all"].contains) != false else {
            throw Stop(.usage, "Write repeat, repeat on, repeat off, repeat one or repeat all.")
        }
        try await satellite.withHub(call) { hub in
            let now = try await hub.state().modes?.modes ?? Modes()
            let isOn = word.map { $0 != "off" } ?? !now.repeat
            var command = Commands.ModeSet(repeat: isOn)
            if word == "one" { command.single = .on }
            if word == "all" || !isOn && now.repeat && now.single == .on { command.single = .off }
            try await hub.send(command)
            try await reportModes(call, hub)
        }
    }

    /// A mode that is on, off, or on once.
    static func modeSwitch(
        _ name: String, _ now: @escaping @Sendable (Modes) -> ModeSwitch, by command: @escaping @Sendable (ModeSwitch) -> Commands.ModeSet
    ) -> Run {
        { call, satellite in
            let word = try call.operandIfAny()
            let wanted = word.flatMap(ModeSwitch.init(rawValue:))
            guard word == nil || wanted != nil else { throw Stop(.usage, "Write \(name), \(name) on, \(name) off or \(name) once.") }
            try await satellite.withHub(call) { hub in
                let modes = try await hub.state().modes?.modes ?? Modes()
                try await hub.send(command(wanted ?? (now(modes) == .off ? .on : .off)))
                try await reportModes(call, hub)
            }
        }
    }

    @Sendable static func reportModes(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        if call.json { return try await report(call, hub) }
        let mirror = await hub.mirror
        Output.line(StatusText(mirror: mirror, positionMs: 0).prefix + ModePart.describe(mirror.modes?.modes ?? Modes()))
    }
}
