/// What a room does about entries whose pieces are being made. BT-GEN-005 BT-GEN-011
import BatonCore
import Testing

@Suite struct `Pieces that are not finished` {
    private static let length: Milliseconds = 20_000

    private static func piece(_ name: String) -> NewEntry {
        var tags = Tags(title: name)
        tags.kind = .generation
        return NewEntry(uri: ItemURI("gen:\(name)"), tags: tags)
    }

    private static func made(_ name: String) -> Tags {
        var tags = piece(name).tags
        tags.title = name.uppercased()
        tags.durationMs = length
        return tags
    }

    /// Track 0 plays; then come the pieces, then other tracks.
    private func live(_ pieces: [String], tracks: Int = 2, _ way: Unfinished = .skip) throws -> LiveRoom {
        var live = try LiveRoom.playing(0, of: 1)
        try live.ask(.add(pieces.map(Self.piece) + .tracks(tracks, from: 1), at: .end))
        try live.ask(.setModes(ModeChange(unfinished: way)))
        return live
    }

    /// Ends what plays, as a player does that has what follows, or has nothing more.
    private func end(_ live: inout LiveRoom) {
        let follower =
            live.orders.reversed().lazy.compactMap { order -> EntryID?? in
                switch order {
                case .follow(let entry, _, _): .some(entry)
                case .followWithNothing, .load, .stop: .some(nil)
                default: nil
                }
            }.first ?? nil
        guard let current = live.current else { return }
        live.pass(ms: Self.length)
        if let follower { live.hear(.began(follower)) } else { live.hear(.ended(current)) }
        if let loaded = live.orders.last(where: { $0.loads != nil })?.loads, loaded == live.current { live.hear(.began(loaded)) }
    }

    @discardableResult
    private func finish(_ name: String, in live: inout LiveRoom) -> Outcome {
        let outcome = live.room.describe(ItemURI("gen:\(name)"), Self.made(name), at: live.now)
        live.orders += outcome.orders
        return outcome
    }

    @Test func `one that is skipped moves behind the next entry, which follows without a gap`() throws {
        var live = try live(["a", "b"])
        let second = live.ids[3]
        #expect(live.orders.last?.follows == second && live.room.upcoming?.id == second)

        end(&live)

        #expect(live.titles == ["0", "1", "a", "b", "2"] && live.current == second && live.state == .playing)
        #expect(live.orders.last?.follows == live.ids[4])
        finish("a", in: &live)
        #expect(live.orders.last?.follows == live.ids[2] && live.titles[2] == "A")
        end(&live)
        #expect(live.currentTitle == "A" && live.orders.last?.follows == live.ids[4])
    }

    @Test func `a person who skips lands on what can be played, and one who names a piece waits for it`() throws {
        var live = try live(["a"])
        try live.ask(.next(from: live.current))
        #expect(live.currentTitle == "1" && live.titles == ["0", "1", "a", "2"])
        try live.ask(.jump(live.ids[2]))
        #expect(live.state == .buffering && live.room.problem == "Waits for “a”, which is being made." && live.orders.last == .stop)
        finish("a", in: &live)
        #expect(live.orders.contains { $0.loads == live.current } && live.room.problem == nil && live.room.wait == nil)
    }

    @Test func `one that is waited for plays when it is ready, or is passed over after twenty seconds`() throws {
        var live = try live(["a", "b"], .wait)
        #expect(live.orders.last == .followWithNothing || live.room.upcoming?.isMade == false)
        end(&live)
        #expect(live.currentTitle == "a" && live.state == .buffering)
        live.pass(ms: 19_999)
        #expect(live.room.endWaiting(at: live.now).status == .noop)
        finish("a", in: &live)
        live.hear(.began(live.ids[1]))
        #expect(live.state == .playing && live.currentTitle == "A")

        end(&live)
        #expect(live.currentTitle == "b" && live.state == .buffering)
        live.pass(ms: 20_000)
        let outcome = live.room.endWaiting(at: live.now)
        live.orders += outcome.orders
        #expect(live.currentTitle == "1" && live.titles == ["0", "A", "1", "b", "2"])
        #expect(live.room.problem == "“b” was passed over. It is not finished yet." && outcome.touched.contains(.room))
        #expect(live.room.queue.entries.first { $0.id == live.room.skipped }?.tags.title == "b")
    }

    @Test func `where nothing else is left, the room waits for ten minutes and then stops`() throws {
        var live = try live(["a"], tracks: 0)
        end(&live)
        #expect(live.currentTitle == "a" && live.state == .buffering)
        live.pass(ms: 599_999)
        #expect(live.room.endWaiting(at: live.now).status == .noop)
        live.pass(ms: 1)
        _ = live.room.endWaiting(at: live.now)
        #expect(live.state == .stopped && live.room.problem?.contains("Stopped before “a”") == true)
    }

