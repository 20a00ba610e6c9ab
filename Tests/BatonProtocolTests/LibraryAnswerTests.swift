/// What the hub answers about libraries, playlists and pictures: the exact text, and its way back.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct LibraryAnswerTests {
    private static let row: ItemRow = {
        var tags = Tags(title: "How to Disappear Completely", artists: ["Radiohead"], durationMs: 356_000)
        tags.album = "Kid A"
        tags.track = 4
        tags.art = Artwork(id: "91c3f0")
        return ItemRow(
            uri: ItemURI("lib:track/8a1f02c3"), tags: tags,
            mark: ItemMark(isFavourite: true, stars: 4, plays: 12, lastPlayedMs: 1_763_740_800_000))
    }()

    private static let rowText =
        #""uri":"lib:track/8a1f02c3","kind":"track","title":"How to Disappear Completely","artists":["Radiohead"],"album":"Kid A","track":4,"durMs":356000,"art":"91c3f0","fav":1,"stars":4,"plays":12,"playedMs":1763740800000"#

    private static func album(_ number: Int) -> ItemRow {
        var tags = Tags(title: "Album \(number)")
        tags.kind = .album
        return ItemRow(uri: ItemURI("lib:album/\(number)"), tags: tags, count: 10)
    }

    /// BT-LIB-001
    @Test func `a page of items`() throws {
        let page = ItemList([Self.row], node: Self.album(1), cursor: "lib=f100", total: 1234)
        let expected =
            #"{"node":{"uri":"lib:album/1","kind":"album","title":"Album 1","n":10},"rows":[{\#(Self.rowText)}],"cursor":"lib=f100","total":1234}"#
        #expect(text(page.encode) == expected)
        #expect(try ItemList(from: parse(expected)) == page)
    }

    @Test func `an item that is away says so`() throws {
        var row = ItemRow(uri: ItemURI("a:b/c"), tags: Tags())
        row.isAway = true
        #expect(text(row.encode) == #"{"uri":"a:b/c","kind":"track","away":1}"#)
        #expect(try ItemList(from: parse(#"{"rows":[{"uri":"a:b/c","kind":"track","away":1}]}"#)).rows == [row])
    }

    @Test func `a book says who reads it and where it stands in its series`() throws {
        var tags = Tags(title: "The Tombs of Atuan", artists: ["Ursula K. Le Guin"], durationMs: 21_600_000)
        tags.kind = .book
        var row = ItemRow(uri: ItemURI("lib:track/1"), tags: tags)
        row.book = BookTags(series: "Earthsea", number: "2", narrators: ["Rob Inglis"])
        let expected =
            #"{"uri":"lib:track/1","kind":"book","title":"The Tombs of Atuan","artists":["Ursula K. Le Guin"],"durMs":21600000,"series":"Earthsea","number":"2","narrators":["Rob Inglis"]}"#
        #expect(text(row.encode) == expected)
        #expect(try ItemList(from: parse(#"{"rows":[\#(expected)]}"#)).rows == [row])
    }

    @Test func `a page ends where its bytes do`() {
        let page = ItemList((0..<100).map(Self.album))
        let one = text(Self.album(10).encode).utf8.count
        #expect(page.fitting(Int.max) == 100)
        #expect(page.fitting(0) == 0)
        #expect(10..<13 ~= page.fitting((one + ItemRow.mostMarkBytes) * 11 + 11))
    }

    /// BT-LIB-006 BT-LIB-007 BT-LIB-017
    @Test func `everything about one item`() throws {
        var details = ItemDetails(row: Self.row)
        details.genres = ["Art rock"]
        details.composers = ["Thom Yorke"]
        details.labels = ["Parlophone"]
        details.isCompilation = true
        details.format = SoundFormat(codec: "flac", rate: 44100, bits: 16, channels: 2)
        details.gain = ReplayGain(track: -730, album: -650, trackPeak: 980_000, albumPeak: 1_000_000)
        details.chapters = [Chapter(title: "One", startMs: 0, endMs: 1000)]
        details.hasLyrics = true
        details.about = "From the fourth album."
        details.similar = ItemURI("attic:similar/8a1f")
        details.top = ItemURI("attic:top/3")
        details.related = ItemURI("attic:related/3")
        details.path = "/music/a.flac"
        details.addedAtMs = 1_763_740_800_000
        let answer = ItemAnswer(
            details, lyrics: Lyrics(lines: [.init(atMs: 12_000, text: "That there"), .init(text: "that's not me")]),
            media: .init(url: "/media/abc", untilMs: 1_763_741_400_000))
        let expected =
            #"{"item":{\#(Self.rowText)},"genres":["Art rock"],"composers":["Thom Yorke"],"labels":["Parlophone"],"compilation":1,"fmt":{"codec":"flac","rate":44100,"bits":16,"ch":2},"gain":{"track":-7.3,"album":-6.5,"trackPeak":0.98,"albumPeak":1.0},"hasLyrics":1,"about":"From the fourth album.","similar":"attic:similar/8a1f","top":"attic:top/3","related":"attic:related/3","path":"/music/a.flac","addedMs":1763740800000,"chapters":[{"title":"One","startMs":0,"endMs":1000}],"media":{"url":"/media/abc","untilMs":1763741400000},"lyrics":{"timed":1,"lines":[[12000,"That there"],["that's not me"]]}}"#
        #expect(text({ answer.encode(into: &$0, bytes: WireLimits.standard.pageBytes) }) == expected)
        #expect(try ItemAnswer(from: parse(expected)) == answer)
    }

    @Test func `words beyond a page are counted, not sent`() throws {
        let lyrics = Lyrics(lines: (0..<5000).map { Lyrics.Line(atMs: Milliseconds($0), text: "Line number \($0) of a very long song") })
        let bytes = JSONWriter.bytes {
            ItemAnswer(ItemDetails(row: Self.row), lyrics: lyrics).encode(into: &$0, bytes: WireLimits.standard.pageBytes)
        }
        #expect(bytes.count <= WireLimits.standard.pageBytes + 64)
        let read = try JSON.parse(bytes, limits: .init())
        let kept = read["lyrics"]?["lines"]?.array?.count ?? 0
        #expect(kept > 100)
        #expect(read["lyrics"]?["more"]?.int == Int64(5000 - kept))
    }

    @Test func `what was played`() throws {
        let page = PlayedList([.init(item: Self.row, room: RoomID("main"), atMs: 1_763_740_800_000, askedBy: "Ana")])
        let expected = #"{"rows":[{\#(Self.rowText),"room":"main","atMs":1763740800000,"by":"Ana"}]}"#
        #expect(text({ page.encode(into: &$0, bytes: WireLimits.standard.pageBytes) }) == expected)
        #expect(try PlayedList(from: parse(expected)) == page)
    }

    /// BT-PLS-001 BT-PLS-002
    @Test func `playlists, and one of them`() throws {
        let rule = SmartRule([.init(.stars, .atLeast, value: "4")], order: .played, isDescending: true, limit: 50)
        var plain = PlaylistRow(
            id: PlaylistID("p1"), name: "Run", revision: 7, count: 1, durationMs: 356_000, art: Artwork(id: "91c3f0"), undo: "remove")
        plain.about = "For rain"
        let list = PlaylistList([plain, PlaylistRow(id: PlaylistID("p2"), name: "Best", revision: 0, count: 0, rule: rule)], revision: 9)
        let plainText = #"{"id":"p1","name":"Run","rev":7,"n":1,"durMs":356000,"art":"91c3f0","undo":"remove","about":"For rain"}"#
        let expected =
            #"{"rev":9,"rows":[\#(plainText),{"id":"p2","name":"Best","rev":0,"n":0,"durMs":0,"smart":1,"rule":{"all":[{"f":"stars","is":"atLeast","v":"4"}],"order":"played","desc":1,"limit":50}}]}"#
        #expect(text({ list.encode(into: &$0, bytes: WireLimits.standard.pageBytes) }) == expected)
        #expect(try PlaylistList(from: parse(expected)) == list)

        let contents = PlaylistContents([PlaylistEntry(id: EntryID(7), row: Self.row, path: "/music/a.flac")], list: plain, from: 0)
        let whole = #"{"list":\#(plainText),"from":0,"rows":[{"e":"q7",\#(Self.rowText),"path":"/music/a.flac"}]}"#
        #expect(text({ contents.encode(into: &$0, bytes: WireLimits.standard.pageBytes) }) == whole)
        #expect(try PlaylistContents(from: parse(whole)) == contents)
    }

    @Test func `what an edit came to`() throws {
        let edited = PlaylistEdited(id: PlaylistID("p1"), revision: 8, added: [EntryID(1), EntryID(2)])
        #expect(text({ edited.encode(into: &$0) }) == #"{"id":"p1","rev":8,"ids":["q1","q2"]}"#)
        #expect(try PlaylistEdited(from: parse(#"{"id":"p1","rev":8,"ids":["q1","q2"]}"#)) == edited)
        let there = PlaylistEdited(
            list: ItemURI("a:playlist/1"), count: 2, missed: 3, missing: [.init(uri: ItemURI("b:c"), title: "d", artists: ["e"])])
        let whole = #"{"list":"a:playlist/1","n":2,"missed":3,"missing":[{"uri":"b:c","title":"d","artists":["e"]}]}"#
        #expect(JSONWriter.bytes { there.encode(into: &$0) } == Array(whole.utf8))
        #expect(try PlaylistEdited(from: parse(whole)) == there)
        #expect(PlaylistEdited(revision: 1, entries: (0..<1500).map { EntryID($0) }).more == 500)
    }

    /// BT-LIB-013
    @Test func `folders, and how the scan went`() throws {
        var report = ScanReport()
        report.seen = 10
        report.read = 9
        report.failed = 1
        report.tookMs = 1200
        report.isDone = true
        report.problems = ["/music/bad.flac cannot be read."]
        let folders = LibraryFolders(
            [.init(path: "/music", tracks: 9), .init(path: "/gone", tracks: 0, problem: "It is not there.")], report: report)
        let expected =
            #"{"folders":[{"path":"/music","n":9},{"path":"/gone","n":0,"problem":"It is not there."}],"report":{"seen":10,"read":9,"moved":0,"gone":0,"failed":1,"tookMs":1200,"done":1,"problems":["/music/bad.flac cannot be read."]}}"#
        #expect(text({ folders.encode(into: &$0, bytes: WireLimits.standard.pageBytes) }) == expected)
        #expect(try LibraryFolders(from: parse(expected)) == folders)
    }

    /// BT-SEC-013 BT-SEC-014
    @Test func `the sections lib and pl`() throws {
        let scanning = LibrarySection(revision: 3, tracks: 100, albums: 10, artists: 5, scan: .init(done: 40, total: 100, failed: 1))
        let expected = #"{"rev":3,"tracks":100,"albums":10,"artists":5,"scan":{"done":40,"total":100,"failed":1}}"#
        #expect(text(scanning.encode) == expected)
        #expect(try LibrarySection(from: parse(expected)) == scanning)
        #expect(
            text(LibrarySection(revision: 3, tracks: 0, albums: 0, artists: 0).encode) == #"{"rev":3,"tracks":0,"albums":0,"artists":0}"#)
        #expect(text(PlaylistsSection(revision: 3, count: 2).encode) == #"{"rev":3,"n":2}"#)
        #expect(try PlaylistsSection(from: parse(#"{"rev":3,"n":2}"#)) == PlaylistsSection(revision: 3, count: 2))
        let most = LibrarySection(
            revision: Int(JSON.largestNumber), tracks: 10_000_000, albums: 10_000_000, artists: 10_000_000,
            scan: .init(done: 10_000_000, total: 10_000_000, failed: 10_000_000))
        #expect(text(most.encode).utf8.count <= Section.library.cap)
    }

    @Test func `a wrist is told a picture and its colour`() throws {
        var tags = Tags(title: "Kid A")
        tags.art = Artwork(id: "91c3f0", colours: [0x0A2B3C, 0xFFFFFF])
        let item = WatchItem(NowSection(entry: EntryID(1), uri: nil, tags: tags))
        #expect(text(item.encode) == #"{"i":"q1","t":"Kid A","a":"","c":"91c3f0","k":"0a2b3c"}"#)
        #expect(try WatchItem(from: parse(#"{"i":"q1","t":"Kid A","a":"","c":"91c3f0","k":"0a2b3c"}"#)) == item)
    }

    @Test func `a picture's frames read back as they were written`() throws {
        let frames = [
            ArtFrame(transfer: 513, head: .init(total: 70_000, format: 1, width: 600, height: 601), data: [1, 2, 3]),
            ArtFrame(transfer: 0xFFFF, isLast: true, data: [9]), ArtFrame(transfer: 0, isCancelled: true),
        ]
        for frame in frames { #expect(ArtFrame(frame.bytes) == frame) }
        #expect(frames[0].bytes == [0x10, 1, 2, 1, 0, 1, 0x11, 0x70, 1, 2, 0x58, 2, 0x59, 1, 2, 3])
        #expect(frames[1].bytes == [0x10, 2, 0xFF, 0xFF, 9])
        #expect(frames[2].bytes == [0x10, 4, 0, 0])
    }

    @Test func `whatever comes as a picture's frame is read or refused`() {
        let frames = (0..<200 as Range<UInt64>).compactMap { seed in
            var random = SeededGenerator(seed: seed)
            return ArtFrame([0x10] + (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
        }

        #expect(frames.allSatisfy { ArtFrame($0.bytes) == $0 })
        #expect(!frames.isEmpty && frames.count < 200)
    }
}
