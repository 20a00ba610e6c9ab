import BatonCore
import Testing

/// Chapters of what plays. BT-BOK-001 BT-BOK-002
struct ChapterTests {
    private static let starts: [Milliseconds] = [0, 60_000, 120_000]

    private static func book(at positionMs: Milliseconds = 0) throws -> LiveRoom {
        var live = try LiveRoom.playing(0, of: 2)
        live.hear(.chapters(live.ids[0], starts.map { ChapterList.Mark(title: "\($0)", startMs: $0) }))
        try live.ask(.seek(entry: nil, toMs: positionMs))
        live.orders = []
        return live
    }

    @Test(arguments: [
        (70_000, ChapterTarget.number(3), 120_000), (70_000, .number(1), 0), (70_000, .by(1), 120_000), (70_000, .by(-1), 60_000),
        (62_000, .by(-1), 0), (62_000, .by(0), 60_000),
    ])
    func `a press goes to the beginning of a chapter`(from: Milliseconds, target: ChapterTarget, to: Milliseconds) throws {
        var live = try Self.book(at: from)

        let outcome = try live.ask(.chapter(entry: live.ids[0], target))

        #expect(outcome.orders == [.seek(toMs: to)] && live.positionMs == to && outcome.reason == nil)
    }

    @Test func `before the first is the first, and behind the last is nothing`() throws {
        var live = try Self.book(at: 125_000)
        #expect(try live.ask(.chapter(entry: nil, .by(1))) == .noop(.ceiling))
        #expect(try live.ask(.chapter(entry: nil, .by(-9))).reason == .floor && live.positionMs == 0)
        #expect(try live.ask(.chapter(entry: nil, .number(9))).reason == .ceiling && live.positionMs == 120_000)
        #expect(try live.ask(.chapter(entry: live.ids[1], .number(1))) == .noop(.moved))
    }

    @Test func `what has no chapters says so`() throws {
        var live = try LiveRoom.playing(0, of: 1)

        #expect(throws: Refusal.self) { try live.ask(.chapter(entry: nil, .number(1))) }
    }

    @Test func `the chapter that is heard is shown when it changes, and at no other time`() throws {
        var live = try Self.book(at: 55_000)
        #expect(live.room.shownChapter == 0 && live.room.chapterDueUs == live.now.us + 5_000_000)
        live.pass(ms: 4999)
        #expect(live.room.chapterIsDue(at: live.now) == .noop(.same))
        live.pass(ms: 1)
        let outcome = live.room.chapterIsDue(at: live.now)
        #expect(outcome.touched == [.book] && !outcome.mustBeStored && live.room.shownChapter == 1)

        #expect(try live.ask(.seek(entry: nil, toMs: 130_000)).touched.contains(.book) && live.room.chapterDueUs == nil)
        #expect(try !live.ask(.seek(entry: nil, toMs: 140_000)).touched.contains(.book))
        #expect(try live.ask(.next(from: nil)).touched.contains(.book) && live.room.shownChapter == nil)
    }

    @Test(arguments: seeds) func `a room names the chapter of its position, whatever happens`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var live = try Self.book()
        for _ in 0..<60 {
            switch random.number(0..<7) {
            case 0: try live.ask(.pause)
            case 1: try live.ask(.setModes(ModeChange(speed: random.one(of: [500, 1000, 3000]))))
            case 2: try live.ask(.seek(entry: nil, toMs: Milliseconds(random.number(0..<180_000))))
            case 3: _ = try live.ask(.chapter(entry: nil, .by(random.number(-3..<4))))
            default: try live.ask(.play())
            }
            // The hub wakes the room when a chapter begins.
            let untilUs = live.now.us + Microseconds(random.number(0..<30_000) * 1000)
            for _ in 0..<9 {
                guard let due = live.room.chapterDueUs, due <= untilUs else { break }
                live.now.us = max(due, live.now.us)
                #expect(live.room.chapterIsDue(at: live.now).touched == [.book], "\(seed)")
            }
            live.now.us = untilUs
            #expect(live.room.shownChapter == live.room.chapterIndex(at: live.now), "\(seed)")
        }
    }
}
