import BatonCore
import BatonSeams
import BatonWire
import Companion
import Foundation
import Harness
import Stores
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonServers

/// What was done here reaches its server once, whatever happens to the server, its answers and the hub.
@Suite(.serialized) struct OutboxDeliveryTests {
    @Loop
    private final class World {
        let time = VirtualTime()
        let server: SimulatedServer
        let store: SourceStore
        var life: DeliveryLife
        var delivery: OutboxDelivery
        var sources: Sources
        private var observer: EventObserver
        let showsPlays: Bool

        init(seed: UInt64 = 1, folder: String, showsPlays: Bool = true) throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            server = SimulatedServer(seed: seed)
            store = try SourceStore(folder: folder)
            self.showsPlays = showsPlays
            life = DeliveryLife(time, steps: .max)
            (sources, delivery, observer) = Self.parts(server, life, time, showsPlays)
        }

        private static func parts(
            _ server: SimulatedServer, _ life: DeliveryLife, _ time: VirtualTime, _ showsPlays: Bool
        ) -> (Sources, OutboxDelivery, EventObserver) {
            let account = SimulatedAccount(server: server, life: life, showsPlays: showsPlays)
            let events = HubEvents()
            let sources = Sources([account], reactor: time, events: events, fittingRows: HubCodec.wire.fittingRows)
            let delivery = OutboxDelivery(sources: sources, ports: Ports(), reactor: time, log: .silent)
            let observer = EventObserver { [weak delivery] _ in delivery?.wakeAll() }
            events.observer = observer
            return (sources, delivery, observer)
        }

        /// A new hub on the same file. Of the old one nothing is left but what it kept.
        func start(steps: Int = .max) {
            life.end()
            time.forget()
            life = DeliveryLife(time, steps: steps)
            (sources, delivery, observer) = Self.parts(server, life, time, showsPlays)
            delivery.open(MortalOutbox(outbox: store, life: life))
        }

        /// Until nothing moves any more.
        func pass(_ duration: Duration) async { await time.passQuietly(duration) }

