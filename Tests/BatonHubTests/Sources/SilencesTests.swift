/// What becomes of books that play while their silences are looked for, and after. BT-BOK-007
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Synchronization
import Testing

@testable import BatonHub
@testable import Companion

@Suite struct `Silences are left out by the hub` {
    /// Ten seconds of silence in each file, and two chapters.
    private final class Finder: SilenceFinding {
        let looked = Mutex<[String]>([])

        func silences(in file: NamedFile) throws(SourceFault) -> any SilenceScan {
            looked.withLock { $0.append(file.path) }
            return Scan()
        }

        func chapters(in file: NamedFile) throws(SourceFault) -> [Chapter] {
            [0, 60_000].map { Chapter(title: "At \($0)", startMs: $0, endMs: $0 + 60_000) }
        }
    }

    private final class Scan: SilenceScan {
        private let isDone = Mutex(false)

        func next() throws(SourceFault) -> SilencePiece? {
            isDone.withLock { isDone in
                defer { isDone = true }
                return isDone ? nil : SilencePiece([10_000..<20_000], untilMs: 120_000, beginUs: 25)
            }
        }

        func close() {}
    }

    /// A file that is written anew now and then.
    private struct Written: FileRange {
        final class Disk: Sendable {
            let version = Mutex<Int64>(1)
        }

        let disk: Disk
        var stamp: FileStamp { FileStamp(size: 1, changedNs: disk.version.withLock { $0 }, inode: 1) }
        var descriptor: Int32 { -1 }
        func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8] { [] }
    }

    /// A hub and a remote that plays a book of it.
    @Loop
    private final class World {
        let finder = Finder()
        let disk = Written.Disk()
        let sim: SimulatedHub
        let owner: TestRemote

        init() async throws {
            sim = try SimulatedHub(
                library: LibraryParts(
                    userMarks: MemoryUserMarks(), silences: finder, connectors: [MemorySource(file: Written(disk: disk))]))
            owner = try sim.remote(id: "owner-1")
            try await play()
        }

        func play() async throws {
            await owner.play("lib:track/1", of: sim)
            try await until(sim) { [sim] in sim.player.playing != nil }
            // Its file names chapters, as books do.
            let entry = try #require(sim.player.playing)
            sim.player.tell(.chapters(entry, [0, 60_000].map { ChapterList.Mark(title: "", startMs: $0) }))
        }

        func trim(_ isOn: Bool) async throws {
            let begun = sim.player.begun.count
            owner.send(Commands.BookSet(trim: isOn))
            try await until(sim) { [sim] in (sim.player.loaded?.trim != nil) == isOn && sim.player.begun.count > begun }
        }
    }

    @Test func `a book goes on without them as soon as they are known, and with them when they are wanted again`() async throws {
        try await onLoop {
            let world = try await World()
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
            let world = try await World()
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
            let world = try await World()
            await world.owner.play("lib:track/2", of: world.sim)
            world.owner.send(Commands.BookSet(trim: true))
            try await until(world.sim) { world.sim.player.playing != nil && world.sim.hub.rooms.first.room.modes.trims }
            world.sim.time.pass(.seconds(1))
            await world.sim.settle()
            #expect(world.sim.player.loaded?.trim == nil && world.finder.looked.withLock(\.isEmpty))
        }
    }
}
