import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@Suite struct `A key lives ten minutes of the hub's own time` {
    private static let farMs: Milliseconds = 400 * 86_400_000

    @Test(arguments: [farMs, -farMs]) func `setting the wall clock frees no key and keeps none for ever`(shiftMs: Milliseconds) async throws
    {
        try await onLoop {
            let sim = try SimulatedHub()
            #expect(try Self.press(sim) == .applied())

            sim.wallShiftMs = shiftMs
            #expect(try Self.press(sim) == .applied(why: .dup))
            try sim.restart()
            #expect(try Self.press(sim) == .applied(why: .dup))
            sim.wallShiftMs = -shiftMs
            sim.time.pass(.seconds(599))
            #expect(try Self.press(sim) == .applied(why: .dup))

            sim.time.pass(.seconds(2))
            #expect(try Self.press(sim) == .applied())
        }
    }

    @Loop
    private static func press(_ sim: SimulatedHub) throws -> Reply.Outcome? {
        let remote = try sim.remote()
        defer { remote.drop() }
        let id = remote.send(Commands.VolumeStep(3), key: "key-1")
        return remote.reply(id)?.reply.outcome
    }
}
