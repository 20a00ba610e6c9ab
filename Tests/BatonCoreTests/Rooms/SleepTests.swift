import BatonCore
import Testing

/// The sleep timer, in the words of a person who falls asleep.
struct SleepTests {
    /// A track of three minutes plays, and has chapters of one minute.
    private static func book(_ wish: SleepWish, at positionMs: Milliseconds = 0) throws -> LiveRoom {
        var live = try LiveRoom.playing(0, of: 3)
        live.hear(.chapters(live.ids[0], [0, 60_000, 120_000].map { ChapterList.Mark(title: "\($0)", startMs: $0) }))
        try live.ask(.seek(entry: nil, toMs: positionMs))
        live.orders = []
        try live.ask(.setSleep(wish))
        return live
    }

    @Test func `minutes count while it plays, and stay while it is paused`() throws {
        var live = try Self.book(SleepWish(.time, amount: 100_000))
        live.pass(ms: 40_000)
        try live.ask(.pause)
        #expect(live.room.sleepDueUs == nil && live.room.sleep?.line.rate == 0 && live.leftMs == 60_000)
        live.pass(ms: 3_600_000)
        try live.ask(.play())
        #expect(live.leftMs == 60_000)

        live.pass(ms: 60_000)
        let outcome = live.sleepIsDue()

        #expect(live.state == .paused && live.positionMs == 100_000 && live.room.sleep == nil)
        #expect(outcome.orders == [.setPaused(true)] && outcome.touched.isSuperset(of: [.sleep, .timeline]))
    }

    /// BT-SLP-007
    @Test func `three places are remembered: where it ended, where it was set, and the last press`() throws {
        var live = try Self.book(SleepWish(.time, amount: 100_000), at: 10_000)
        #expect(live.room.sleepPositions.asleep == nil)
        live.pass(ms: 30_000)
        try live.ask(.setLevel(20))
        live.pass(ms: 70_000)
        live.now.wallMs = 77
        _ = live.sleepIsDue()

        let entry = live.ids[0]
        let asleep = SleepPositions.Asleep(
            ended: HeardPoint(entry, positionMs: 110_000), began: HeardPoint(entry, positionMs: 10_000),
            pressed: HeardPoint(entry, positionMs: 40_000), atMs: 77)
        #expect(live.room.sleepPositions.asleep == asleep)
        try live.ask(.play())
        #expect(live.room.sleepPositions.asleep == asleep, "a press afterwards moves none of them")
        try live.ask(.seek(entry: nil, toMs: 20_000))
        #expect(live.room.sleepPositions.asleep?.isOffered == false, "the person has found a place")
        try live.ask(.setSleep(SleepWish(.queue)))
        #expect(live.room.sleepPositions.asleep == nil)
    }

    /// BT-SLP-008
    @Test func `the places are offered until a person has gone to one, dismissed them, or listened on into the next entry`() throws {
        func fallenAsleep() throws -> LiveRoom {
            var live = try Self.book(SleepWish(.time, amount: 50_000))
            live.pass(ms: 50_000)
            _ = live.sleepIsDue()
            try live.ask(.play())
            try live.ask(.skip(entry: nil, byMs: -15_000))
            try live.ask(.pause)
            try live.ask(.setLevel(10))
            #expect(live.room.sleepPositions.asleep?.isOffered == true)
            return live
        }
        let presses: [Command] = [
            .next(from: nil), .previous(from: nil), .stop, .seek(entry: nil, toMs: 5), .clear(base: nil, keep: .none), .clearSleep,
        ]
        for press in presses {
            var live = try fallenAsleep()
            try live.ask(press)
            #expect(live.room.sleepPositions.asleep?.isOffered == false, "\(press)")
        }
        var live = try fallenAsleep()
        try live.ask(.next(from: EntryID(999)))
        #expect(live.room.sleepPositions.asleep?.isOffered == true, "what changed nothing decides nothing")
        try live.ask(.play())
        live.hear(.began(live.ids[1]))
        #expect(live.current == live.ids[1] && live.room.sleepPositions.asleep?.isOffered == false)
    }

