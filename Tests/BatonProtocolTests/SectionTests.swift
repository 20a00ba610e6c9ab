/// Each section's exact text, its way back, and its cap (`Protocol/core/4-state.md`, "Sections").
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct SectionTests {
    private func pin(_ content: some SectionCoding, _ expected: String) throws {
        #expect(text(content.encode) == expected)
        #expect(try type(of: content).init(from: parse(expected)) == content)
    }

    private static let kidA: Tags = {
        var tags = Tags(title: "How to Disappear Completely", artists: ["Radiohead"], durationMs: 356_000)
        tags.album = "Kid A"
        tags.albumArtist = "Radiohead"
        tags.track = 4
        tags.disc = 1
        tags.year = 2000
        tags.art = Artwork(id: "91c3f0", width: 1000, height: 1000)
        return tags
    }()

    private static let now = NowSection(
        entry: EntryID(text: "q7f4")!, uri: ItemURI("lib:track/8a1f02c3"), tags: kidA,
        format: SoundFormat(codec: "flac", rate: 44100, bits: 16, channels: 2))  // The id is spelt as the hub spells it.

    /// BT-SEC-015
    @Test func `now`() throws {
        try pin(
            Self.now,
            #"{"entry":"q7f4","uri":"lib:track/8a1f02c3","kind":"track","title":"How to Disappear Completely","artists":["Radiohead"],"album":"Kid A","albumArtist":"Radiohead","track":4,"disc":1,"year":2000,"durMs":356000,"art":{"id":"91c3f0","w":1000,"h":1000},"fmt":{"codec":"flac","rate":44100,"bits":16,"ch":2}}"#
        )
    }

    @Test func `now mentions only what is known`() throws {
        try pin(
            NowSection(entry: EntryID(1), uri: ItemURI("file:track/a"), tags: Tags()),
            #"{"entry":"q1","uri":"file:track/a","kind":"track"}"#)
        var station = Tags(title: "Jazz FM")
        station.kind = .station
        station.streamTitle = "Miles Davis - So What"
        try pin(
            NowSection(entry: EntryID(1), uri: nil, tags: station),
            #"{"entry":"q1","kind":"station","title":"Jazz FM","streamTitle":"Miles Davis - So What","live":true}"#)
    }

    @Test func `tl`() throws {
        try pin(
            TimelineSection(entry: EntryID(text: "q7f4"), positionMs: 0, atUs: 88_374_456_789, rate: 1000, state: .playing),
            #"{"entry":"q7f4","posMs":0,"atUs":88374456789,"rate":1000,"st":"playing"}"#)
        try pin(
            TimelineSection(entry: nil, positionMs: 0, atUs: 5, rate: 0, state: .stopped), #"{"posMs":0,"atUs":5,"rate":0,"st":"stopped"}"#)
        try pin(
            TimelineSection(entry: EntryID(1), positionMs: 7, atUs: 5, rate: 0, state: .buffering, isLive: true),
            #"{"entry":"q1","posMs":7,"atUs":5,"rate":0,"st":"buffering","live":true}"#)
        try pin(
            TimelineSection(entry: nil, positionMs: 0, atUs: 5, rate: 0, state: .unrecognised("dreaming")),
            #"{"posMs":0,"atUs":5,"rate":0,"st":"dreaming"}"#)
    }

    @Test func `vol, modes and queue`() throws {
        try pin(VolumeSection(level: 42, isMuted: false, range: 5...80), #"{"level":42,"mute":false,"range":[5,80]}"#)
        try pin(
            VolumeSection(level: 42, isMuted: false, range: 5...80, loweredFrom: 75),
            #"{"level":42,"mute":false,"range":[5,80],"lowered":75}"#)
        var modes = Modes()
        modes.repeat = true
        modes.shuffle = true
        modes.speed = 1500
        try pin(ModesSection(modes), #"{"repeat":true,"shuffle":true,"speed":1500}"#)
        modes.gain = .off
        (modes.preampDb, modes.forwardMs, modes.backMs) = (-6, 45_000, 10_000)
        try pin(
            ModesSection(modes),
            #"{"repeat":true,"shuffle":true,"speed":1500,"gain":"off","preampDb":-6,"forwardMs":45000,"backMs":10000}"#)
        modes = Modes()
        modes.raisesVoice = true
        try pin(ModesSection(modes), #"{"repeat":false,"shuffle":false,"voice":true}"#)
        modes.trims = true
        try pin(ModesSection(modes), #"{"repeat":false,"shuffle":false,"voice":true,"trim":true}"#)
        modes = Modes()
        modes.unfinished = .filler(ItemURI("pl:list/jazz"))
        try pin(
            ModesSection(modes),
            #"{"repeat":false,"shuffle":false,"unfinished":"filler","filler":"pl:list/jazz"}"#)
        try pin(
            QueueSection(
                revision: 911, length: 10, index: 3, current: EntryID(text: "q7f4"), next: EntryID(text: "q7f5"), nextText: "Treefingers"),
            #"{"rev":911,"len":10,"idx":3,"cur":"q7f4","next":"q7f5","nextText":"Treefingers"}"#)
        try pin(QueueSection(revision: 0, length: 0), #"{"rev":0,"len":0}"#)
    }

    @Test func `each flag of the modes is told apart from the others`() throws {
        for (flag, _) in Modes.flags {
            var modes = Modes()
            modes[keyPath: flag] = true
            let written = text(ModesSection(modes).encode)
            #expect(written != text(ModesSection(Modes()).encode))
            #expect(try ModesSection(from: parse(written)).modes == modes)
        }
    }

    @Test func `rooms, outputs and hub`() throws {
        try pin(
            RoomsSection([
                .init(
                    id: RoomID("living"), name: "Living room", state: .playing, title: "Kid A", art: "91c3f0", level: 42, isMuted: false,
                    outputs: ["pulse"]),
                .init(id: RoomID("bath"), name: "Bath", state: .stopped, level: 30, isMuted: true),
            ]),
            #"{"list":[{"id":"living","name":"Living room","st":"playing","title":"Kid A","art":"91c3f0","level":42,"mute":false,"outputs":["pulse"]},{"id":"bath","name":"Bath","st":"stopped","level":30,"mute":true}]}"#
        )
        try pin(
            OutputsSection([
                .init(id: "pulse/room1", name: "Kitchen", room: RoomID("kitchen"), problem: "It is gone."),
                .init(id: "null", name: "Nothing"),
            ]),
            #"{"list":[{"id":"pulse/room1","name":"Kitchen","room":"kitchen","problem":"It is gone."},{"id":"null","name":"Nothing"}]}"#)
        try pin(
            HubSection(
                id: "7Qm2k0Vx", name: "Home", version: "0.1.0",
                problems: [.init(room: RoomID("living"), message: "a.flac cannot be read."), .init(message: "The disk is full.")]),
            #"{"id":"7Qm2k0Vx","name":"Home","version":"0.1.0","problems":[{"room":"living","msg":"a.flac cannot be read."},{"msg":"The disk is full."}]}"#
        )
    }

    @Test func `the hub tells until when somebody may pair`() throws {
        try pin(
            HubSection(id: "7Qm2k0Vx", name: "Home", version: "0.1.0", pairing: .init(untilUs: 88_391_456_999)),
            #"{"id":"7Qm2k0Vx","name":"Home","version":"0.1.0","pairing":{"untilUs":88391456999},"problems":[]}"#)
    }

    @Test func `people are a list or a number`() throws {
        try pin(
            PeopleSection.list(
                [.init(name: "Ana watch", role: .remote, room: RoomID("living"), sinceMs: 1_763_740_800_000)], more: 2),
            #"{"list":[{"name":"Ana watch","role":"remote","room":"living","sinceMs":1763740800000}],"more":2}"#)
        try pin(
            PeopleSection.list([.init(name: "Ben", role: .guest, room: RoomID("a"), sinceMs: 1, idleSinceMs: 2)], more: 0),
            #"{"list":[{"name":"Ben","role":"guest","room":"a","sinceMs":1,"idleSinceMs":2}]}"#)
        try pin(PeopleSection.number(3), #"{"n":3}"#)
        #expect(PeopleSection.list([.init(name: "", role: .guest, room: RoomID("a"), sinceMs: 1)], more: 2).count == 3)
    }

    @Test func `the watch's sections`() throws {
        try pin(WatchItem(Self.now), #"{"i":"q7f4","t":"How to Disappear Completely","a":"Radiohead","d":356,"c":"91c3f0"}"#)
        try pin(
            WatchLine(TimelineSection(entry: nil, positionMs: 12345, atUs: 88_391_456_999, rate: 0, state: .paused)), "[12345,88391456,0]")
        try pin(WatchVolume(VolumeSection(level: 42, isMuted: true)), "[42,1]")
        var modes = Modes()
        try pin(WatchModes(ModesSection(modes)), "[0,0,0,0]")
        (modes.repeat, modes.single, modes.consume) = (true, .once, .on)
        try pin(WatchModes(ModesSection(modes)), "[1,0,2,1]")
        // BT-SEC-027
        let late = TimelineSection(entry: nil, positionMs: 5, atUs: Microseconds((1 << 31) + 5000) * 1000, rate: 0, state: .paused)
        try pin(WatchLine(late), "[5,5000,0]")
        try pin(WatchRoom("Living room"), #""Living room""#)
        try pin(WatchProblem("The disk is full."), #""The disk is full.""#)
    }

    @Test func `a station's watch shows what it plays above its own name`() {
        var tags = Tags(title: "Jazz FM")
        tags.streamTitle = "So What"
        let item = WatchItem(NowSection(entry: EntryID(1), uri: nil, tags: tags))
        #expect(text(item.encode) == #"{"i":"q1","t":"So What","a":"Jazz FM"}"#)
    }

    @Test func `members and elements from a newer hub are skipped`() throws {
        let volume = try VolumeSection(from: parse(#"{"level":1,"mute":false,"range":[0,100],"members":[{"out":"a"}]}"#))
        #expect(volume == VolumeSection(level: 1, isMuted: false))
        #expect(try WatchVolume(from: parse("[1,0,7]")) == WatchVolume(level: 1, isMuted: false))
    }

    @Test func `a section of the wrong shape is refused by its place`() {
        func place(_ content: (some SectionCoding).Type, _ json: String) -> String? {
            do {
                _ = try content.init(from: parse(json))
                return nil
            } catch { return (error as? ProtocolFault)?.at }
        }
        #expect(place(VolumeSection.self, "[]") == "/s/vol")
        #expect(place(VolumeSection.self, #"{"mute":false}"#) == "/s/vol/level")
        #expect(place(VolumeSection.self, #"{"level":1,"mute":false,"range":[9,1]}"#) == "/s/vol/range")
        #expect(place(RoomsSection.self, #"{"list":[7]}"#) == "/s/rooms/list/0")
        #expect(place(RoomsSection.self, #"{"list":[{"id":"a"}]}"#) == "/s/rooms/list/0/name")
        #expect(place(WatchLine.self, "[1,2]") == "/s/l")
        #expect(place(WatchRoom.self, "7") == "/s/r")
    }

    // MARK: caps

    @Test(arguments: ["x", "é", "\"", "👩‍👩‍👧‍👦", "\u{1}"]) func `now stays below its cap whatever its texts`(unit: String) throws {
        let long = String(repeating: unit, count: 4000)
        var tags = Tags(title: long, artists: Array(repeating: long, count: 50), durationMs: 1)
        tags.album = long
        tags.albumArtist = long
        tags.streamTitle = long
        tags.art = Artwork(id: "a")
        let now = NowSection(
            entry: EntryID(.max), uri: ItemURI(String(repeating: "x", count: 1024)), tags: tags,
            format: Self.now.format)

        let written = text(now.encode)

        #expect(written.utf8.count <= Section.now.cap)
        #expect(try NowSection(from: parse(written)).tags.title.hasSuffix(DisplayText.ellipsis))
    }

    @Test func `a name that is too long for now is left out`() {
        let now = NowSection(entry: EntryID(1), uri: ItemURI(String(repeating: "x", count: 1025)), tags: Tags())
        #expect(text(now.encode) == #"{"entry":"q1","kind":"track"}"#)
    }

    @Test func `a list over its cap says how many are left out`() throws {
        let rooms = (0..<200).map {
            RoomsSection.Room(id: RoomID("room\($0)"), name: "A room of one's own", state: .paused, level: 1, isMuted: false)
        }
        let written = text(RoomsSection(rooms, more: 5).encode)
        let read = try RoomsSection(from: parse(written))
        #expect(written.utf8.count <= Section.rooms.cap)
        #expect(read.rooms == Array(rooms.prefix(read.rooms.count)))
        #expect(read.rooms.count + read.more == 205)
        #expect(read.rooms.count > 50)

        let outputs = (0..<200).map {
            OutputsSection.Output(id: "alsa/\($0)", name: "Card \($0)", problem: String(repeating: "No. ", count: 99))
        }
        #expect(text(OutputsSection(outputs).encode).utf8.count <= Section.outputs.cap)

        let hub = HubSection(
            id: "a", name: String(repeating: "n", count: 999), version: "1",
            problems: (0..<9).map { .init(message: "Problem \($0) of many, told at length.") })
        let hubRead = try HubSection(from: parse(text(hub.encode)))
        #expect(text(hub.encode).utf8.count <= Section.hub.cap)
        #expect(hubRead.problems.first?.message == "Problem 0 of many, told at length.")
        #expect(hubRead.problems.count + hubRead.more == 9)
    }

    @Test func `listeners are read as they were written, and as many are named as fit beside the vote`() throws {
        let ana = ListenersSection.Listener(
            who: "1k9x", name: "Ana", role: .remote, device: "Phone", sinceMs: 1_763_740_800_000, hears: true)
        let ben = ListenersSection.Listener(who: "0f31", name: "Ben", role: .listener, sinceMs: 1)
        let vote = ListenersSection.Vote(share: 500, entry: EntryID(7), count: 1, needed: 2)
        try pin(
            ListenersSection(listeners: [ana, ben], vote: vote),
            #"{"list":[{"who":"1k9x","name":"Ana","role":"remote","dev":"Phone","sinceMs":1763740800000,"hears":true},"#
                + #"{"who":"0f31","name":"Ben","role":"listener","sinceMs":1}],"vote":{"share":500,"entry":"q7","n":1,"need":2}}"#)

        let many = ListenersSection(listeners: (0..<200).map { _ in ana }, more: 3, vote: vote)
        let read = try ListenersSection(from: parse(text(many.encode)))
        #expect(text(many.encode).utf8.count <= Section.listeners.cap)
        #expect(read.listeners.count + read.more == 203 && read.vote == vote)
    }

    @Test func `every section has one name and is found by it`() {
        // People and listeners are sections in two shapes.
        let sections = Section.allCases.filter { $0 != .peopleCount && $0 != .votes }
        #expect(
            Set(sections.map(\.name)).count == sections.count && Section.peopleCount.name == "people" && Section.votes.name == "listeners")
        for section in sections { #expect(Section.named(section.name) == section) }
        #expect(Section.named("nothing") == nil)
    }

    @Test func `a set of sections counts, combines and keeps the order of the wire`() {
        var set: SectionSet = [.hub, .now, .watchProblem]
        #expect(set.map(\.name) == ["now", "hub", "x"])
        set.insert(.volume)
        set.remove(.hub)
        #expect(set == [.volume, .now, .watchProblem])
        #expect(set.count == 3)
        #expect(set.subtracting([.now]).union([.queue]).intersection([.queue, .volume]) == [.queue, .volume])
        #expect(SectionSet().isEmpty && SectionSet(Section.allCases).count == Section.allCases.count)
    }

    @Test func `the views follow what the specification lists`() {
        #expect(StateView.watch.sections.map(\.name) == ["n", "l", "v", "m", "r", "b", "x", "g", "z"])
        #expect(
            StateView.remote.sections.map(\.name) == [
                "now", "tl", "vol", "modes", "queue", "book", "radio", "sleep", "rooms", "people", "jobs", "lib", "pl", "src",
                "keep", "endless",
            ])
        #expect(
            StateView.full.sections
                == SectionSet(Section.allCases).subtracting(StateView.watch.sections).subtracting([.peopleCount, .votes]))
        #expect(StateView.remote.shape(of: [.people, .now]) == [.peopleCount, .now] && StateView.full.shape(of: [.people]) == [.people])
        #expect(
            StateView.allCases.map(\.pace) == [
                Pace(minMs: 250, maxMs: 30_000), Pace(minMs: 50, maxMs: 20_000), Pace(minMs: 20, maxMs: 20_000),
            ])
        #expect(StateView.allCases.map(\.repliesInline) == [true, false, false])
    }
}
