/// What becomes of books that play while their silences are looked for, and after. BT-BOK-007
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Synchronization
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

@Suite struct `Silences are left out by the hub` {
    @Test func `a book goes on without them as soon as they are known, and with them when they are wanted again`() async throws {
        try await onLoop {
            let world = try await SilenceWorld()
            world.sim.time.pass(.seconds(30))
            try await world.trim(true)

            let trim = try #require(world.sim.player.loaded?.trim)
            #expect(trim.cuts.removedMs == 9500 && trim.beginsUs == [25] && trim.durationMs == 180_000)
            #expect(trim.chapters.map(\.startMs) == [0, 60_000], "which the source does not know")
            #expect((29_000...32_000).contains(world.sim.player.heardMs))
            #expect(world.sim.player.begun.count == 2)

            try await world.trim(false)
            #expect(world.sim.player.begun.count == 3 && world.finder.looked.withLock(\.count) == 1)
        }
    }

    @Test func `a file that was written anew is looked through anew, and plays whole until that is done`() async throws {
        try await onLoop {
            let world = try await SilenceWorld()
            try await world.trim(true)
            world.disk.version.withLock { $0 = 2 }

            let begun = world.sim.player.begun.count
            try await world.play()
            try await until(world.sim) {
                world.finder.looked.withLock(\.count) == 2 && world.sim.player.loaded?.trim != nil
                    && world.sim.player.begun.count == begun + 2
            }

            world.sim.time.pass(.seconds(5))
            await world.sim.settle()
            #expect(world.sim.player.begun.count == begun + 2, "and it is opened no more")
        }
    }

    @Test func `music plays as it is`() async throws {
        try await onLoop {
            let world = try await SilenceWorld()
            await world.owner.play("lib:track/2", of: world.sim)
            world.owner.send(Commands.BookSet(trim: true))
            try await until(world.sim) { world.sim.player.playing != nil && world.sim.hub.rooms.first.room.modes.trims }
            world.sim.time.pass(.seconds(1))
            await world.sim.settle()
            #expect(world.sim.player.loaded?.trim == nil && world.finder.looked.withLock(\.isEmpty))
        }
    }
}
