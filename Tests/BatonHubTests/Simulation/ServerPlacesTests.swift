/// Places in books of a server, while the server is away, loses answers and is changed by other devices, and the hub is killed.
import BatonClient
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

@Suite(.serialized) struct `Places at servers` {
    @Loop
    private final class World {
        let server: PlacesServer
        let accounts = MemoryAccounts()
        let places = MemoryPlaces()
        let sim: SimulatedHub
        let store: SourceStore
        let book: ItemURI
        var remote: TestRemote
        private var presses = 0

        init(seed: UInt64, folder: String) async throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            store = try SourceStore(folder: folder)
            let time = VirtualTime()
            server = PlacesServer(seed: seed) { Loop.assumeIsolated { 1_700_000_000_000 + Milliseconds(time.nowUs) } }
            book = server.book(1)
            sim = try SimulatedHub(
                time: time, trackMs: 3_600_000, library: LibraryParts(userMarks: MemoryUserMarks(), places: places))
            try accounts.store(SourceAccount(name: "attic", title: "The attic", kind: "memory", url: "https://books.example.org"))
            try accounts.vault.store(SourceSecrets(user: "anna", password: "open sesame"), of: "attic")
            remote = try sim.remote()
            await open()
        }

        private func open() async {
            sim.hub.open(store, store)
            await sim.hub.open(.inMemory(accounts) { [server] _, _ in server })
            await pass(seconds: 1)
        }

        func restart() async throws {
            try sim.restart()
            remote = try sim.remote()
            await open()
        }

        /// Lets time pass, and what waits for no clock in between.
        func pass(seconds: Int) async { await sim.time.passQuietly(.seconds(max(1, seconds))) }

        func press(_ command: some WireCommand) async {
            presses += 1
            _ = await remote.awaitReply(remote.send(command, key: "press\(presses)"))
        }

        var current: ItemPlace? { places.current(book.text) }
        var sides: [Int] { places.sides(book.text).map { Int($0.positionMs.seconds) } }
        var isTold: Bool { (try? store.pending(of: "attic", limit: 1))?.isEmpty == true }

        /// The server has what the hub has, and nothing is still to be told.
        var agrees: Bool {
            let theirs = server.kept(book) ?? .none
            return isTold && (current.map { ServerPlace($0, isFinished: $0.isFinished).isSame(as: theirs) } ?? (theirs == .none))
        }

        /// What another device has left is the place or a side place, or a room has gone on from there.
        func isKept(_ positionMs: Milliseconds) -> Bool {
            guard let kept = try? places.places(of: .home, in: book), let current = kept.current else { return false }
            let fromServer = kept.lineage.map(\.session).filter { $0.text.hasPrefix("at attic ") }
            return ([current] + kept.sides).contains { $0.positionMs == positionMs }
                || ([current] + kept.sides).contains { place in fromServer.contains { kept.descends(place.session, from: $0) } }
        }

