import BatonCore
import Testing

/// Undo of edits by any user, also after later changes.
struct UndoTests {
    @Test func `a cleared queue comes back where it was`() throws {
        var live = try LiveRoom.playing(2, of: 4)
        live.pass(ms: 40_000)
        let (ids, current) = (live.ids, live.current)
        try live.ask(.clear(base: nil, keep: .none), by: "Ana")
        #expect(live.room.queue.history.undoable?.kind == .clear)

        let outcome = try live.ask(.undo, by: "Ben")

        #expect(live.ids == ids && live.current == current && outcome.added == ids)
        #expect(live.state == .paused && live.positionMs == 40_000 && !live.room.isUnderWay)
        try live.ask(.play())
        #expect(live.orders.last { $0.loads != nil } == .load(current!, live.room.currentEntry!.uri, fromMs: 40_000, paused: false))
    }

    @Test func `what was added to the cleared queue stays, and goes on playing`() throws {
        var live = try LiveRoom.playing(1, of: 3)
        try live.ask(.clear(base: nil, keep: .none))
        try live.ask(.add(.tracks(2, from: 10), at: .end))
        try live.ask(.play())
        live.hear(.began(live.current!))
        live.pass(ms: 9000)
        live.orders = []

        try live.ask(.undo)

        // Behind what played before, so that what would have come next comes next.
        #expect(live.titles == ["0", "1", "10", "11", "2"] && live.currentTitle == "10")
        #expect(live.state == .playing && live.positionMs == 9000)
        #expect(live.orders.allSatisfy { $0.loads == nil })
    }

    @Test func `a replaced queue comes back around what plays`() throws {
        var live = try LiveRoom.playing(1, of: 3)
        try live.ask(.replace(base: nil, with: .tracks(3, from: 10), start: 1, positionMs: 0, play: true), by: "Ben")
        try live.ask(.add(.tracks(1, from: 20), at: .end), by: "Ana")
        live.orders = []

        try live.ask(.undo)

        #expect(live.titles == ["0", "1", "11", "20", "2"] && live.currentTitle == "11")
        #expect(live.orders == [.follow(live.ids[3], ItemURI("file:track/20"))])
        #expect(live.orders.allSatisfy { $0.loads == nil })
    }

    @Test func `a removed entry comes back behind its neighbour, whatever was added there since`() throws {
        var live = try LiveRoom.playing(0, of: 4)
        let ids = live.ids
        try live.ask(.remove([ids[1], ids[2]]))
        try live.ask(.add(.tracks(1, from: 9), at: .next))
        try live.ask(.add(.tracks(1, from: 10), at: .end))

        let outcome = try live.ask(.undo)

        #expect(live.titles == ["0", "1", "2", "9", "3", "10"])
        #expect(Array(live.ids[1...2]) == Array(ids[1...2]) && outcome.added == Array(ids[1...2]))
        #expect(outcome.changes.first == .restored(Array(live.room.queue.entries[1...2]), after: ids[0]))
    }

    @Test func `removing what plays and taking that back leaves what plays now`() throws {
        var live = try LiveRoom.playing(1, of: 3)
        try live.ask(.remove([live.ids[1]]))
        live.hear(.began(live.current!))
        live.pass(ms: 5000)

        try live.ask(.undo)

        #expect(live.titles == ["0", "1", "2"] && live.currentTitle == "2" && live.positionMs == 5000 && live.state == .playing)
    }

    @Test func `moves and shuffles go back, and what was added behind a moved entry stays behind it`() throws {
        var live = try LiveRoom.playing(0, of: 6)
        let ids = live.ids
        try live.ask(.shuffle(base: nil))
        try live.ask(.move([ids[0]], to: .end))
        try live.ask(.add(.tracks(1, from: 9), at: .after(ids[3])))

        try live.ask(.undo)
        try live.ask(.undo)

        #expect(live.titles == ["0", "1", "2", "3", "9", "4", "5"])
    }

    @Test func `in a shuffled room the plain order comes back too, and the other way round`() throws {
        for turns in [true, false] {
            var live = try LiveRoom.playing(0, of: 6)
            if turns { try live.ask(.setModes(NamedMode.shuffle.change)) }
            try live.ask(.remove([EntryID(4), EntryID(3)]))
            try live.ask(.setModes((turns ? NamedMode.once : .shuffle).change))

            try live.ask(.undo)
            if !turns { try live.ask(.setModes(NamedMode.once.change)) }

            #expect(live.titles == ["0", "1", "2", "3", "4", "5"])
        }
    }

    @Test func `twenty edits deep and no deeper, and what is lost is named`() throws {
        var live = try LiveRoom(tracks: 30)
        var forgotten: [EntryID] = []
        for id in live.ids.prefix(25) {
            for case .forgotten(let ids) in try live.ask(.remove([id])).changes { forgotten += ids }
        }

        for _ in 0..<20 { try live.ask(.undo) }

        #expect(live.titles == (5..<30).map(String.init) && forgotten.map(\.number) == Array(1...5))
        #expect(throws: Refusal.self) { try live.ask(.undo) }
        #expect(live.room.queue.history.undoable == nil)
    }

    @Test func `a day later an edit is history`() throws {
        var live = try LiveRoom(tracks: 3)
        try live.ask(.remove([live.ids[0]]))
        live.now.steadyMs += QueueHistory.lifeMs + 1

        let outcome = try live.ask(.add(.tracks(1), at: .end))

        #expect(outcome.changes.contains(.forgotten([EntryID(1)])))
        #expect(throws: Refusal.self) { try live.ask(.undo) }
        #expect(live.room.queue.history.edits.map(\.kind) == [.add, .remove, .add])
    }