    /// BT-SLP-007
    @Test func `at the end of an entry it is that entry in which the timer ended`() throws {
        var live = try Self.book(SleepWish(.track), at: 10_000)
        live.pass(ms: 170_000)
        live.hear(.ended(live.ids[0]))
        #expect(live.room.sleepPositions.asleep?.ended == HeardPoint(live.ids[0], positionMs: 180_000))
        #expect(live.current == live.ids[1])
        #expect(live.room.sleepPositions.asleep?.isOffered == true)
    }

    @Test func `a fade ends in silence, and what faded is played again`() throws {
        var live = try Self.book(SleepWish(.time, amount: 60_000, fadeMs: 20_000))
        let level = live.room.volume
        live.pass(ms: 40_000)
        #expect(live.sleepIsDue().orders == [.fade(overMs: 20_000)])
        live.pass(ms: 20_000)

        let orders = live.sleepIsDue().orders

        #expect(orders == [.setPaused(true), .seek(toMs: 40_000), .endFade])
        #expect(live.state == .paused && live.positionMs == 40_000 && live.room.volume == level)
    }

    @Test(arguments: [Command.play(), .stepLevel(by: 1), .setLevel(100), .skip(entry: nil, byMs: -5000), .setMute(false)])
    func `any press during the fade brings the sound back and gives more time`(press: Command) throws {
        var live = try Self.book(SleepWish(.time, amount: 60_000, fadeMs: 20_000))
        live.pass(ms: 45_000)
        live.sleepIsDue()

        let outcome = try live.ask(press)

        #expect(outcome.orders.first == .endFade && outcome.status == .applied && outcome.touched.contains(.sleep))
        #expect(live.leftMs == SleepTimer.extensionMs && live.state == .playing)
        #expect(live.room.sleepDueUs == live.now.us + Microseconds(SleepTimer.extensionMs - 20_000))
    }

    @Test func `the player ends with the chapter, and the room waits at the next one`() throws {
        var live = try Self.book(SleepWish(.chapter), at: 70_000)
        #expect(live.orders == [.stopAt(PlayerStop(entry: live.ids[0], atMs: 120_000)), .followWithNothing])
        live.pass(ms: 49_900)

        let outcome = live.hear(.ended(live.ids[0]))

        #expect(live.state == .paused && live.positionMs == 120_000 && live.room.sleep == nil)
        #expect(outcome.orders.allSatisfy { $0.loads == nil && $0.follows == nil })
        #expect(try live.ask(.play()).orders.first?.loads == live.ids[0])
    }

    @Test(arguments: [58_500, 59_900])
    func `a player that does not end with the chapter is paused a moment later, however late the stop was set`(setAtMs: Milliseconds) throws
    {
        let live = try Self.book(SleepWish(.chapter), at: setAtMs)

        #expect(live.room.sleepDueUs == live.now.us + Microseconds(60_000 - setAtMs + 300))
    }

    @Test func `a seek counts chapters anew from where it led`() throws {
        var live = try Self.book(SleepWish(.chapter, amount: 2), at: 5000)
        #expect(live.orders.first == .stopAt(PlayerStop(entry: live.ids[0], atMs: 120_000)))
        live.pass(ms: 60_000)

        try live.ask(.seek(entry: nil, toMs: 3000))

        #expect(live.room.sleep?.count == 1, "one of the two was heard to its end")
        #expect(live.orders.suffix(2) == [.stopAt(PlayerStop(entry: live.ids[0], atMs: 60_000)), .seek(toMs: 3000)])
    }

    @Test func `the last chapter ends with the entry, and nothing follows it`() throws {
        var live = try Self.book(SleepWish(.chapter), at: 130_000)
        #expect(live.orders == [.followWithNothing])
        live.pass(ms: 49_900)

        live.hear(.ended(live.ids[0]))

        #expect(live.state == .stopped && live.currentTitle == "1" && live.room.sleep == nil)
    }

    @Test func `chapters are counted over the ends of entries, and a skip is no end`() throws {
        var live = try Self.book(SleepWish(.chapter, amount: 3), at: 130_000)
        live.hear(.began(live.ids[1]))
        #expect(live.room.sleep?.count == 2)
        try live.ask(.next(from: nil))
        live.hear(.began(live.ids[2]))

        #expect(live.room.sleep?.count == 2)
    }

