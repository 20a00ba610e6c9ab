/// Accounts with `sync_queue`: their servers keep the queue that plays here, whatever happens to the server and the hub.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Foundation
import Harness
import Stores
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import BatonServers

@Suite(.serialized) struct `Servers are told which queue plays here` {
    /// A hub with an account at one server, and the file that outlives it.
    @Loop
    private final class World {
        let server = KeepingServer(and: [.queue])
        let accounts = MemoryAccounts()
        let sim: SimulatedHub
        let store: SourceStore
        var remote: TestRemote
        private var presses = 0

        init(folder: String) async throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            store = try SourceStore(folder: folder)
            sim = try SimulatedHub(library: LibraryParts(userMarks: MemoryUserMarks(), connectors: [MemorySource()]))
            try accounts.store(SourceAccount(name: "attic", title: "The attic", kind: "memory", url: "https://music.example.org"))
            try accounts.vault.store(SourceSecrets(user: "anna", password: "open sesame"), of: "attic")
            remote = try sim.remote()
            await open()
        }

        private func open() async {
            sim.hub.open(store, store)
            await sim.hub.open(.inMemory(accounts) { [server] _, _ in server })
            await pass(.seconds(1))
        }

        func restart() async throws {
            try sim.restart()
            remote = try sim.remote()
            await open()
        }

        /// Lets time pass, and what waits for no clock in between.
        func pass(_ duration: Duration) async { await sim.time.passQuietly(duration) }

        func press(_ command: some WireCommand) async {
            presses += 1
            _ = await remote.awaitReply(remote.send(command, key: "press\(presses)"))
        }

        var part: QueuePart? {
            let room = sim.hub.rooms.first.room
            return QueuePart(room.queue, positionMs: room.positionMs(at: sim.hub.clock.now), of: "attic")
        }
    }

    @Loop
    private func inWorld(_ body: @Loop (World) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "baton-sync-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = try await World(folder: folder)
        try await body(world)
        world.sim.kill()
        world.store.close()
    }

    @Test func `a deleted room is forgotten`() async throws {
        try await onLoop {
            try await inWorld { world in
                let (sync, bath) = (world.sim.hub.features.servers.queueSync, RoomID("bath"))
                await world.press(Commands.RoomCreate("Bath"))
                _ = await world.remote.awaitReply(world.remote.send(Commands.VolumeSet(20), room: bath))
                #expect(sync.looks[bath] != nil)

                await world.press(Commands.RoomDelete(bath))
                #expect(sync.looks[bath] == nil && sync.looks.count == 1)
            }
        }
    }

    @Test func `a change is told when it has settled, a pause with its position, and a track that plays every 30 s`() async throws {
        try await onLoop {
            try await inWorld { world in
                for number in 0..<5 {
                    await world.press(Commands.QueueAdd([world.server.song(number), ItemURI("lib:track/\(number)")]))
                    await world.pass(.seconds(1))
                }
                await world.pass(.seconds(3))
                #expect(world.server.saves == [.queue((0..<5).map(world.server.song), current: world.server.song(0), ms: 0)])

                await world.press(Commands.Play())
                await world.pass(.seconds(94))
                #expect(world.server.saves.count == 5)
                guard case .queue(_, let current, let ms)? = world.server.saves.last else { return #expect(Bool(false)) }
                #expect(current == world.server.song(0) && (ms - 92_000).magnitude < 2_500)

                await world.press(Commands.Pause())
                await world.pass(.seconds(3))
                #expect(world.server.saves.count == 6)
                guard case .queue(_, _, let paused)? = world.server.saves.last else { return #expect(Bool(false)) }
                #expect((paused - 94_000).magnitude < 2_500)

                await world.press(Commands.VolumeSet(20))
                await world.press(Commands.QueueAdd([ItemURI("lib:track/9")]))
                await world.pass(.seconds(600))
                #expect(world.server.saves.count == 6)
            }
        }
    }

    @Test func `a server that was away gets the newest queue once, also when the hub ended meanwhile`() async throws {
        try await onLoop {
            try await inWorld { world in
                await world.press(Commands.QueueAdd((0..<6).map(world.server.song)))
                await world.pass(.seconds(4))
                #expect(world.server.saves.count == 1)

                world.server.isDown = true
                for _ in 1..<5 {
                    let entries = world.sim.hub.rooms.first.room.queue.entries
                    await world.press(Commands.QueueRemove([entries[1].id]))
                    await world.pass(.seconds(20))
                }
                try await world.restart()
                #expect(world.server.saves.count == 1)
                world.server.isDown = false
                await world.pass(.seconds(400))

                let left = [world.server.song(0), world.server.song(5)]
                #expect(Array(world.server.saves.dropFirst()) == [.queue(left, current: world.server.song(0), ms: 0)])
            }
        }
    }

    @Test func `what is there when the hub starts is not told, since another player may have gone on`() async throws {
        try await onLoop {
            try await inWorld { world in
                await world.press(Commands.QueueAdd([world.server.song(0)]))
                await world.pass(.seconds(4))
                world.server.queue = world.server.saved([7], current: 0, ms: 5)
                try await world.restart()
                await world.pass(.seconds(120))
                #expect(world.server.saves.count == 1 && world.server.queue?.entries.map(\.uri) == [world.server.song(7)])
            }
        }
    }

    @Test(arguments: 0..<8)
    func `after any edits, outages and crashes the server has the queue, and was told no more often than it changed`(
        seed: UInt64
    ) async throws {
        try await onLoop {
            try await inWorld { world in
                var random = SeededGenerator(seed &+ 31)
                var (edits, plays) = (0, 0)
                for _ in 0..<40 {
                    let song = world.server.song(Int.random(in: 0..<40, using: &random))
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0..<3: await world.press(Commands.QueueAdd([song], place: Bool.random(using: &random) ? .end : .next))
                    case 3:
                        let entries = world.sim.hub.rooms.first.room.queue.entries
                        if let entry = entries.randomElement(using: &random) { await world.press(Commands.QueueRemove([entry.id])) }
                    case 4: await world.press(Commands.Play())
                    case 5: await world.press(Commands.Pause())
                    case 6: world.server.isDown.toggle()
                    default: if Int.random(in: 0..<2, using: &random) == 0 { try await world.restart() }
                    }
                    edits += 1
                    let seconds = Int.random(in: 0..<45, using: &random)
                    plays += seconds
                    await world.pass(.seconds(seconds))
                }
                world.server.isDown = false
                // Until the source is known to be back, whose tracks can be added then.
                await world.pass(.seconds(301))
                await world.press(Commands.Pause())
                await world.press(Commands.QueueAdd([world.server.song(1)]))
                await world.pass(.seconds(700))

                guard case .queue(let uris, let current, let ms)? = world.server.saves.last, let part = world.part else {
                    return #expect(Bool(false), "seed \(seed)")
                }
                #expect(uris == part.uris && current == part.current && ms == part.positionMs, "seed \(seed)")
                // Tracks that end change the current entry, too, which happens at most every three minutes.
                #expect(world.server.saves.count <= edits + 2 + (plays + 1_000) / 30 + 10, "seed \(seed)")
                #expect(try world.store.next(for: "attic") == nil, "seed \(seed)")
            }
        }
    }
}