    @Test(arguments: [400, -400]) func `setting the wall clock makes no edit older`(days: Int) throws {
        var live = try LiveRoom(tracks: 3)
        try live.ask(.remove([live.ids[0]]))
        live.now.wallMs += Milliseconds(days * 86_400_000)

        let outcome = try live.ask(.remove([live.ids[0]]))
        try live.ask(.undo)
        try live.ask(.undo)

        #expect(!outcome.changes.contains(.forgotten([EntryID(1)])))
        #expect(live.titles == ["0", "1", "2"])
    }

    @Test func `what was taken back no longer fits a full queue, and nothing changes`() throws {
        var live = try LiveRoom(tracks: 2)
        try live.ask(.remove([live.ids[0]]))
        try live.ask(.add(.tracks(PlaybackQueue.limit - 1), at: .end))
        let before = live.room

        #expect(throws: Refusal.self) { try live.ask(.undo) }
        #expect(live.room == before)
    }

    @Test func `history tells who did what to how many`() throws {
        var live = try LiveRoom(tracks: 5)
        live.now.wallMs = 1_700_000_000_000
        try live.ask(.remove([live.ids[0], live.ids[1]]), by: "Ana")
        try live.ask(.undo, by: "Ben")

        let edits = live.room.queue.history.edits
        #expect(edits.map(\.kind) == [.add, .remove, .undo] && edits.map(\.author) == [nil, "Ana", "Ben"])
        #expect(edits.map(\.count) == [5, 2, 2] && edits.last?.atMs == 1_700_000_000_000)
        #expect(edits.allSatisfy { $0.undo == nil })
    }

    @Test func `history remembers only so much`() throws {
        var live = try LiveRoom()
        for _ in 0..<200 { try live.ask(.add(.tracks(1), at: .end)) }
        try live.ask(.clear(base: nil, keep: .none))
        for _ in 0..<200 { try live.ask(.add(.tracks(1), at: .end)) }

        #expect(live.room.queue.history.edits.count == QueueHistory.rememberedOnly + 1)
        #expect(live.room.queue.history.undoable?.kind == .clear)
    }

    // MARK: Laws

    @Test(arguments: seeds) func `an edit and taking it back is no edit at all, when nothing happened in between`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let count = random.number(1..<12)
        var live = try random.chance(50) ? LiveRoom.playing(random.number(0..<count), of: count) : LiveRoom(tracks: count)
        if random.chance(40) { try live.ask(.setModes(NamedMode.shuffle.change)) }
        let wasPlaying = live.room.isUnderWay

        for _ in 0..<20 {
            live.now.random = random.next()
            live.now.us += 1_000_000
            let before = live
            let edit = draw(&random, live)
            guard let outcome = try? live.ask(edit), outcome.status == .applied else { continue }

            try live.ask(.undo)

            let plays = live.room.isUnderWay
            let guest = plays && !before.ids.contains(live.current!) ? live.current : nil
            #expect(live.ids.filter { $0 != guest } == before.ids)
            #expect(live.room.queue.unshuffled?.filter { $0 != guest } == before.room.queue.unshuffled)
            if !wasPlaying { #expect(live.current == before.current && live.positionMs == before.positionMs) }
            live = before
        }
    }

    @Test(arguments: seeds) func `taking back touches neither what plays nor what others did`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var live = try LiveRoom.playing(random.number(0..<8), of: 8)
        if random.chance(30) { try live.ask(.setModes(NamedMode.shuffle.change)) }
        var mirror = MirroredQueue(live.room.queue)
        func follow(_ outcome: Outcome) { for change in outcome.changes { mirror.follow(change) } }

        for step in 0..<60 {
            live.now.random = random.next()
            live.now.us += 500_000
            switch random.number(0..<10) {
            case 0..<3: follow(try live.ask(.add(.tracks(2, from: 100 + 2 * step), at: random.one(of: [.next, .end, .after(nil)]))))
            case 3..<6: if let outcome = try? live.ask(draw(&random, live)) { follow(outcome) }
            case 6: follow(try live.ask(.next(from: nil)))
            case 7: if let next = live.room.upcoming { follow(live.hear(.began(next.id))) }
            default:
                let before = live
                guard let outcome = try? live.ask(.undo) else { continue }
                follow(outcome)
                if before.room.isUnderWay {
                    #expect(live.current == before.current && live.positionMs == before.positionMs && live.state == before.state)
                    #expect(outcome.orders.allSatisfy { $0.loads == nil })
                }
                let gone = Set(before.ids).subtracting(live.ids)
                let brought = Set(outcome.changes.flatMap { change -> [EntryID] in if case .removed(let ids) = change { ids } else { [] } })
                #expect(gone == brought)
                #expect(Set(live.ids).count == live.ids.count)
                #expect(live.room.queue.revision > before.room.queue.revision || live.ids == before.ids)
            }
            #expect(mirror == MirroredQueue(live.room.queue))
            if let plain = live.room.queue.unshuffled { #expect(Set(plain) == Set(live.ids) && plain.count == live.ids.count) }
        }
    }

    private func draw(_ random: inout SeededGenerator, _ live: LiveRoom) -> Command {
        switch random.number(0..<6) {
        case 0: .clear(base: nil, keep: random.one(of: QueueRemainder.allCases))
        case 1:
            .replace(base: nil, with: .tracks(random.number(1..<4), from: 50), start: 0, positionMs: 0, play: live.room.isUnderWay)
        case 2: .shuffle(base: nil)
        case 3: .move(random.some(of: live.ids, atMost: 3), to: random.one(of: [.next, .end, .after(nil)]))
        default: .remove(random.some(of: live.ids, atMost: 4))
        }
    }
}
