import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@Suite struct `An edit can be taken back for a day of the hub's own time` {
    private static let farMs: Milliseconds = 400 * 86_400_000

    /// Each edit lets go of those before it that are too old.
    @Test(arguments: [farMs, -farMs]) func `setting the wall clock ends no undo, also across a restart`(shiftMs: Milliseconds) async throws
    {
        try await onLoop {
            let sim = try await Self.hubWithThree()
            #expect(try await Self.ask(sim, Commands.QueueRemove([EntryID(1)])) == nil)

            sim.wallShiftMs = shiftMs
            try sim.restart()
            #expect(try await Self.ask(sim, Commands.QueueRemove([EntryID(2)])) == nil)

            #expect(try await Self.ask(sim, Commands.QueueUndo()) == nil)
            #expect(try await Self.ask(sim, Commands.QueueUndo()) == nil)
            #expect(try sim.remote().mirror.queue?.length == 3)
        }
    }

    @Test func `a day later an edit cannot be taken back, also across a restart`() async throws {
        try await onLoop {
            let sim = try await Self.hubWithThree()
            #expect(try await Self.ask(sim, Commands.QueueRemove([EntryID(1)])) == nil)

            sim.time.pass(.seconds(24 * 3600 + 1))
            try sim.restart()
            #expect(try await Self.ask(sim, Commands.QueueRemove([EntryID(2)])) == nil)

            #expect(try await Self.ask(sim, Commands.QueueUndo()) == nil)
            #expect(try await Self.ask(sim, Commands.QueueUndo()) == "invalid_state")
            #expect(try sim.remote().mirror.queue?.length == 2)
        }
    }

    @Loop
    private static func hubWithThree() async throws -> SimulatedHub {
        let sim = try SimulatedHub()
        #expect(try await ask(sim, Commands.QueueAdd([ItemURI("file:track/album:3")])) == nil)
        return sim
    }

    /// `nil` when it was done, else the code of the refusal.
    @Loop
    private static func ask(_ sim: SimulatedHub, _ command: some WireCommand) async throws -> String? {
        sim.time.pass(.seconds(1))
        let remote = try sim.remote()
        defer { remote.drop() }
        return await remote.awaitReply(remote.send(command, key: "key-\(sim.time.nowUs)"))?.failure
    }
}