    @Test func `what fills in plays before the piece, as often as it is needed`() throws {
        var live = try live(["a"], .filler(ItemURI("pl:list/jazz")))
        end(&live)
        let piece = try #require(live.current)
        #expect(live.room.wait?.filler == ItemURI("pl:list/jazz"))
        for number in 0..<2 {
            let filler = NewEntry(uri: ItemURI("file:filler/\(number)"), tags: Tags(title: "filler \(number)", durationMs: Self.length))
            let outcome = try live.room.fill(filler, before: piece, at: live.now, numbers: &live.numbers)
            live.orders += outcome.orders
            #expect(live.currentTitle == "filler \(number)" && live.room.queue.entry(ahead: 1, wrapping: false)?.id == piece)
            live.hear(.began(try #require(live.current)))
            // Late news of the same search changes nothing.
            #expect(try live.room.fill(filler, before: piece, at: live.now, numbers: &live.numbers).status == .noop)
            if number == 0 { end(&live) }
        }
        finish("a", in: &live)
        #expect(live.orders.last?.follows == piece)
        #expect(live.titles == ["0", "filler 0", "filler 1", "A", "1", "2"])
    }

    @Test func `of what filled in the last three stay in the queue`() throws {
        var live = try live(["a"], .filler(ItemURI("pl:list/jazz")))
        end(&live)
        let piece = try #require(live.current)
        for number in 0..<6 {
            let filler = NewEntry(uri: ItemURI("file:filler/\(number)"), tags: Tags(title: "filler \(number)", durationMs: Self.length))
            live.orders += try live.room.fill(filler, before: piece, at: live.now, numbers: &live.numbers).orders
            live.hear(.began(try #require(live.current)))
            if number < 5 { end(&live) }
        }
        #expect(live.titles == ["0", "filler 3", "filler 4", "filler 5", "a", "1", "2"] && live.currentTitle == "filler 5")
    }

    @Test func `one that could not be made is passed over with its reason, and waited for again when it is made anew`() throws {
        var live = try live(["a"], .wait)
        end(&live)
        let failed = live.room.note(ItemURI("gen:a"), "Its disk is full.", at: live.now)
        live.orders += failed.orders
        #expect(live.currentTitle == "1" && live.room.problem == "“a” was passed over. Its disk is full.")
        #expect(live.titles == ["0", "a", "1", "2"], "It stays where it is, since it will not be ready later.")
        #expect(live.room.queue.entries[1].isMade)
        _ = live.room.note(ItemURI("gen:a"), nil, at: live.now)
        #expect(!live.room.queue.entries[1].isMade)
    }

    @Test func `a room that is paused or comes back after a restart waits for nothing until it is to play`() throws {
        var live = try live(["a"], .wait)
        end(&live)
        try live.ask(.pause)
        #expect(live.state == .paused && live.room.wait == nil && live.room.problem == nil)
        var kept = Room(
            id: live.room.id, name: "Living room", queue: live.room.queue, modes: live.room.modes, positionMs: 0, volume: live.room.volume)
        #expect(kept.wait == nil && !kept.isPlaying)
        var numbers = live.numbers
        let outcome = try kept.apply(.play(), at: live.now, numbers: &numbers)
        #expect(kept.wait?.entry == live.current && outcome.orders.allSatisfy { $0.loads == nil })
    }

    /// The order of what can be played is that of the queue, every piece is played once it is made, and none is loaded before.
    @Test(arguments: seeds) func `whatever happens in between, nothing unfinished is loaded and no entry is lost`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let names = (0..<6).map { "p\($0)" }
        var live = try live([], tracks: 5, random.one(of: [.skip, .wait, .filler(ItemURI("pl:list/jazz"))]))
        for name in names { try live.ask(.add([Self.piece(name)], at: random.chance(50) ? .next : .end)) }
        var left = Set(names)
        var fillers = 0
        for _ in 0..<120 {
            let before = Set(live.room.queue.entries.filter { !$0.uri.text.hasPrefix("file:filler/") }.map(\.id))
            let given = live.orders.count
            switch random.number(0..<12) {
            case 0..<4: end(&live)
            case 4: try live.ask(.next(from: live.current))
            case 5:
                if let name = left.sorted().first(where: { _ in random.chance(30) }) {
                    left.remove(name)
                    finish(name, in: &live)
                }
            case 6: live.pass(ms: Milliseconds(random.number(0..<30_000)))
            case 7: try live.ask(.setModes(ModeChange(shuffle: random.chance(50), unfinished: random.one(of: [.skip, .wait]))))
            case 8: try live.ask(random.chance(50) ? .pause : .play())
            case 9: try live.ask(.jump(random.one(of: live.ids)))
            case 10:
                if let name = left.sorted().first {
                    live.orders += live.room.note(ItemURI("gen:\(name)"), random.chance(50) ? "No." : nil, at: live.now).orders
                }
            default: try live.ask(.move([random.one(of: live.ids)], to: .end))
            }
            live.orders += live.room.endWaiting(at: live.now).orders
            if let wait = live.room.wait, wait.filler != nil, random.chance(70) {
                fillers += 1
                let filler = NewEntry(uri: ItemURI("file:filler/\(fillers)"), tags: Tags(title: "f", durationMs: Self.length))
                live.orders += try live.room.fill(filler, before: wait.entry, at: live.now, numbers: &live.numbers).orders
            }
            #expect(before.isSubset(of: live.ids), "\(seed): an entry was lost")
            for order in live.orders.dropFirst(given) {
                guard let entry = order.loads ?? order.follows, let at = live.room.queue.index(of: entry) else { continue }
                #expect(live.room.queue.entries[at].isMade, "\(seed): \(order)")
            }
            if let wait = live.room.wait { #expect(live.state == .buffering && wait.entry == live.current, "\(seed)") }
        }
    }
}
