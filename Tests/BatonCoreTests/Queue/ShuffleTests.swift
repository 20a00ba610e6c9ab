import BatonCore
import Testing

struct ShuffleTests {
    /// A room that plays its first track in the mode `shuffle`, at a moment the seed decides.
    private func shuffled(_ count: Int, seed: UInt64) throws -> LiveRoom {
        var live = try LiveRoom.playing(0, of: count)
        live.now.random = seed
        try live.ask(.setModes(NamedMode.shuffle.change))
        return live
    }

    /// Plays so many entries to their end, as a player without gaps does.
    private func played(_ count: Int, in live: inout LiveRoom) -> [EntryID] {
        (0..<count).map { _ in
            let entry = live.current!
            live.now.random &+= 1
            live.hear(.began(live.room.upcoming!.id))
            return entry
        }
    }

    @Test(arguments: seeds) func `a shuffled queue plays every entry once before any entry twice`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let count = random.number(2..<13)
        var live = try shuffled(count, seed: seed)

        let played = played(4 * count, in: &live)

        for pass in 0..<4 { #expect(Set(played[pass * count..<(pass + 1) * count]).count == count) }
        #expect(zip(played, played.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test(arguments: seeds) func `in the mode shuffle nothing is heard twice in a row, whatever is edited meanwhile`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var live = try shuffled(random.number(2..<7), seed: seed)

        for step in 0..<150 {
            let before = live.current
            live.now.random = random.next()
            switch random.number(0..<10) {
            case 0: try live.ask(.add(.tracks(1, from: 100 + step), at: random.one(of: [.next, .end, .after(nil)])))
            case 1 where live.ids.count > 2: try live.ask(.remove([random.one(of: live.ids.filter { $0 != before })]))
            case 2: try live.ask(.shuffle(base: nil))
            case 3:
                try live.ask(.next(from: before))
                live.hear(.began(try #require(live.current)))
                #expect(live.current != before)
            default:
                live.hear(.began(try #require(live.room.upcoming?.id)))
                #expect(live.current != before)
            }
        }
    }

    @Test func `each pass has an order of its own`() throws {
        var live = try shuffled(12, seed: 5)

        let played = played(36, in: &live)

        let passes = [0, 12, 24].map { Array(played[$0..<$0 + 12]) }
        #expect(Set(passes).count == 3)
    }

    @Test(arguments: seeds) func `shuffle leaves what was played and what plays, and turning it off restores the order`(seed: UInt64) throws
    {
        var live = try LiveRoom.playing(3, of: 12)
        live.now.random = seed
        let before = live.ids

        let on = try live.ask(.setModes(ModeChange(shuffle: true)))
        #expect(Array(live.ids[...3]) == Array(before[...3]) && Set(live.ids) == Set(before))
        #expect(on.changes == [.moved(Array(live.ids[4...]), after: before[3])])
        #expect(live.state == .playing && live.current == before[3])
        let off = try live.ask(.setModes(ModeChange(shuffle: false)))
        #expect(live.ids == before && live.current == before[3])
        #expect(off.changes == [.moved(before, after: nil)])
    }

    @Test func `two moments bring two orders`() throws {
        let orders = try Set((0..<20).map { try shuffled(12, seed: $0).ids })

        #expect(orders.count == 20)
    }

    @Test func `what was added or removed meanwhile finds its place in the restored order`() throws {
        var live = try LiveRoom.playing(0, of: 6)
        try live.ask(.setModes(ModeChange(shuffle: true)))
        let two = try #require(live.room.queue.entries.first { $0.tags.title == "2" }?.id)
        let four = try #require(live.room.queue.entries.first { $0.tags.title == "4" }?.id)

        try live.ask(.add(.tracks(1, from: 10), at: .after(two)))
        try live.ask(.add(.tracks(1, from: 11), at: .end))
        try live.ask(.add(.tracks(1, from: 12), at: .next))
        try live.ask(.add(.tracks(1, from: 13), at: .after(nil)))
        try live.ask(.remove([four]))
        try live.ask(.setModes(ModeChange(shuffle: false)))

        #expect(live.titles == ["13", "0", "12", "1", "2", "10", "3", "5", "11"])
    }

    @Test func `the order after a wrap is still remembered`() throws {
        var live = try shuffled(5, seed: 9)
        _ = played(12, in: &live)

        try live.ask(.setModes(ModeChange(shuffle: false)))

        #expect(live.titles == ["0", "1", "2", "3", "4"])
    }

    @Test func `the player is told the first entry of the next pass ahead, and it holds when others come and go`() throws {
        var live = try shuffled(6, seed: 3)
        _ = played(5, in: &live)
        let told = try #require(live.orders.last?.follows)
        let bystander = try #require(live.ids.first { $0 != told && $0 != live.current })
        live.orders = []

        try live.ask(.remove([bystander]))
        #expect(live.orders.isEmpty && live.room.upcoming?.id == told)
        #expect(try live.ask(.shuffle(base: nil)) == .noop(.same))
        #expect(live.room.upcoming?.id == told)
        live.hear(.began(told))
        #expect(live.current == told && live.ids.first == told && live.state == .playing)
    }

    @Test func `a person's next at the end of a pass begins the next one`() throws {
        var live = try shuffled(4, seed: 3)
        _ = played(3, in: &live)
        let last = live.current

        try live.ask(.next(from: last, count: 2))

        #expect(live.current == live.ids[1] && live.ids.first != last)
        #expect(try live.ask(.next(from: nil, count: 1 << 31)).status == .applied)
    }

    @Test func `shuffling once draws a new order for what is to come`() throws {
        var live = try LiveRoom.playing(1, of: 12)
        let before = live.ids

        let outcome = try live.ask(.shuffle(base: live.room.queue.revision))

        #expect(Array(live.ids[...1]) == Array(before[...1]) && live.ids != before && Set(live.ids) == Set(before))
        #expect(outcome.orders == [.follow(live.ids[2], live.room.upcoming!.uri)])
        #expect(!live.room.modes.shuffle && outcome.touched == [.queue])
    }

    @Test func `an album played in a shuffled room starts as asked and remembers its order`() throws {
        var live = try shuffled(3, seed: 1)

        try live.ask(.replace(base: nil, with: .tracks(12, from: 20), start: 0, positionMs: 0, play: true))
        let album = (20..<32).map { "\($0)" }
        #expect(live.currentTitle == "20" && live.titles != album)
        try live.ask(.setModes(NamedMode.repeatAll.change))
        #expect(live.titles == album)
    }

    @Test func `a single entry repeats, shuffled or not`() throws {
        var live = try shuffled(1, seed: 1)

        #expect(live.room.upcoming?.id == live.ids[0])
        live.hear(.began(live.ids[0]))
        #expect(live.state == .playing)
    }
}