        /// Until nothing is under way; the limit is that of an outage that has just ended.
        func agree() async {
            for _ in 0..<1200 where !agrees { await pass(seconds: 1) }
        }
    }

    @Loop
    private func inWorld(seed: UInt64 = 1, _ body: @Loop (World) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "baton-places-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = try await World(seed: seed, folder: folder)
        try await body(world)
        world.sim.kill()
        world.store.close()
    }

    /// BT-PLC-010
    @Test func `are told every 20 s, and at each pause, seek and stop, with what the room does`() async throws {
        try await onLoop {
            try await inWorld { world in
                await world.press(Commands.Play(world.book))
                await world.pass(seconds: 45)
                #expect(world.server.written.map(\.state) == [.playing, .playing])
                #expect(world.server.written.allSatisfy { $0.device == world.sim.hub.rooms.first.room.name })
                await world.press(Commands.Pause())
                await world.pass(seconds: 1)
                #expect(world.server.written.last?.state == .paused)
                await world.press(Commands.Seek(positionMs: 600_000))
                await world.press(Commands.Play())
                await world.pass(seconds: 8)
                await world.press(Commands.Stop())
                await world.pass(seconds: 1)
                await world.agree()
                #expect(world.server.written.last?.state == .stopped && world.agrees)
                #expect((606_000...612_000).contains(world.server.kept(world.book)?.positionMs ?? 0))
                #expect(world.sides.isEmpty, "what the hub itself wrote is no news")
            }
        }
    }

    /// BT-PLC-010
    @Test func `are begun at where another device has left them, and an outage and a kill lose nothing`() async throws {
        try await onLoop {
            try await inWorld { world in
                world.server.other(world.book, at: 1_200_000)
                await world.agree()
                #expect(world.current?.positionMs == 1_200_000 && world.current?.device == "The attic")
                await world.press(Commands.Play(world.book))
                await world.pass(seconds: 30)
                world.server.change(isDown: true)
                await world.press(Commands.Seek(positionMs: 2_000_000))
                await world.pass(seconds: 30)
                let waiting = try world.store.pending(of: "attic", limit: 10)
                #expect((1...2).contains(waiting.count), "the newest takes the place of the others")
                try await world.restart()
                world.server.change(isDown: false)
                await world.agree()
                #expect((2_015_000...2_040_000).contains(world.server.kept(world.book)?.positionMs ?? 0))
                #expect(world.sides.isEmpty)
            }
        }
    }

    /// BT-PLC-011
    @Test(arguments: [true, false]) func `of which two follow the same one are those of who was there later, and the other stays beside`(
        otherIsLater: Bool
    ) async throws {
        try await onLoop {
            try await inWorld { world in
                await world.press(Commands.Play(world.book))
                await world.pass(seconds: 30)
                await world.press(Commands.Pause())
                await world.agree()
                world.server.change(isDown: true)
                await world.press(Commands.Seek(positionMs: 300_000))
                await world.pass(seconds: 5)
                world.server.other(world.book, at: 900_000, afterMs: otherIsLater ? 60_000 : -60_000)
                world.server.change(isDown: false)
                await world.agree()
                #expect(world.current?.positionMs == (otherIsLater ? 900_000 : 300_000))
                #expect(world.sides == [otherIsLater ? 300 : 900])
                #expect(world.server.kept(world.book)?.positionMs == world.current?.positionMs)
            }
        }
    }

    /// BT-PLC-010 BT-PLC-011
    @Test(arguments: placeSeeds) func `agree in the end, and none is lost`(seed: UInt64) async throws {
        try await onLoop {
            try await inWorld(seed: seed) { world in
                var random = SeededGenerator(seed &+ 11)
                var left: [Milliseconds] = []
                await world.press(Commands.Play(world.book))
                for step in 1...14 {
                    switch Int.random(in: 0..<9, using: &random) {
                    case 0: await world.press(Commands.Pause())
                    case 1: await world.press(Commands.Seek(positionMs: Milliseconds(step) * 200_000))
                    case 2: await world.press(Commands.Play())
                    case 3:
                        // A phone that is heard of while the hub does not reach the server.
                        let placeMs = Milliseconds(step * 200_000 + 77_000)
                        left.append(placeMs)
                        world.server.other(world.book, at: placeMs)
                    case 4, 5:
                        let isDown = Bool.random(using: &random)
                        world.server.change(isDown: isDown, lost: Int.random(in: 0..<40, using: &random))
                    case 6: try await world.restart()
                    default: break
                    }
                    await world.pass(seconds: Int.random(in: 1..<25, using: &random))
                }
                await world.press(Commands.Pause())
                await world.pass(seconds: 3)
                world.server.change(isDown: false)
                await world.agree()
                #expect(world.agrees, "\(seed): \(String(describing: world.current)), \(String(describing: world.server.kept(world.book)))")
                // Of several that a phone left one after the other, the last is what the server had.
                if let last = left.last { #expect(world.isKept(last), "\(seed): \(Int(last.seconds)) s, beside \(world.sides)") }
                #expect(world.sides.count <= Places.mostSides)
            }
        }
    }
}

/// Few of them, since each takes long: hours of listening, with all that is waited for.
let placeSeeds = seedRange(usually: isSlow ? 150 : 12)
let isSlow = ProcessInfo.processInfo.environment["BATON_SLOW"] != nil
