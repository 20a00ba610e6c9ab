import BatonClient
import BatonCore
import BatonProtocol

/// How a room plays: all of it by `mode`, and its parts by the words that other programs have for them.
extension Verb {
    @Sendable static func mode(_ call: Invocation, _ satellite: Satellite) async throws {
        let flags = ["repeat", "shuffle", "speed", "gain", "preamp", "unfinished"].flatMap { name in
            call.options[name].map { [name, $0] } ?? []
        }
        let changes = try ModeChange.all(in: call.operands + flags)
        try await satellite.withHub(call) { hub in
            _ = try await hub.state()
            if !changes.isEmpty { try await hub.send(ModeChange.command(changes)) }
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

    @Sendable static func reportModes(_ call: Invocation, _ hub: SteadyHub) async throws {
        if call.json { return try await report(call, hub) }
        let mirror = await hub.mirror
        Output.line(StatusText(mirror: mirror, positionMs: 0).prefix + describe(mirror.modes?.modes ?? Modes()))
    }

    /// The name of the modes, or each of them when there is no name.
    private static func describe(_ modes: Modes) -> String {
        let way = modes.named?.rawValue ?? "repeat \(modes.repeat.rawValue), shuffle \(modes.shuffle ? "on" : "off")"
        let speed = modes.speed == 1000 ? "" : ", speed \(Double(modes.speed) / 1000)"
        let gain = modes.gain == .auto ? "" : ", gain \(modes.gain.rawValue)"
        let preamp = modes.preampDb == 0 ? "" : ", preamp \(modes.preampDb) dB"
        let unfinished = modes.unfinished == .skip ? "" : ", unfinished \(modes.unfinished.filler?.text ?? modes.unfinished.name.rawValue)"
        let usual = Modes()
        let forward = modes.forwardMs == usual.forwardMs ? "" : ", forward \(modes.forwardMs / 1000) s"
        let back = modes.backMs == usual.backMs ? "" : ", back \(modes.backMs / 1000) s"
        return way + speed + gain + preamp + unfinished + forward + back
    }
}
