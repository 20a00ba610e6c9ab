import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import Companion

/// Parts that hear only of changes that touch what they look at do the same as if they heard of all.
@Suite struct `A part that is left out of a change misses nothing` {
    @Test func `what is told, kept and ordered is the same as if all parts heard of all changes`() async throws {
        try await onLoop {
            var (plays, places) = (0, 0)
            for seed in seedRange(usually: isSlow ? 200 : 12) {
                let left = try await FacetWorld.record(of: seed, tellsAll: false)
                let all = try await FacetWorld.record(of: seed, tellsAll: true)

                let difference = left.firstDifference(from: all)
                #expect(difference == nil, "BATON_SEED=\(seed): \(difference ?? "")")
                plays += left.plays.count
                places += left.places.count
            }
            // Else there was nothing to miss.
            #expect(plays > 0 && places > 0)
        }
    }
}

/// A hub with two remotes, of which much is asked while its disks fail and it is killed, in virtual time and from one seed.
@Loop
private final class FacetWorld {
    struct Record {
        /// The frames of all remotes, and how many each had after each step.
        var told: [String] = []
        var kept: [[Change]] = []
        var ordered: [String] = []
        var plays: [PlayedRow] = []
        var places: [ItemWithPlaces] = []

        func firstDifference(from other: Record) -> String? {
            first("told", told, other.told) ?? first("kept", kept, other.kept) ?? first("ordered", ordered, other.ordered)
                ?? first("plays", plays, other.plays) ?? first("places", places, other.places)
        }

        private func first<Element: Equatable>(_ name: String, _ mine: [Element], _ others: [Element]) -> String? {
            if let at = zip(mine, others).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset {
                return "\(name) \(at): \(mine[at]), and not \(others[at])"
            }
            return mine.count == others.count ? nil : "\(name): \(mine.count), and not \(others.count)"
        }
    }

    private static let main = RoomID("main")
    private static let bath = RoomID("bath")

    private let sim: SimulatedHub
    private let tellsAll: Bool
    private let userMarks = MemoryUserMarks()
    private let places = MemoryPlaces()
    private var random: SeededGenerator
    private var presses = 0
    /// Remotes of all hubs, of those that were killed, too.
    private var remotes: [TestRemote] = []
    private var here: [TestRemote] = []
    private var record = Record()

    static func record(of seed: UInt64, tellsAll: Bool) async throws -> Record {
        let world = try FacetWorld(seed, tellsAll: tellsAll)
        // What its hub does in the background does not outlive the world.
        defer { world.sim.kill() }
        return try await world.live()
    }

    private init(_ seed: UInt64, tellsAll: Bool) throws {
        self.tellsAll = tellsAll
        random = SeededGenerator(seed)
        sim = try SimulatedHub(trackMs: 30_000, library: LibraryParts(userMarks: userMarks, places: places))
        // What plays is spoken, but in every fourth world.
        if seed % 4 != 3 { sim.chapters = [0, 10_000, 20_000].map { ChapterList.Mark(title: "", startMs: $0) } }
        sim.journal.onKept = { [weak self] in self?.record.kept.append($0) }
        sim.onOrder = { [weak self] room, order in
            guard let self else { return }
            record.ordered.append("\(sim.time.nowUs) \(room): \(order)")
        }
        try restart()
    }

    private func restart() throws {
        sim.journal.fault = nil
        try sim.restart()
        sim.hub.observers.tellsAll = tellsAll
        here = [try sim.remote(id: "ana-1"), try sim.remote(.watch, id: "ben-1")]
        remotes += here
    }

    private func live() async throws -> Record {
        press(Commands.RoomCreate("Bath"))
        press(Commands.Play(ItemURI("file:track/album:5")))
        for _ in 0..<100 {
            try happen()
            // Mostly no whole milliseconds.
            await sim.time.passQuietly(.microseconds(random.number(0..<6_000_000)))
            record.told.append("\(sim.time.nowUs): \(remotes.map(\.frames.count))")
            for live in sim.hub.rooms.all {
                #expect(live.sleepDueUs == live.room.sleepDueUs && live.chapterDueUs == live.room.chapterDueUs)
            }
        }
        sim.journal.fault = nil
        places.fail(with: nil)
        await sim.time.passQuietly(.seconds(60))
        record.told += remotes.flatMap(\.frames)
        record.plays = try userMarks.history(PageWindow(limit: 1000))
        record.places = try places.placed(by: .home, isFinished: false, PageWindow(limit: 1000))
        record.places += try places.placed(by: .home, isFinished: true, PageWindow(limit: 1000))
        return record
    }

    private func press(_ command: some WireCommand) {
        presses += 1
        let room = random.chance(85) || sim.hub.rooms[Self.bath] == nil ? Self.main : Self.bath
        random.one(of: here).send(command, key: "press-\(presses)", room: room)
    }

    private func happen() throws {
        let room = sim.hub.rooms.first.room
        switch random.number(0..<100) {
        case 0..<26: press(Commands.VolumeSet(random.number(0..<101)))
        case 26..<30: press(Commands.VolumeMute(random.chance(50)))
        case 30..<34: press(Commands.RoomRename(Self.main, name: random.one(of: ["Attic", "Hall"])))
        case 34..<37: press(Commands.VoteRule(random.one(of: [0, 500, 1000])))
        case 37..<40: if let entry = room.queue.current { press(Commands.VoteSkip(entry)) }
        case 40..<46: press(Commands.Pause())
        case 46..<55: press(Commands.Play())
        case 55..<60: press(Commands.Seek(positionMs: random.ms(0..<30_000)))
        case 60..<63: press(Commands.Next())
        case 63..<66: press(Commands.QueueAdd([ItemURI("file:track/song-\(presses)")], place: random.chance(50) ? .end : .next))
        case 66..<69: press(Commands.Play(ItemURI("file:track/album:\(random.number(2..<6))")))
        case 69..<74: press(Commands.ModeSet(speed: random.one(of: [500, 1000, 1250, 1333, 2000])))
        case 74..<76:
            let (repeats, single) = random.one(of: [(false, ModeSwitch.off), (true, .on), (true, .off), (false, .once)])
            press(Commands.ModeSet(repeat: repeats, shuffle: random.chance(50), single: single))
        case 76..<79: press(Commands.SleepSet(SleepWish(.time, amount: random.number(1000..<60_000), fadeMs: random.ms(0..<9000))))
        case 79..<81: press(Commands.SleepSet(SleepWish(random.one(of: [.chapter, .track]), amount: random.number(1..<3))))
        case 81: press(Commands.SleepClear())
        case 82..<84: press(Commands.BookChapter(steps: random.one(of: [-1, 1])))
        case 84..<86: if let uri = room.currentEntry?.uri { press(Commands.ProgressReset(uri)) }
        case 86: if let uri = room.currentEntry?.uri { press(Commands.ProgressFinish(uri)) }
        case 87..<89: press(Commands.RoomSet(room: Self.main, ceiling: random.number(30..<101)))
        case 89..<91: press(Commands.RoomMove(random.chance(50) ? Self.main : Self.bath, keep: random.chance(50)))
        case 91..<94: places.fail(with: random.chance(50) ? SourceFault(.unavailable, "The hub's disk does not answer.") : nil)
        case 94..<97: sim.journal.fault = random.chance(50) ? JournalFault(.full, "The disk is full.") : nil
        case 97: try restart()
        default: press(Commands.QueueUndo())
        }
    }
}
