import BatonClient
import BatonCore
import BatonProtocol

/// How speech sounds.
extension Verb {
    @Sendable static func book(_ call: Invocation, _ satellite: Satellite) async throws {
        let words = call.operands
        guard words.isEmpty || words.first == "voice" && words.count == 2 && ["on", "off"].contains(words[1]) else {
            throw Stop(.usage, "Write book, book voice on or book voice off.")
        }
        try await satellite.withHub(call) { hub in
            _ = try await hub.state()
            if let wish = words.last { try await hub.send(Commands.BookSet(voice: wish == "on")) }
            if call.json { return try await report(call, hub) }
            let mirror = await hub.mirror
            let raises = mirror.modes?.modes.raisesVoice == true
            let words = raises ? "voice on: quiet speech is raised, peaks are limited" : "voice off: speech sounds as it was recorded"
            Output.line(StatusText(mirror: mirror, positionMs: 0).prefix + words)
        }
    }
}
