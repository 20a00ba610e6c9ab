import BatonCore
import Testing

/// When a room's listening to speech is noted, and as what. BT-PLC-006
struct PlaceWatchTests {
    private var live: LiveRoom
    private var watch = PlaceWatch()
    private var notes: [PlaceWatch.Note] = []

    init() throws {
        live = try LiveRoom()
        let episodes = (1...3).map { number in
            var tags = Tags(title: "Episode \(number)", durationMs: 600_000)
            tags.kind = .episode
            return NewEntry(uri: ItemURI("podcast:episode/\(number)"), tags: tags)
        }
        try live.ask(.add(episodes, at: .end))
    }

    private mutating func look() { notes += watch.look(at: live.room, by: .home, now: live.now) }

    private mutating func ask(_ command: Command) throws {
        try live.ask(command)
        look()
    }

    private mutating func hear(_ report: PlayerReport) {
        live.hear(report)
        look()
    }

    private mutating func play(_ index: Int = 0) throws {
        try ask(.jump(live.ids[index]))
        hear(.began(live.ids[index]))
    }

    /// Time passes, and the watch looks whenever it has asked to.
    private mutating func pass(ms: Milliseconds) {
        let end = live.now.us + Microseconds(ms)
        while let dueUs = watch.dueUs, dueUs <= end {
            live.now.us = dueUs
            live.now.random &+= 1
            look()
        }
        live.now.us = end
        live.now.random &+= 1
    }

    private var reached: [Int] {
        notes.compactMap { if case .reached(_, let positionMs, _) = $0 { Int(positionMs.seconds) } else { nil } }
    }
    private var began: [PlaceWatch.Stretch] { notes.filter(\.isBeginning).map(\.stretch) }

    @Test(arguments: [1000, 1250, 1333]) mutating func `a report is due at one moment however often it is looked at`(speed: Int) throws {
        try play()
        try ask(.setModes(ModeChange(speed: speed)))
        let dueUs = try #require(watch.dueUs)
        while live.now.us + 77_773 < dueUs {
            live.now.us += 77_773
            look()
        }
        #expect(watch.dueUs == dueUs && reached == [])
        live.now.us = dueUs
        look()
        #expect(reached.count == 1)
    }

    @Test mutating func `every 20 s of what is heard, at double speed twice as often`() throws {
        try play()
        pass(ms: 65_000)
        #expect(reached == [20, 40, 60] && began.count == 1)
        try ask(.setModes(ModeChange(speed: 2000)))
        pass(ms: 10_000)
        #expect(reached == [20, 40, 60, 80])
    }

    @Test mutating func `at a pause, a seek, a stop, and where another entry takes over`() throws {
        try play()
        pass(ms: 7000)
        try ask(.pause)
        #expect(reached == [7])
        try ask(.seek(entry: nil, toMs: 300_000))
        #expect(reached == [7, 300], "what is paused may be sought too")
        try ask(.play())
        try ask(.seek(entry: nil, toMs: 100_000))
        pass(ms: 6000)
        try ask(.next(from: nil))
        #expect(reached == [7, 300, 100, 106])
        hear(.began(live.ids[1]))
        pass(ms: 9000)
        try ask(.stop)
        #expect(reached == [7, 300, 100, 106, 9], "a final 0:00 is not reported")
        #expect(notes.last?.stretch.entry.id == live.ids[1])
    }

    @Test mutating func `after a pause the stretch started from the one that was paused, else from the place`() throws {
        try play()
        pass(ms: 7000)
        try ask(.pause)
        try ask(.play())
        pass(ms: 7000)
        try play(2)
        #expect(began.map(\.origin) == [.place, .session(began[0].session), .place])
        #expect(Set(began.map(\.session)).count == 3)
    }

    @Test mutating func `a room that was kept paused says where`() throws {
        let queue = live.room.queue
        live.room = Room(
            id: RoomID("living"), name: "Living", queue: queue, modes: Modes(), positionMs: 90_000, volume: VolumeRail(), at: live.now)
        look()
        try ask(.play())
        hear(.began(live.ids[0]))
        #expect(began.map(\.origin) == [.position(90_000)])
    }

    @Test mutating func `a stretch of less than five seconds is no listening, and music is none`() throws {
        try play()
        pass(ms: 4900)
        try ask(.pause)
        #expect(reached == [])
        live = try LiveRoom.playing(0, of: 2)
        look()
        pass(ms: 60_000)
        #expect(reached == [])
    }