        func end() async {
            await delivery.close()
            sources.close()
            store.close()
        }
    }

    private static let songs = (0..<4).map { ItemURI("home:track/\($0)") }

    @Loop
    private func inWorld(seed: UInt64 = 1, showsPlays: Bool = true, _ body: @Loop (World) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "baton-outbox-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = try World(seed: seed, folder: folder, showsPlays: showsPlays)
        world.start()
        await world.pass(.zero)
        try await body(world)
        await world.end()
    }

    @Test func `a place waits while no part compares it with the server's`() async throws {
        try await onLoop {
            let folder = FileManager.default.temporaryDirectory.appending(path: "baton-places-\(UUID().uuidString.prefix(8))").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let (time, server, store) = (VirtualTime(), PlacesServer(nowMs: { 1_000 }), try SourceStore(folder: folder))
            let sources = Sources([server], reactor: time, events: HubEvents(), fittingRows: HubCodec.wire.fittingRows)
            let delivery = OutboxDelivery(sources: sources, ports: Ports(), reactor: time, log: .silent)
            delivery.open(store)
            let book = server.book(1)
            server.other(book, at: 90_000)

            let note = ServerPlaceNote(book, ServerPlace(positionMs: 60_000), state: .paused, on: "kitchen")
            try await delivery.add(.progress(note), for: "attic", atMs: 1)
            await time.passQuietly(.seconds(600))
            #expect(server.written.isEmpty && server.kept(book)?.positionMs == 90_000)
            #expect(try store.pending(of: "attic", limit: 10).count == 1)

            await delivery.close()
            sources.close()
            store.close()
        }
    }

    @Test func `without an outbox, a place that no part compares with the server's is not told`() async throws {
        try await onLoop {
            let (time, server) = (VirtualTime(), PlacesServer(nowMs: { 1_000 }))
            let sources = Sources([server], reactor: time, events: HubEvents(), fittingRows: HubCodec.wire.fittingRows)
            let delivery = OutboxDelivery(sources: sources, ports: Ports(), reactor: time, log: .silent)
            let book = server.book(1)
            server.other(book, at: 90_000)

            let note = ServerPlaceNote(book, ServerPlace(positionMs: 60_000), state: .paused, on: "kitchen")
            try await delivery.add(.progress(note), for: "attic", atMs: 1)
            await time.passQuietly(.seconds(600))
            #expect(server.written.isEmpty && server.kept(book)?.positionMs == 90_000)

            await delivery.close()
            sources.close()
        }
    }

    @Test(arguments: 0..<12) func `each note is delivered once and in order, across outages, lost answers and the hub's death`(
        seed: UInt64
    ) async throws {
        try await onLoop {
            try await inWorld(seed: seed) { world in
                var random = SeededGenerator(seed &+ 7)
                world.server.change { ($0.lost, $0.busy, $0.missed) = (15, 10, 15) }
                var plays: [WriteBack] = []
                var favourites: [ItemURI: Bool] = [:]
                for round in 0..<40 {
                    let atMs = Milliseconds(round)
                    world.server.change { $0.isDown = Int.random(in: 0..<4, using: &random) == 0 }
                    let song = Self.songs[Int.random(in: 0..<4, using: &random)]
                    let note: WriteBack =
                        Bool.random(using: &random)
                        ? .played(song, atMs: atMs) : .favourite(song, Bool.random(using: &random))
                    do throws(SourceFault) {
                        try await world.delivery.add(note, for: "home", atMs: atMs)
                        // Only what was answered is owed; what was not may have been stored all the same.
                        if case .played = note { plays.append(note) }
                        if case .favourite(_, let isFavourite) = note { favourites[song] = isFavourite }
                    } catch {
                        if try world.store.pending(of: "home", limit: 1000).contains(where: { $0.note == note && $0.atMs == atMs }) {
                            if case .played = note { plays.append(note) }
                            if case .favourite(_, let isFavourite) = note { favourites[song] = isFavourite }
                        }
                    }
                    await world.pass(.seconds(Int.random(in: 0..<90, using: &random)))
                    if world.life.isOver || Int.random(in: 0..<5, using: &random) == 0 {
                        world.start(steps: Int.random(in: 3..<40, using: &random))
                    }
                }
                world.server.change { ($0.isDown, $0.lost, $0.busy, $0.missed) = (false, 0, 0, 0) }
                world.start()
                await world.pass(.seconds(3600))

                #expect(try world.store.next(for: "home") == nil)
                let arrived = world.server.arrived
                for song in Self.songs {
                    let told = arrived.filter { if case .played(song, _) = $0 { true } else { false } }
                    let owed = plays.filter { if case .played(song, _) = $0 { true } else { false } }
                    #expect(told == owed, "plays of \(song)")
                    let last = arrived.last { if case .favourite(song, _) = $0 { true } else { false } }
                    #expect(last == favourites[song].map { WriteBack.favourite(song, $0) })
                }
            }
        }
    }

    @Test func `a week's outage loses nothing, and the server is asked no more than every five minutes`() async throws {
        try await onLoop {
            try await inWorld { world in
                world.server.change { $0.isDown = true }
                let plays = (0..<50).map { WriteBack.played(Self.songs[0], atMs: Milliseconds($0)) }
                for play in plays { try await world.delivery.add(play, for: "home", atMs: 0) }
                for _ in 0..<7 {
                    await world.pass(.seconds(86_400))
                    world.start()
                }
                // A hub that has just begun counts what waits first.
                await world.pass(.seconds(1))
                #expect(world.server.arrived.isEmpty && world.delivery.counts["home"]?.pending == 50)
                world.server.change { $0.isDown = false }
                await world.pass(.seconds(301))
                #expect(world.server.arrived == plays)
                #expect(world.delivery.counts["home"]?.delivered == 50 && world.delivery.counts["home"]?.pending == 0)
            }
        }
    }

    @Test func `a server that asks to be left alone is`() async throws {
        try await onLoop {
            try await inWorld { world in
                world.server.change { $0.busy = 100 }
                try await world.delivery.add(.stars(Self.songs[0], 3), for: "home", atMs: 0)
                await world.pass(.seconds(1))
                world.server.change { $0.busy = 0 }
                world.delivery.wakeAll()
                try await world.delivery.add(.stars(Self.songs[1], 4), for: "home", atMs: 0)
                await world.pass(.seconds(15))
                #expect(world.server.arrived.isEmpty)
                await world.pass(.seconds(10))
                #expect(world.server.arrived.count == 2 && world.server.early == 0)
            }
        }
    }

    @Test func `what a server refuses stays to be seen and holds up nothing`() async throws {
        try await onLoop {
            try await inWorld { world in
                try await world.delivery.add(.stars(Self.songs[0], 9), for: "home", atMs: 0)
                try await world.delivery.add(.favourite(Self.songs[0], true), for: "home", atMs: 0)
                #expect(world.delivery.pendingItems == [Self.songs[0]: 2])
                await world.pass(.seconds(2))
                #expect(world.server.arrived == [.favourite(Self.songs[0], true)])
                #expect(world.delivery.counts["home"] == OutboxCount(refused: 1, delivered: 1))
                #expect(try await world.delivery.pending(of: "home", limit: 5).first?.sentence == "There are five stars.")
                #expect(world.delivery.pendingItems.isEmpty)
                #expect(try await world.delivery.drop(of: "home") == 1)
            }
        }
    }

    @Test func `a play whose answer was lost is not sent again to a server that does not show it`() async throws {
        try await onLoop {
            try await inWorld(showsPlays: false) { world in
                world.server.change { $0.lost = 100 }
                try await world.delivery.add(.played(Self.songs[0], atMs: 1), for: "home", atMs: 1)
                await world.pass(.seconds(1))
                world.server.change { $0.lost = 0 }
                await world.pass(.seconds(600))
                #expect(world.server.arrived.count == 1)
                #expect(world.delivery.counts["home"] == OutboxCount(refused: 1))
            }
        }
    }

    @Test func `what plays now is told once, and not after an outage`() async throws {
        try await onLoop {
            try await inWorld { world in
                world.delivery.tellOnce(.nowPlaying(Self.songs[0]), to: "home", atMs: 1)
                await world.pass(.seconds(1))
                world.server.change { $0.isDown = true }
                world.delivery.tellOnce(.nowPlaying(Self.songs[1]), to: "home", atMs: 2)
                await world.pass(.seconds(30))
                world.server.change { $0.isDown = false }
                await world.pass(.seconds(600))
                #expect(world.server.arrived == [.nowPlaying(Self.songs[0])])
                let left = try world.store.pending(of: "home", limit: 5)
                #expect(left.isEmpty)
            }
        }
    }
}
