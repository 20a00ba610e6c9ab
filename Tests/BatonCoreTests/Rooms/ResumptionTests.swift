import BatonCore
import Testing

/// Where speech goes on after a pause. BT-BOK-003
struct ResumptionTests {
    private static func book(at positionMs: Milliseconds, chapters: Int = 3) throws -> LiveRoom {
        var live = try LiveRoom.playing(0, of: 2)
        live.hear(.chapters(live.ids[0], (0..<chapters).map { ChapterList.Mark(title: "\($0)", startMs: Milliseconds($0 * 50_000)) }))
        live.pass(ms: positionMs)
        live.orders = []
        return live
    }

    @Test(arguments: [
        (9_999, 0), (10_000, 3_000), (59_999, 3_000), (60_000, 10_000), (3_599_999, 10_000), (3_600_000, 20_000), (86_399_999, 20_000),
        (86_400_000, 30_000), (900_000_000, 30_000),
    ])
    func `the longer the pause, the further back`(pauseMs: Milliseconds, backMs: Milliseconds) throws {
        var live = try Self.book(at: 100_000)
        try live.ask(.pause)
        live.pause(ms: pauseMs)

        try live.ask(.play())

        #expect(live.positionMs == 100_000 - backMs)
        #expect(live.orders == [.setPaused(true)] + (backMs > 0 ? [.seek(toMs: 100_000 - backMs)] : []) + [.setPaused(false)])
    }

    @Test func `music goes on exactly where it was`() throws {
        var live = try Self.book(at: 100_000, chapters: 0)
        try live.ask(.pause)
        live.pause(ms: 86_400_000)
        try live.ask(.play())
        #expect(live.positionMs == 100_000)
    }

    @Test func `an episode is speech, whatever its file says`() throws {
        var live = try LiveRoom()
        var tags = Tags(title: "Episode 1", durationMs: 600_000)
        tags.kind = .episode
        try live.ask(.add([NewEntry(uri: ItemURI("pod:episode/1"), tags: tags)], at: .end))
        try live.ask(.jump(live.ids[0]))
        live.hear(.began(live.ids[0]))
        live.pass(ms: 100_000)
        try live.ask(.pause)
        live.pause(ms: 60_000)
        try live.ask(.play())
        #expect(live.positionMs == 90_000)
    }

    @Test func `a sought place is heard from there, and a named one too`() throws {
        var live = try Self.book(at: 100_000)
        try live.ask(.seek(entry: nil, toMs: 60_000))
        live.pass(ms: 4000)
        try live.ask(.pause)
        live.pause(ms: 3_600_000)
        try live.ask(.play())
        #expect(live.positionMs == 60_000)

        try live.ask(.pause)
        live.pause(ms: 3_600_000)
        try live.ask(.play(positionMs: 90_000))
        #expect(live.positionMs == 90_000)
    }

    @Test func `pausing twice without listening goes back once`() throws {
        var live = try Self.book(at: 100_000)
        for _ in 0..<5 {
            try live.ask(.pause)
            live.pause(ms: 3_600_000)
            try live.ask(.play())
            #expect(live.positionMs == 80_000)
        }
    }

    @Test func `a sleeper is taken back too, also at the end of a chapter`() throws {
        var live = try Self.book(at: 20_000)
        try live.ask(.setSleep(SleepWish(.chapter)))
        live.pass(ms: 30_000)
        live.hear(.ended(live.ids[0]))
        #expect(live.state == .paused && live.positionMs == 50_000)
        live.pause(ms: 8 * 3_600_000)

        try live.ask(.play())

        #expect(live.positionMs == 30_000)
    }

    @Test func `the room that goes on takes the pause along`() throws {
        var live = try Self.book(at: 100_000)
        try live.ask(.pause)
        var other = Room(id: RoomID("kitchen"), name: "Kitchen")
        live.pause(ms: 60_000)
        _ = try other.takeOver(live.room, copying: false, by: nil, at: live.now, numbers: &live.numbers)
        _ = try other.apply(.play(), at: live.now, numbers: &live.numbers)
        #expect(other.positionMs(at: live.now) == 90_000)
    }

    @Test(arguments: seeds) func `no press of play leads forward, behind a seek, or further back than half a minute`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var live = try Self.book(at: 0)
        var soughtMs: Milliseconds = 0
        for _ in 0..<60 {
            switch random.number(0..<4) {
            case 0:
                soughtMs = Milliseconds(random.number(0..<180_000))
                try live.ask(.seek(entry: nil, toMs: soughtMs))
            case 1: try live.ask(.pause)
            case 2: live.pause(ms: random.one(of: [500, 20_000, 600_000, 9_000_000, 99_000_000]))
            default:
                let before = live.positionMs
                try live.ask(.play())
                #expect(live.positionMs <= before && live.positionMs >= min(soughtMs, before), "\(seed)")
                #expect(before - live.positionMs <= 30_000, "\(seed)")
                live.pass(ms: Milliseconds(random.number(0..<3000)))
            }
            if live.positionMs > 170_000 {
                soughtMs = 0
                try live.ask(.seek(entry: nil, toMs: 0))
            }
        }
    }
}

extension LiveRoom {
    /// Time passes on all clocks; the room is paused, or nothing is said of its position.
    fileprivate mutating func pause(ms: Milliseconds) {
        now.steadyMs += ms
        guard state == .paused else { return }
        pass(ms: ms)
    }
}
