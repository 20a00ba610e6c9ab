import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import MPD

/// Lines of `status` that are kept are those that would be written anew.
@Suite struct StatusTextTests {
    private static let commands = [
        "setvol 20", "setvol 70", "pause", "next", "previous", "add d.flac", "delete 0", "move 0 1", "repeat 1", "repeat 0", "random 1",
        "random 0", "single oneshot", "single 0", "consume 1", "consume 0", "seekcur 42", "stop", "play", "clear", "clearerror", "update",
        "shuffle",
    ]

    @Test(arguments: seedRange(usually: 8))
    func `a program is shown each change, as one that has just come is`(seed: UInt64) async throws {
        try await onLoop {
            var random = SeededGenerator(seed)
            let world = try MPDWorld()
            let peer = await world.playing()
            _ = await peer.ask("add b.flac")
            for step in 0..<60 {
                let command = Self.commands.randomElement(using: &random) ?? ""
                // Half of the changes come from elsewhere, so that the program is told of them by the hub alone.
                await (step.isMultiple(of: 2) ? peer : world.connect()).ask(command)
                if Bool.random(using: &random) { await world.sim.time.passQuietly(.milliseconds(700)) }
                let shown = await peer.ask("status")
                let fresh = QueueMirror(world.sim.hub.ports.state.firstRoom, world.sim.hub.ports)
                // A stopped room shows what depends on the commands before.
                guard shown.contains("state: play") || shown.contains("state: pause") else { continue }
                var text = AnswerText()
                fresh.status(updating: world.mpd.updates.current).write(to: &text, atUs: world.sim.time.nowUs)
                let wanted = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
                // A mirror with the same songs keeps its version, and a fresh one has the newest.
                let isOther = { (line: String) in !line.hasPrefix("playlist: ") }
                #expect(shown.filter(isOther) == wanted.filter(isOther), "seed \(seed), step \(step): \(command)")
                let song = await peer.ask("currentsong")
                #expect(song.last == "Id: \(fresh.current?.number ?? 0)", "seed \(seed), step \(step): \(command)")
            }
        }
    }
}
