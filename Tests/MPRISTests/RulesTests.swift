import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Testing

@testable import MPRIS

/// The meaning of a call for a room, by the words of the specification.
@Suite struct `Rules of players` {
    private static let entry = EntryID(41)

    /// A room at a second of a song of a minute.
    private func view(_ change: (inout PlayerView) -> Void = { _ in }) -> PlayerView {
        var view = PlayerView(room: RoomID("kitchen"), name: "Kitchen")
        view.now = NowSection(entry: Self.entry, uri: ItemURI("lib:track/x"), tags: Tags(title: "Song", durationMs: 60_000))
        view.timeline = TimelineSection(entry: Self.entry, positionMs: 1000, atUs: 0, rate: 1000, state: .playing)
        view.volume = VolumeSection(level: 40, isMuted: false)
        view.queue = QueueSection(revision: 1, length: 3, index: 1, current: Self.entry, next: EntryID(42))
        view.tracks = [40, 41, 42].map { QueueRow(entry: EntryID($0), uri: ItemURI("lib:track/\($0)"), tags: Tags(title: "\($0)")) }
        view.sources = ["file", "lib", "pl"]
        change(&view)
        return view
    }

    private func command(
        _ method: String, _ arguments: BusValue..., of interface: BusInterface = PlayerInterfaces.player, in view: PlayerView,
        atUs: Microseconds = 0
    ) throws -> (any WireCommand)? {
        let rules = PressRules(view: view, told: view.entry, nowUs: atUs)
        switch try rules.press(of: method, in: interface.name, arguments) {
        case .command(let command): return command
        case .nothing: return nil
        case let other: throw Unexpected(press: "\(other)")
        }
    }

    private struct Unexpected: Error { let press: String }

    private func isEqual<Other: WireCommand>(_ one: (any WireCommand)?, _ other: Other) -> Bool { one as? Other == other }

    @Test func `buttons name the entry that programs were told`() throws {
        #expect(isEqual(try command("Next", in: view()), Commands.Next(from: Self.entry)))
        #expect(isEqual(try command("Previous", in: view()), Commands.Previous(from: Self.entry, restartMs: 600_000)))
        #expect(isEqual(try command("PlayPause", in: view()), Commands.Toggle(.paused)))
        #expect(isEqual(try command("Pause", in: view()), Commands.Pause()))
        #expect(isEqual(try command("Stop", in: view()), Commands.Stop()))
    }

    @Test func `what is so already does nothing`() throws {
        #expect(try command("Play", in: view()) == nil)
        let paused = view { $0.timeline?.state = .paused }
        #expect(try command("Pause", in: paused) == nil)
        #expect(isEqual(try command("Play", in: paused), Commands.Play()))
        let stopped = view { $0.timeline?.state = .stopped }
        #expect(try command("Stop", in: stopped) == nil)
        let empty = PlayerView(room: RoomID("a"), name: "a")
        for method in ["Next", "Previous", "Play", "Pause", "Stop"] { #expect(try command(method, in: empty) == nil) }
        #expect(throws: BusFault.self) { try command("PlayPause", in: empty) }
        #expect(try command("Seek", .int64(5), in: empty) == nil)
    }

    @Test(
        arguments: [
            (5_000_000, 6000), (-500_000, 500), (-90_000_000, 0), (59_000_000, 60_000), (Int64.min, 0),
        ] as [(Int64, Int)])
    func `Seek moves within the track`(us: Int64, ms: Int) throws {
        let said = try command("Seek", .int64(us), in: view())
        #expect(isEqual(said, Commands.Seek(entry: Self.entry, positionMs: Milliseconds(ms))))
    }

    @Test(arguments: [60_000_000, 59_001_000, Int64.max]) func `Seek beyond the end is Next`(us: Int64) throws {
        #expect(isEqual(try command("Seek", .int64(us), in: view()), Commands.Next(from: Self.entry)))
    }

    @Test func `Seek counts from where the room is now`() throws {
        let said = try command("Seek", .int64(1_000_000), in: view(), atUs: 10_000_000)
        #expect(isEqual(said, Commands.Seek(entry: Self.entry, positionMs: 12_000)))
    }

    @Test func `SetPosition goes within the track that it names, and nowhere else`() throws {
        let path = BusValue.path(PlayerNames.path(of: Self.entry))
        #expect(
            isEqual(try command("SetPosition", path, .int64(30_000_000), in: view()), Commands.Seek(entry: Self.entry, positionMs: 30_000)))
        #expect(isEqual(try command("SetPosition", path, .int64(0), in: view()), Commands.Seek(entry: Self.entry, positionMs: 0)))
        for position in [-1, 60_001_000, Int64.min, Int64.max] {
            #expect(try command("SetPosition", path, .int64(position), in: view()) == nil)
        }
        for other in [PlayerNames.path(of: EntryID(42)), PlayerNames.noTrack, "/", "/org/baton/entry/", "/org/baton/entry/q0x"] {
            #expect(try command("SetPosition", .path(other), .int64(1_000_000), in: view()) == nil)
        }
    }