    @Test func `tracks and the queue end where they should, also when all is repeated`() throws {
        var live = try Self.book(SleepWish(.track, amount: 2))
        #expect(live.orders.isEmpty)
        live.hear(.began(live.ids[1]))
        #expect(live.orders == [.followWithNothing])
        try live.ask(.setModes(ModeChange(repeat: true)))
        try live.ask(.setSleep(SleepWish(.queue)))
        #expect(live.orders.last == .follow(live.ids[2], ItemURI("file:track/2")))
        live.hear(.began(live.ids[2]))
        live.orders = []

        live.hear(.ended(live.ids[2]))

        #expect(live.state == .stopped && live.currentTitle == "0" && live.room.sleep == nil)
    }

    @Test func `a station has no end, and an empty queue nothing to fall asleep to`() throws {
        var empty = try LiveRoom()
        #expect(throws: Refusal.self) { try empty.ask(.setSleep(SleepWish(.time, amount: 60_000))) }
        try empty.ask(.add(.station, at: .end))
        try empty.ask(.play())
        #expect(throws: Refusal.self) { try empty.ask(.setSleep(SleepWish(.track))) }
        #expect(try empty.ask(.setSleep(SleepWish(.time, amount: 60_000))).status == .applied)
    }

    @Test func `what was told to the player is taken back with the timer`() throws {
        var live = try Self.book(SleepWish(.chapter))

        let outcome = try live.ask(.clearSleep)

        #expect(outcome.orders == [.stopAt(nil), .follow(live.ids[1], ItemURI("file:track/1"))] && live.room.sleep == nil)
        #expect(try live.ask(.clearSleep) == .noop(.same))
    }

    @Test func `a timer that is taken back a moment before its end loses nothing of the chapter behind it`() throws {
        var live = try Self.book(SleepWish(.chapter), at: 59_000)
        live.pass(ms: 900)
        try live.ask(.clearSleep)
        live.pass(ms: 100)

        // The player had the sound up to there.
        let orders = live.hear(.ended(live.ids[0])).orders

        #expect(orders.first?.loads == live.ids[0] && live.positionMs == 60_000 && live.currentTitle == "0")
    }

    @Test func `the timer goes along to another room`() throws {
        var live = try Self.book(SleepWish(.time, amount: 60_000))
        live.pass(ms: 20_000)
        var other = Room(id: RoomID("bed"), name: "Bedroom")

        _ = try other.takeOver(live.room, copying: false, by: nil, at: live.now, numbers: &live.numbers)
        _ = live.room.handOver(keeping: false, at: live.now)

        #expect(other.sleep?.line.leftMs(atUs: live.now.us) == 40_000 && live.room.sleep == nil)
    }
}

/// Laws of the sleep timer, tried with people who press everything.
struct SleepPropertyTests {
    /// BT-SLP-002 BT-SLP-004
    @Test(arguments: seeds) func `a room falls silent after as much listening as was asked for, whatever is pressed`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var live = try LiveRoom.playing(0, of: 40)
        let wanted = random.number(30_000..<3_000_000)
        try live.ask(.setSleep(SleepWish(.time, amount: wanted)))
        var listened = 0

        while live.room.sleep != nil {
            #expect(listened <= wanted, "\(seed)")
            switch random.number(0..<8) {
            case 0: try live.ask(.pause)
            case 1: try live.ask(.setModes(ModeChange(speed: random.one(of: [500, 1000, 1750, 3000]))))
            case 2: try live.ask(.seek(entry: nil, toMs: Milliseconds(random.number(0..<170_000))))
            case 3: try live.ask(.next(from: nil))
            case 4: live.restart()
            default: try live.ask(.play())
            }
            if live.state == .stopped { try live.ask(.jump(live.ids[0])) }
            if live.state == .buffering { live.hear(.began(live.current!)) }
            var span = random.number(0..<90_000)
            if live.state == .playing {
                span = min(span, wanted - listened)
                listened += span
            }
            live.pass(ms: Milliseconds(span))
            live.sleepIsDue()
        }

