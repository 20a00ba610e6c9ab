import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel

/// The order in which the parts of a hub stop: each may still need those behind it.
@Suite struct `A hub closes its parts in order` {
    /// Parts that stop in the turn of the loop in which the hub is told to close.
    private static let atOnce = [
        "players.stopListening", "hold", "memoryRelease", "people", "privateRooms", "emptyRooms", "sleepAlarms", "chapterAlarms",
        "deviceRegistry", "sources", "dialects", "changes",
    ]
    /// Parts of which each stops when the one before it has.
    private static let inTurn = [
        "joining", "silences", "places", "podcasts", "ahead", "keeping", "endless", "clips", "generating", "streams", "transcodes",
        "radio", "radio.recordings", "radio.saving", "players", "serverPlaces", "library", "serverLists", "mirroredLists", "mirrorPasses",
        "queueSync", "delivery", "listening", "savedQueues", "users",
    ]

    @Loop
    private final class Record {
        private(set) var parts: [String] = []
        /// A job of the loop that was begun when the first part had stopped; it gives how many had when it ran.
        private(set) var other: Task<Int, Never>?

        func note(_ part: String) {
            parts.append(part)
            if other == nil { other = Task(executorPreference: Loop.jobs) { @Loop in self.parts.count } }
        }
    }

    /// The same parts, which say when they have stopped.
    @Loop
    private func recorded(_ closing: [Closing], by record: Record) -> [Closing] {
        closing.map { closing in
            switch closing.way {
            case .atOnce(let close):
                Closing(
                    closing.part,
                    .atOnce {
                        close()
                        record.note(closing.part)
                    })
            case .waiting(let close), .afterPlayers(let close):
                Closing(
                    closing.part,
                    .waiting {
                        await close()
                        record.note(closing.part)
                    })
            }
        }
    }

    @Test func `those that wait for nothing come first, and no part is named twice`() async throws {
        try await onLoop {
            let closing = try SimulatedHub().hub.closing
            let atOnce = closing.filter { if case .atOnce = $0.way { true } else { false } }
            let parts = closing.map(\.part)

            #expect(atOnce.map(\.part) == Self.atOnce)
            #expect(parts == Self.atOnce + Self.inTurn)
            #expect(Set(parts).count == parts.count)
        }
    }

    @Test func `each stops once, and no other job of the loop comes between those that wait for nothing`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            await owner.play("/music/album:3", of: sim)
            let record = Record()

            await sim.hub.close(recorded(sim.hub.closing, by: record))

            #expect(record.parts == Self.atOnce + Self.inTurn)
            let stopped = try #require(await record.other?.value)
            #expect(stopped >= Self.atOnce.count)
        }
    }

    @Test func `closing the hub stops them all`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            await owner.play("/music/album:3", of: sim)
            owner.send(Commands.VolumeSet(7))

            await sim.hub.close()

            #expect(owner.closed != nil, "its dialects have ended their connections")
            #expect(try sim.journal.load().rooms.first?.room.level == 7, "what was held back is kept")
            #expect(sim.hub.players.closing.isEmpty)
        }
    }
}