    @Test func `a live station is not sought in and keeps its rate`() throws {
        let live = view {
            $0.now?.tags.kind = .station
            $0.now?.tags.durationMs = nil
            $0.timeline?.isLive = true
        }
        #expect(try command("Seek", .int64(1), in: live) == nil)
        #expect(live.value(of: "CanSeek", in: PlayerInterfaces.player.name, atUs: 0) == .boolean(false))
        #expect(live.value(of: "MaximumRate", in: PlayerInterfaces.player.name, atUs: 0) == .double(1))
        #expect(live.metadata["mpris:length"] == nil)
    }

    private func setting(_ property: String, _ value: BusValue, in view: PlayerView) throws -> (any WireCommand)? {
        let press = try PressRules(view: view, told: view.entry, nowUs: 0).press(setting: property, to: value)
        if case .command(let command) = press { return command }
        return nil
    }

    @Test func `properties set modes and volume`() throws {
        #expect(isEqual(try setting("Volume", .double(0.455), in: view()), Commands.VolumeSet(46)))
        #expect(isEqual(try setting("Volume", .double(-3), in: view()), Commands.VolumeSet(0)))
        #expect(isEqual(try setting("Volume", .double(.infinity), in: view()), Commands.VolumeSet(100)))
        #expect(throws: BusFault.self) { try setting("Volume", .double(.nan), in: view()) }
        #expect(isEqual(try setting("Shuffle", .boolean(true), in: view()), Commands.ModeSet(shuffle: true)))
        #expect(isEqual(try setting("LoopStatus", .text("Track"), in: view()), Commands.ModeSet(repeat: true, single: .on)))
        #expect(isEqual(try setting("LoopStatus", .text("Playlist"), in: view()), Commands.ModeSet(repeat: true)))
        #expect(isEqual(try setting("LoopStatus", .text("None"), in: view()), Commands.ModeSet(repeat: false)))
        let one = view {
            $0.modes.repeat = true
            $0.modes.single = .on
        }
        #expect(isEqual(try setting("LoopStatus", .text("None"), in: one), Commands.ModeSet(repeat: false, single: .off)))
        #expect(isEqual(try setting("LoopStatus", .text("Playlist"), in: one), Commands.ModeSet(repeat: true, single: .off)))
        #expect(throws: BusFault.self) { try setting("LoopStatus", .text("track"), in: view()) }
    }

