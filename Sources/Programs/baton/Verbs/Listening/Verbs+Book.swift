import BatonClient
import BatonCore
import BatonProtocol

/// `baton book`: settings for playing speech.
extension Verb {
    @Sendable static func book(_ call: Invocation, _ satellite: Satellite) async throws {
        let words = call.operands
        guard words.isEmpty || words.count == 2 && ["voice", "trim"].contains(words[0]) && ["on", "off"].contains(words[1]) else {
            throw Stop(.usage, "Write book, book voice on or off, or book trim on or off.")
        }
        try await satellite.withHub(call) { hub in
            _ = try await hub.state()
            if words.first == "voice" { try await hub.send(Commands.BookSet(voice: words[1] == "on")) }
            if words.first == "trim" { try await hub.send(Commands.BookSet(trim: words[1] == "on")) }
            if call.json { return try await report(call, hub) }
            let mirror = await hub.mirror
            let modes = mirror.modes?.modes ?? Modes()
            let voice =
                modes.raisesVoice ? "voice on: quiet speech is raised, peaks are limited" : "voice off: speech sounds as it was recorded"
            let trim =
                modes.trims
                ? "trim on: silences are left out of what lies on the hub's disk; what a server streams plays whole"
                : "trim off: pauses stay as they are"
            for words in [voice, trim] { Output.line(StatusText(mirror: mirror, positionMs: 0).prefix + words) }
        }
    }
}
