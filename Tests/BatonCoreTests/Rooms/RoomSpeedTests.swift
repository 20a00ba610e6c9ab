import BatonCore
import Testing

/// Music and each spoken work are played at a speed of their own. BT-BOK-004
struct RoomSpeedTests {
    private static func begin(_ index: Int, spoken: Bool, in live: inout LiveRoom) -> Outcome {
        let entry = live.ids[index]
        if spoken { live.hear(.chapters(entry, [0, 60_000].map { ChapterList.Mark(title: "", startMs: $0) })) }
        return live.hear(.began(entry))
    }

    /// A file with chapters at double speed plays, and two songs come behind it.
    private static func speech() throws -> LiveRoom {
        var live = try LiveRoom.playing(0, of: 3)
        _ = begin(0, spoken: true, in: &live)
        try live.ask(.setModes(ModeChange(speed: 2000)))
        return live
    }

    private static func episode(_ number: Int, of podcast: String) -> NewEntry {
        var tags = Tags(title: "Episode \(number)", durationMs: 600_000)
        (tags.kind, tags.album) = (.episode, podcast)
        return NewEntry(uri: ItemURI("podcast:episode/\(number)"), tags: tags)
    }

    @Test func `music that follows speech without a gap begins at its own speed`() throws {
        var live = try LiveRoom.playing(0, of: 3)
        _ = Self.begin(0, spoken: true, in: &live)

        let faster = try live.ask(.setModes(ModeChange(speed: 2000)))
        #expect(faster.orders == [.setSpeed(permille: 2000)], "what follows keeps the speed that the player was told")
        live.pass(ms: 90_000)

        let outcome = live.hear(.began(live.ids[1]))
        #expect(outcome.orders.first == .setSpeed(permille: 1000) && outcome.touched.isSuperset(of: [.modes, .timeline]))
        #expect(live.room.modes.speed == 1000 && live.room.timeline.rate == 1000)
    }

    @Test func `speech that follows music is told to the player before its turn`() throws {
        var live = try LiveRoom(tracks: 1)
        try live.ask(.add([Self.episode(1, of: "Tea")], at: .end))
        try live.ask(.jump(live.ids[1]))
        live.hear(.began(live.ids[1]))
        try live.ask(.setModes(ModeChange(speed: 1500)))

        let back = try live.ask(.previous(from: nil))
        #expect(back.orders.prefix(2) == [.setSpeed(permille: 1000), .setNext(Rendering(speed: 1500))])
        #expect(back.orders.dropFirst(2).first.map { if case .load = $0 { true } else { false } } == true)
    }

    @Test func `each podcast keeps its speed, and a new one begins at the last`() throws {
        var live = try LiveRoom(tracks: 0)
        let episodes = ["Tea", "Coffee", "Tea", "Milk"].enumerated().map { Self.episode($0, of: $1) }
        try live.ask(.add(episodes, at: .end))
        var heard: [Int] = []
        for (index, speed) in [(0, 1500), (1, 800)] {
            try live.ask(.jump(live.ids[index]))
            live.hear(.began(live.ids[index]))
            try live.ask(.setModes(ModeChange(speed: speed)))
        }
        for index in 0...3 {
            try live.ask(.jump(live.ids[index]))
            heard.append(live.room.modes.speed)
        }
        #expect(heard == [1500, 800, 1500, 800])
    }

    private static func book(_ number: Int, of series: String) -> NewEntry {
        var tags = Tags(title: "Book \(number)", durationMs: 600_000)
        (tags.kind, tags.album) = (.book, series)
        return NewEntry(uri: ItemURI("lib:track/\(number)"), tags: tags)
    }

    @Test func `a book keeps its speed, a new one begins at that of its series, and one of no known series at the last`() throws {
        var live = try LiveRoom(tracks: 0)
        let books = ["Earthsea", "Tales", "Earthsea", ""].enumerated().map { Self.book($0, of: $1) }
        try live.ask(.add(books, at: .end))
        for (index, speed) in [(0, 1250), (1, 1750)] {
            try live.ask(.jump(live.ids[index]))
            try live.ask(.setModes(ModeChange(speed: speed)))
        }
        func heard(_ index: Int) throws -> Int {
            try live.ask(.jump(live.ids[index]))
            return live.room.modes.speed
        }
        #expect(try [0, 1, 2, 3].map(heard) == [1250, 1750, 1250, 1750])
        _ = try heard(2)
        try live.ask(.setModes(ModeChange(speed: 2000)))
        #expect(try [0, 1, 2].map(heard) == [1250, 1750, 2000], "a book that has a speed of its own keeps it")
    }