        #expect(live.state == .paused && abs(listened - wanted) <= 20, "\(seed): \(listened) of \(wanted)")
    }

    /// BT-SLP-003
    @Test(arguments: seeds) func `nothing is heard behind the end that was asked for`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var live = try LiveRoom.playing(0, of: 6)
        let starts = (0..<random.number(1..<9)).map { _ in random.number(0..<180_000) }
        live.hear(.chapters(live.ids[0], starts.map { ChapterList.Mark(title: "", startMs: Milliseconds($0)) }))
        try live.ask(.setSleep(SleepWish(random.one(of: [.chapter, .track, .queue]), amount: random.number(1..<5))))

        for _ in 0..<400 where live.room.sleep != nil {
            let order = random.number(0..<20)
            if order == 0 { try live.ask(.seek(entry: nil, toMs: Milliseconds(random.number(0..<180_000)))) }
            if order == 1 { try live.ask(.setModes(ModeChange(speed: random.one(of: [500, 1000, 2000])))) }
            if order == 2 { try live.ask(.pause) }
            if order == 3 { live.restart() }
            if live.state != .playing { try live.ask(.play()) }
            if live.state == .buffering { live.hear(.began(live.current!)) }
            guard live.room.sleep != nil else { break }
            live.playOn(ms: Milliseconds(random.number(1..<40_000)))
            #expect(live.state != .playing || live.positionMs <= live.endMs, "\(seed)")
        }

        #expect(live.room.sleep == nil && live.state != .playing && live.state != .buffering, "\(seed)")
    }

    @Test(arguments: seeds) func `chapters are in order and without a gap, whatever a file says`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let marks = (0..<random.number(0..<60)).map { ChapterList.Mark(title: "\($0)", startMs: Milliseconds(random.number(0..<2000))) }
        let list = ChapterList(marks, durationMs: 1500)

        #expect(list.marks.first?.startMs ?? 0 == 0 && list.marks.allSatisfy { $0.startMs < 1500 }, "\(seed)")
        #expect(zip(list.marks, list.marks.dropFirst()).allSatisfy { $0.startMs < $1.startMs }, "\(seed)")
        for position in stride(from: 0, to: 1500, by: 7).map({ Milliseconds($0) }) where !list.isEmpty {
            let index = list.index(atMs: position)!
            let chapter = list.chapter(index, durationMs: 1500)!
            #expect((chapter.startMs..<chapter.endMs).contains(position), "\(seed)")
            #expect(list.ends(afterMs: position).count == list.count - 1 - index, "\(seed)")
        }
    }

    @Test func `ten thousand chapters and more are no burden`() {
        let list = ChapterList((0..<20_000).map { ChapterList.Mark(title: "", startMs: Milliseconds($0 * 10)) })

        #expect(list.count == ChapterList.most && list.index(atMs: 50_005) == 5000)
    }
}

extension LiveRoom {
    fileprivate var leftMs: Milliseconds? { room.sleep?.line.leftMs(atUs: now.us) }

    @discardableResult
    fileprivate mutating func sleepIsDue() -> Outcome {
        let outcome = room.sleepIsDue(at: now)
        orders += outcome.orders
        return outcome
    }

    /// The hub is killed and comes back.
    fileprivate mutating func restart() {
        let kept = room.sleep?.wish(at: now)
        let found = room.chapters
        room = Room(
            id: room.id, name: room.name, queue: room.queue, modes: room.modes, positionMs: positionMs, volume: room.volume, sleep: kept,
            at: now)
        orders = []
        if let current, !found.isEmpty { hear(.chapters(current, found.marks)) }
    }

    /// Where the player was told to end the current entry, or its end.
    fileprivate var endMs: Milliseconds {
        let stop = orders.compactMap { order -> PlayerStop?? in if case .stopAt(let stop) = order { .some(stop) } else { nil } }.last
        return (stop ?? nil).flatMap { $0.entry == current ? $0.atMs : nil } ?? room.currentEntry?.tags.durationMs ?? 0
    }

    private var follower: EntryID? {
        for order in orders.reversed() {
            if order.follows != nil { return order.follows }
            if order == .followWithNothing || order.loads != nil { return nil }
        }
        return nil
    }

    /// The player plays on for so long, to its end and into what follows.
    fileprivate mutating func playOn(ms: Milliseconds) {
        let untilEnd = max(0, endMs - positionMs) * 1000 / room.modes.speed
        guard ms > untilEnd else { return pass(ms: ms) }
        pass(ms: untilEnd)
        if endMs == room.currentEntry?.tags.durationMs, let follower {
            hear(.began(follower))
        } else {
            hear(.ended(current!))
        }
    }
}