    @Test mutating func `the end is said also where the length is wrong`() throws {
        try play()
        pass(ms: 50_000)
        hear(.ended(live.ids[0]))
        #expect(notes.last == .reached(began[0], positionMs: 50_000, isAtEnd: true))
        hear(.began(live.ids[1]))
        pass(ms: 30_000)
        hear(.began(live.ids[2]))
        #expect(notes.contains(.reached(began[1], positionMs: 30_000, isAtEnd: true)) && began.count == 3)
    }

    @Test mutating func `what plays when the hub ends is reported`() throws {
        try play()
        pass(ms: 12_000)
        #expect(watch.close(at: live.now) == [.reached(began[0], positionMs: 12_000, isAtEnd: false)])
    }

    @Test(arguments: seeds) mutating func `no more than 20 s are ever unknown, and no report lies elsewhere`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        try play()
        var heardMs: Milliseconds = 0
        for _ in 0..<60 {
            let before = notes.count
            switch random.number(0..<6) {
            case 0: try ask(.seek(entry: nil, toMs: Milliseconds(random.number(0..<500_000))))
            case 1: try ask(.pause)
            case 2: try ask(.play())
            case 3 where live.state == .playing && live.positionMs > 1000: try ask(.pause)
            default:
                let ms = Milliseconds(random.number(0..<30_000))
                let wasPlaying = live.state == .playing && live.positionMs + ms < 600_000
                pass(ms: ms)
                look()
                heardMs += wasPlaying ? ms : 0
            }
            if notes.count > before, case .reached(_, let positionMs, _)? = notes.last {
                if live.state == .paused { #expect(positionMs == live.positionMs, "\(seed)") }
                heardMs = 0
            }
            if live.state == .playing, live.positionMs < 570_000, watch.stretch != nil {
                #expect(heardMs < PlaceWatch.paceMs + 30_000, "\(seed)")
            }
        }
    }
}

/// What waits to be written, and from which sessions stretches have started.
struct PlaceNotesTests {
    private func stretch(_ session: String, _ origin: PlaceWatch.Origin = .place) throws -> PlaceWatch.Stretch {
        var live = try LiveRoom()
        var tags = Tags(title: "Episode", durationMs: 600_000)
        tags.kind = .episode
        try live.ask(.add([NewEntry(uri: ItemURI("podcast:episode/1"), tags: tags)], at: .end))
        let entry = try #require(live.room.currentEntry)
        return PlaceWatch.Stretch(
            session: SessionID(session), entry: entry, person: .home, room: RoomID("living"), roomName: "Living", origin: origin)
    }

    @Test func `a newer report takes the place of one that waits, and a new stretch begins behind what the others have reached`() throws {
        let (a, b) = (try stretch("a"), try stretch("b"))
        var notes = PlaceNotes()
        for note: PlaceWatch.Note in [
            .began(a), .reached(a, positionMs: 1, isAtEnd: false), .began(b), .reached(a, positionMs: 2, isAtEnd: false),
            .reached(b, positionMs: 9, isAtEnd: false),
        ] { notes.add(note) }

        var taken: [PlaceWatch.Note] = []
        while let note = notes.takeFirst() { taken.append(note) }

        #expect(
            taken == [
                .began(a), .reached(a, positionMs: 2, isAtEnd: false), .began(b), .reached(b, positionMs: 9, isAtEnd: false),
            ])
    }

    @Test func `a stretch that was too short to be told is no parent`() throws {
        var sessions = RoomSessions()
        let place = ItemPlace(positionMs: 100_000, session: SessionID("phone"), device: "phone", atMs: 0)
        sessions.begin(try stretch("a"), at: place)
        sessions.begin(try stretch("b", .session(SessionID("a"))), at: place)
        #expect(sessions.parent(of: SessionID("b")) == SessionID("phone"))
        sessions.noteReport(of: SessionID("b"))
        sessions.begin(try stretch("c", .session(SessionID("b"))), at: place)
        #expect(sessions.parent(of: SessionID("c")) == SessionID("b"))
        sessions.begin(try stretch("near", .position(90_000)), at: place)
        sessions.begin(try stretch("far", .position(900_000)), at: place)
        #expect(sessions.parent(of: SessionID("near")) == SessionID("phone") && sessions.parent(of: SessionID("far")) == nil)
    }
}