    @Test func `another person hears the book at their speed, and what the same one sets elsewhere holds from the next book on`() throws {
        var live = try LiveRoom(tracks: 0)
        try live.ask(.add([Self.book(1, of: "Earthsea"), Self.book(2, of: "Earthsea")], at: .end))
        try live.ask(.jump(live.ids[0]))
        try live.ask(.setModes(ModeChange(speed: 1500)))
        let first = live.room.speeds.spoken

        let other = live.room.setSpoken(SpokenSpeeds(last: 800), isOtherPerson: true, at: live.now)
        #expect(live.room.modes.speed == 800 && other.orders.contains(.setSpeed(permille: 800)) && other.touched.contains(.modes))

        _ = live.room.setSpoken(first, isOtherPerson: true, at: live.now)
        #expect(live.room.modes.speed == 1500)
        var elsewhere = first
        elsewhere.set(2000, for: live.room.queue.entries[0].work, in: nil)
        let same = live.room.setSpoken(elsewhere, isOtherPerson: false, at: live.now)
        #expect(live.room.modes.speed == 1500 && !same.touched.contains(.modes))
        try live.ask(.setLevel(20))
        #expect(live.room.modes.speed == 1500)
        try live.ask(.jump(live.ids[1]))
        try live.ask(.jump(live.ids[0]))
        #expect(live.room.modes.speed == 2000)
    }

    @Test func `speech comes back at the speed that it had, and a song at its own`() throws {
        var live = try Self.speech()
        try live.ask(.next(from: nil))
        _ = Self.begin(1, spoken: false, in: &live)
        try live.ask(.setModes(ModeChange(speed: 1100)))

        try live.ask(.previous(from: nil))
        _ = Self.begin(0, spoken: true, in: &live)
        #expect(live.room.modes.speed == 2000 && live.room.timeline.rate == 2000)

        try live.ask(.next(from: nil))
        _ = Self.begin(1, spoken: false, in: &live)
        #expect(live.room.modes.speed == 1100)
    }

    @Test func `a speed that is set before anything plays counts for both`() throws {
        var live = try LiveRoom(tracks: 2)
        try live.ask(.setModes(ModeChange(speed: 1500)))
        try live.ask(.play())
        _ = Self.begin(0, spoken: true, in: &live)
        #expect(live.room.modes.speed == 1500)
    }

    @Test(arguments: seeds) func `what plays has the speed that was set last for its sort`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var live = try Self.speech()
        var set = [2000, 1000, 1000]
        var index = 0
        for _ in 0..<40 {
            if random.chance(50) {
                index = random.number(0..<3)
                try live.ask(.jump(live.ids[index]))
                _ = Self.begin(index, spoken: index == 0, in: &live)
            } else {
                let speed = random.one(of: [500, 1000, 1500, 3000])
                for same in index == 0 ? 0...0 : 1...2 { set[same] = speed }
                try live.ask(.setModes(ModeChange(speed: speed)))
            }
            #expect(live.room.modes.speed == set[index] && live.room.timeline.rate == live.room.modes.speed, "\(seed)")
        }
    }

    @Test(arguments: seeds) func `kept speeds are read as they were written, and no more than the newest works`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var speeds = SpokenSpeeds()
        for _ in 0..<(seed % 2 == 0 ? 10 : 700) {
            speeds.set(random.number(500..<3001), for: random.next() % 600, in: random.chance(50) ? random.next() % 600 : nil)
        }
        let read = SpokenSpeeds(last: speeds.last, worksText: speeds.worksText)
        #expect(read == speeds && speeds.worksText.split(separator: ",").count <= SpokenSpeeds.mostWorks)
    }

    @Test(arguments: [",,", "x:1", "1:", "1:99999", "1:2:3", "ffffffffffffffffff:1000", ":"])
    func `a text that is no speed of a work is passed over`(text: String) {
        #expect(SpokenSpeeds(last: 1000, worksText: text) == SpokenSpeeds())
    }

    /// A player may go on to an entry that the room knows nothing of, when what it reports comes late.
    @Test func `filters hold for what follows also where the room knows of nothing`() throws {
        var live = try LiveRoom.playing(0, of: 1)
        try live.ask(.setModes(ModeChange(isMono: true)))
        try live.ask(.setModes(ModeChange(isMono: false)))

        let mono = SoundFilters(isMono: true)
        #expect(
            live.orders == [
                .setNext(Rendering(filters: mono)), .setFilters(mono), .setNext(Rendering()), .setFilters(SoundFilters()),
            ])
    }
}
