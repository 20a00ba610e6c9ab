/// What a hub keeps of those who came and went: nothing, or what a limit allows.
import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

@Suite struct `Memory stands still` {
    @Test func `ten thousand clients leave no more behind than the limits allow`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let rooms = try sim.remote(id: "owner")
            rooms.send(Commands.RoomCreate("Attic"), key: "make")
            for number in 0..<10_000 {
                let remote = try sim.remote(.watch, id: "fresh-\(number)", rooms: number.isMultiple(of: 2) ? [RoomID("attic")] : nil)
                remote.drop()
                if number.isMultiple(of: 100) { sim.time.pass(.seconds(1)) }
            }
            sim.time.pass(.seconds(30))

            let figures = HubDiagnostics.Memory([sim.hub.memoryFigures])
            #expect(figures["hub", "sessions"] == 1 && figures["hub", "people"] == 1 && figures["hub", "queuedBytes"] == 0)
            #expect(try #require(figures["hub", "clients"]) <= JournalRules.lastRooms)
            #expect(try #require(figures["hub", "frames"]) <= 8)
        }
    }

    @Test func `free memory is given back some time after a subscribers has gone, once`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let stays = try sim.remote(id: "stays")
            let subscribers = try (0..<500).map { try sim.remote(.watch, id: "crowd-\($0)") }
            sim.time.pass(.seconds(60))
            #expect(sim.memoryReleases == 0)

            for remote in subscribers { remote.drop() }
            sim.time.pass(.seconds(10))
            #expect(sim.memoryReleases == 0)
            sim.time.pass(.seconds(20))
            #expect(sim.memoryReleases == 1)

            // Whoever stays wakes nobody.
            sim.time.pass(.seconds(600))
            #expect(sim.memoryReleases == 1 && stays.closed == nil)

            stays.drop()
            sim.time.pass(.seconds(30))
            #expect(sim.memoryReleases == 2)
        }
    }

    @Test func `a player that was let go has its memory given back`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner")
            owner.send(Commands.RoomCreate("Attic"), key: "make")
            owner.send(Commands.RoomDelete(RoomID("attic")))
            await untilQuiet()
            #expect(sim.hub.players.closing.isEmpty)
            sim.time.pass(.seconds(60))
            #expect(sim.memoryReleases == 1)
            #expect(HubDiagnostics.Memory([sim.hub.memoryFigures])["hub", "playersLeaving"] == 0)
        }
    }

    @Test func `collections that held many give their room back, and keep what is left`() {
        var list = Array(0..<100_000)
        list.removeLast(99_000)
        list.dropSpareRoom()
        #expect(list == Array(0..<1_000) && list.capacity < 4_000)

        var table = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ($0, $0) })
        for key in 1_000..<100_000 {
            table[key] = nil
            table.dropSpareRoom()
        }
        #expect(table.count == 1_000 && table[999] == 999 && table.capacity < 8_000)

        // What is small is left alone: it will be needed again.
        var few = [1]
        few.reserveCapacity(200)
        few.dropSpareRoom()
        #expect(few.capacity >= 200)
    }
}