    @Test func `rate zero pauses, and other rates are bounded`() throws {
        #expect(isEqual(try setting("Rate", .double(0), in: view()), Commands.Pause()))
        #expect(try setting("Rate", .double(0), in: view { $0.timeline?.state = .paused }) == nil)
        #expect(isEqual(try setting("Rate", .double(1.5), in: view()), Commands.ModeSet(speed: 1500)))
        #expect(isEqual(try setting("Rate", .double(0.001), in: view()), Commands.ModeSet(speed: 500)))
        #expect(isEqual(try setting("Rate", .double(1e300), in: view()), Commands.ModeSet(speed: 3000)))
        for rate in [-1, Double.nan] { #expect(throws: BusFault.self) { try setting("Rate", .double(rate), in: view()) } }
    }

    private func added(_ uri: String, _ view: PlayerView) throws -> ItemURI? {
        let press = try PressRules(view: view, told: nil, nowUs: 0).press(of: "OpenUri", in: PlayerInterfaces.player.name, [.text(uri)])
        guard case .add(let item, .next, plays: true) = press else { return nil }
        return item
    }

    @Test func `OpenUri takes known schemes`() throws {
        let local = view { $0.abilities.opensFiles = true }
        #expect(try added("lib:track/7", local) == ItemURI("lib:track/7"))
        #expect(try added("https://radio.example/live", view()) == ItemURI("https://radio.example/live"))
        #expect(try added("file:///music/a%20b.flac", local) == ItemURI("/music/a b.flac"))
        let long = "http://" + String(repeating: "x", count: 5000)
        for uri in ["", "x", ":x", "gopher://a", "javascript:1", "file:///etc/passwd", "lib:track/\u{1}", long] {
            #expect(throws: BusFault.self) { try added(uri, view()) }
        }
        #expect(throws: BusFault.self) { try added("file://elsewhere/a", local) }
    }

    @Test func `the track list adds behind a track and knows only its own`() throws {
        let list = PlayerInterfaces.trackList
        func press(_ after: String) throws -> PlayerPress {
            try PressRules(view: view(), told: nil, nowUs: 0).press(
                of: "AddTrack", in: list.name, [.text("lib:track/1"), .path(after), .boolean(false)])
        }
        if case .add(_, .after(nil, _), plays: false) = try press(PlayerNames.noTrack) {} else { Issue.record("not at the beginning") }
        if case .add(_, .after(EntryID(41)?, orEnd: true), _) = try press(PlayerNames.path(of: Self.entry)) {
        } else {
            Issue.record("not behind")
        }
        if case .add(_, .end, _) = try press("/other") {} else { Issue.record("not at the end") }
        let last = BusValue.path(PlayerNames.path(of: EntryID(42)))
        #expect(isEqual(try command("GoTo", last, of: list, in: view()), Commands.Jump(EntryID(42))))
        #expect(isEqual(try command("RemoveTrack", last, of: list, in: view()), Commands.QueueRemove([EntryID(42)])))
        #expect(try command("GoTo", .path(PlayerNames.path(of: EntryID(99))), of: list, in: view()) == nil)
        #expect(try command("RemoveTrack", .path(PlayerNames.noTrack), of: list, in: view()) == nil)
    }

    @Test func `playlists are activated by their paths`() throws {
        for text in ["p1", "Ümläut-7_x", "a/b"] {
            let path = PlayerNames.path(of: PlaylistID(text))
            #expect(path.dropFirst().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "/") })
            #expect(PlayerNames.playlist(at: path) == PlaylistID(text))
            let said = try command("ActivatePlaylist", .path(path), of: PlayerInterfaces.playlists, in: view())
            #expect(isEqual(said, Commands.Play(uri: PlaylistID(text).uri)))
        }
        for path in ["/", "/org/baton/playlist/", "/org/baton/playlist/_zz", "/org/baton/playlist/_ff"] {
            #expect(PlayerNames.playlist(at: path) == nil)
        }
    }

    @Test func `rooms have names that every bus takes, each its own`() {
        let rooms = ["main", "kitchen-2", "2-floor", "kitchen", "kitchen2", ""].map { PlayerNames.bus(of: RoomID($0)) }
        #expect(Set(rooms).count == rooms.count)
        #expect(rooms[1] == "org.mpris.MediaPlayer2.baton.kitchen_2" && rooms[2] == "org.mpris.MediaPlayer2.baton._2_floor")
    }

    // MARK: Jumps

    @Test func `a position that follows from the last one is no jump`() {
        let before = view()
        func after(_ change: (inout PlayerView) -> Void) -> Bool { view(change).hasJumped(since: before) }
        #expect(!after { $0.timeline = TimelineSection(entry: Self.entry, positionMs: 11_000, atUs: 10_000_000, rate: 0, state: .paused) })
        #expect(
            !after { $0.timeline = TimelineSection(entry: Self.entry, positionMs: 11_200, atUs: 10_000_000, rate: 1000, state: .playing) })
        #expect(!after { $0.modes.speed = 2000 })
        #expect(
            after { $0.timeline = TimelineSection(entry: Self.entry, positionMs: 13_000, atUs: 10_000_000, rate: 1000, state: .playing) })
        #expect(after { $0.timeline = TimelineSection(entry: Self.entry, positionMs: 0, atUs: 10_000_000, rate: 1000, state: .playing) })
    }

    @Test func `another track is a jump only if it does not begin at its beginning`() {
        func next(_ ms: Milliseconds) -> Bool {
            view {
                $0.now?.entry = EntryID(42)
                $0.timeline = TimelineSection(entry: EntryID(42), positionMs: ms, atUs: 60_000_000, rate: 1000, state: .playing)
            }.hasJumped(since: view())
        }
        #expect(!next(0) && next(25_000))
    }

    // MARK: The window

    @Test func `few changed rows are told one by one, and many as a new list`() {
        func signals(_ entries: [UInt64], from old: [UInt64] = [40, 41, 42]) -> [String] {
            func rows(_ numbers: [UInt64]) -> [QueueRow] {
                numbers.map { QueueRow(entry: EntryID($0), uri: nil, tags: Tags(title: "\($0)")) }
            }
            return TrackListNews(from: view { $0.tracks = rows(old) }, to: view { $0.tracks = rows(entries) }).signals.map(\.name)
        }
        #expect(signals([40, 41, 42]).isEmpty)
        #expect(signals([40, 41, 42, 43]) == ["TrackAdded"])
        #expect(signals([41, 42]) == ["TrackRemoved"])
        #expect(signals([41, 50, 42, 43]) == ["TrackRemoved", "TrackAdded", "TrackAdded"])
        #expect(signals([42, 41, 40]) == ["TrackListReplaced"])
        #expect(signals(Array(100..<110)) == ["TrackListReplaced"])
        #expect(signals([], from: [1]) == ["TrackRemoved"])
    }

    @Test func `an added row names the one before it`() {
        let new = view { $0.tracks.insert(QueueRow(entry: EntryID(7), uri: nil, tags: Tags(title: "New")), at: 0) }
        let signal = TrackListNews(from: view(), to: new).signals.first
        #expect(signal?.arguments.last == .path(PlayerNames.noTrack))
        let list = TrackListNews(from: view(), to: view { $0.tracks[2].tags.title = "Renamed" })
        #expect(list.signals.map(\.name) == ["TrackMetadataChanged"] && !list.isChanged)
    }

    // MARK: Metadata

    @Test func `facts have the types of the specification`() {
        let facts = view {
            $0.now?.tags.artists = ["A", "B"]
            $0.now?.tags.album = "Album"
            $0.now?.tags.albumArtist = "C"
            $0.now?.tags.track = 3
            $0.now?.tags.disc = 1
            $0.now?.tags.year = 1994
            $0.now?.tags.art = Artwork(id: "art1")
            $0.art = ["art1": "file:///a/art1"]
        }.metadata
        #expect(facts["mpris:trackid"] == .path("/org/baton/entry/q15") && facts["mpris:length"] == .int64(60_000_000))
        #expect(facts["xesam:artist"] == .texts(["A", "B"]) && facts["xesam:albumArtist"] == .texts(["C"]))
        #expect(facts["xesam:trackNumber"] == .int32(3) && facts["xesam:contentCreated"] == .text("1994"))
        #expect(facts["mpris:artUrl"] == .text("file:///a/art1") && facts["xesam:url"] == .text("lib:track/x"))
        #expect(PlayerView(room: RoomID("a"), name: "a").metadata.isEmpty)
    }

    @Test func `the song of a station stands before its name`() {
        let facts = view {
            $0.now?.tags = Tags(title: "Radio X")
            $0.now?.tags.streamTitle = "A - B"
        }.metadata
        #expect(facts["xesam:title"] == .text("A - B") && facts["xesam:artist"] == .texts(["Radio X"]))
    }
}
