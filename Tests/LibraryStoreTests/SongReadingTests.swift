/// Songs by their paths: their order, their tags, and what finds them.
import BatonCore
import BatonSeams
import Testing

@testable import Stores

@Suite struct SongReadingTests {
    /// The folder of mpd's oracle, whose order was recorded there.
    private static let oracle: [Song] = [
        song("Various/Sampler/02 It's.ogg", [.album: "Sampler", .track: "2", .artist: "Amber Lane"]),
        song("Bøk & Søn/Ålborg/2 Fyr.mp3", [.album: "Ålborg", .track: "2", .artist: "Bøk & Søn"]),
        song("Bøk & Søn/Ålborg/1 Ærø.mp3", [.album: "Ålborg", .track: "1", .artist: "Bøk & Søn"]),
        song("Cellar/mono.opus", [.album: "first light", .artist: "amber lane", .title: "dawn"]),
        song("Cellar/no tags.flac", [:]),
        song("Cellar/two.flac", [.album: "Duets", .artist: "Ada", .composer: "Cleo", .track: "7"], more: [.artist: "Ben"]),
        song("top.mp3", [.title: "Top", .artist: "Merle Ash"]),
        song("Amber Lane/Second/Dawn.flac", [.album: "Second", .track: "1", .artist: "Amber Lane"]),
        song("Amber Lane/First Light/03 Dusk.flac", [.album: "First Light", .track: "3", .disc: "2", .artist: "Amber Lane"]),
        song("Amber Lane/First Light/02 Noon.flac", [.album: "First Light", .track: "2", .disc: "1", .artist: "Amber Lane"]),
        song(
            "Amber Lane/First Light/01 Dawn.flac",
            [
                .album: "First Light", .track: "1", .disc: "1", .artist: "Amber Lane", .albumArtist: "Amber Lane", .title: "Dawn",
                .trackID: "0b21c6d9-7c3a-4f0e-9f6b-5a2f6f0f1c11",
            ]),
    ]

    private static func song(_ path: String, _ tags: KeyValuePairs<TagName, String>, more: KeyValuePairs<TagName, String> = [:]) -> Song {
        var parts = path.split(separator: "/").map(String.init)
        let name = parts.removeLast()
        var song = Song(name, in: (["/music"] + parts).joined(separator: "/"))
        song.name = name
        song.facts.fileTags = FileTags(tags: (Array(tags) + Array(more)).map { .init($0.key, $0.value) })
        return song
    }

    private func withOracle(_ body: (LibraryStore) throws -> Void) throws {
        try withLibrary { library in
            _ = try library.setFolder("/music", isWanted: true)
            try library.scan(Self.oracle)
            try body(library)
        }
    }

    /// All rows of a list as texts, read in pieces of this size.
    private func rows(_ library: LibraryStore, below folder: String = "", _ depth: SongDepth = .tree, most: Int = 100) throws -> [String] {
        var rows: [String] = []
        var place: SongPlace?
        repeat {
            let page = try library.rows(below: folder, depth: depth, after: place, most: most)
            rows += page.rows.map { row in
                switch row {
                case .song(let song): song.uri
                case .folder(let path, _): path + "/"
                }
            }
            if depth == .tree { #expect(try library.place(below: folder, after: place, skipping: most) == page.next) }
            place = page.next
        } while place != nil
        return rows
    }

    private func found(_ library: LibraryStore, _ search: SongSearch, most: Int = 100) throws -> [String] {
        var found: [String] = []
        var place: SongPlace?
        repeat {
            let page = try library.songs(search, after: place, most: most)
            found += page.rows.map(\.uri)
            place = page.next
        } while place != nil
        for isWhole in [false, true] {
            guard let numbers = try library.find(search, isWhole: isWhole) else { continue }
            #expect(try library.songs(numbered: numbers[...]).map(\.uri) == found)
        }
        return found
    }

    private func song(_ library: LibraryStore, _ path: String) throws -> BatonSeams.Song {
        guard case .song(let song)? = try library.row(atPath: path) else { throw SourceFault(.notFound, "no song") }
        return song
    }

    // MARK: - The tree

    private static let tree = [
        "top.mp3", "Amber Lane/", "Amber Lane/First Light/", "Amber Lane/First Light/01 Dawn.flac", "Amber Lane/First Light/02 Noon.flac",
        "Amber Lane/First Light/03 Dusk.flac", "Amber Lane/Second/", "Amber Lane/Second/Dawn.flac", "Bøk & Søn/", "Bøk & Søn/Ålborg/",
        "Bøk & Søn/Ålborg/1 Ærø.mp3", "Bøk & Søn/Ålborg/2 Fyr.mp3", "Cellar/", "Cellar/no tags.flac", "Cellar/two.flac", "Cellar/mono.opus",
        "Various/", "Various/Sampler/", "Various/Sampler/02 It's.ogg",
    ]

    @Test(arguments: [1, 2, 3, 5, 100]) func `songs come before folders, by album, disc, track and name, in any pieces`(most: Int) throws {
        try withOracle { library throws in
            #expect(try rows(library, most: most) == Self.tree)
            #expect(
                try rows(library, .folder, most: most) == ["top.mp3", "Amber Lane/", "Bøk & Søn/", "Cellar/", "Various/"])
            #expect(try rows(library, below: "Amber Lane", .folder, most: most) == ["Amber Lane/First Light/", "Amber Lane/Second/"])
            #expect(try rows(library, below: "Cellar", most: most) == ["Cellar/no tags.flac", "Cellar/two.flac", "Cellar/mono.opus"])
            #expect(try rows(library, below: "nowhere", most: most) == [])
        }
    }

    @Test func `a path is a song, a folder, or nothing, and an item has the song of its file`() throws {
        try withOracle { library in
            #expect(try library.row(atPath: "Cellar") == .folder("Cellar", changed: nil))
            #expect(try library.row(atPath: "") == .folder("", changed: nil))
            for path in ["Cellar/", "nowhere", "Cellar/two", "/Cellar", "../music/top.mp3"] {
                #expect(try library.row(atPath: path) == nil, "\(path)")
            }
            let song = try song(library, "Cellar/two.flac")
            #expect(song.tags.map(\.value) == ["Duets", "Ada", "Cleo", "7", "Ben"] && song.durationMs == 180_000)
            let item = try #require(song.item)
            #expect(try library.songs(of: [item, ItemURI("attic:track/1"), item]) == [song, nil, song])
        }
    }

    @Test func `a renamed file has another path and the same item, and a file that is gone has none`() throws {
        try withOracle { library in
            let before = try song(library, "Cellar/two.flac")
            var songs = Self.oracle
            for place in songs.indices where songs[place].name == "two.flac" { songs[place].name = "three.flac" }
            songs.removeAll { $0.name == "top.mp3" }
            try library.scan(songs)

            let after = try song(library, "Cellar/three.flac")
            #expect(after.item == before.item)
            for gone in ["Cellar/two.flac", "top.mp3"] {
                #expect(try library.row(atPath: gone) == nil)
            }
            #expect(try found(library, SongSearch(texts: ["two"])) == [])
            #expect(try found(library, SongSearch(texts: ["three"])).count == 1)
            #expect(try library.totals().songs == songs.count)
        }
    }

    @Test func `several music folders stand in the one above them by their names`() throws {
        try withLibrary { library in
            for folder in ["/a/Music", "/b/Music", "/c/More"] { _ = try library.setFolder(folder, isWanted: true) }
            try library.scan(
                [Song("One", in: "/b/Music/X"), Song("Two", in: "/a/Music"), Song("Three", in: "/c/More")], below: ["/a", "/b", "/c"])
            #expect(
                try rows(library) == [
                    "More/", "More/Three.flac", "Music/", "Music/Two.flac", "Music (2)/", "Music (2)/X/", "Music (2)/X/One.flac",
                ])
            #expect(try found(library, SongSearch(texts: ["music"])).count == 2)

            for folder in ["/b/Music", "/c/More"] { _ = try library.setFolder(folder, isWanted: false) }
            #expect(try rows(library) == ["Two.flac"])
            #expect(try found(library, SongSearch(texts: ["music"])) == [])
        }
    }

    @Test func `a part of a file has a path behind that of the file, and a book is one song`() throws {
        try withLibrary { library in
            _ = try library.setFolder("/music", isWanted: true)
            var part = TrackFacts()
            part.tags = Tags(title: "Part", artists: ["Ada"], durationMs: 1_000)
            part.startMs = 1_000
            var whole = Song("Whole", in: "/music/Live").scanned
            whole.content = .tracks([part, part], fingerprint: Fingerprint(high: 1, low: 2), lyrics: nil)
            let scan = try library.beginScan(atMs: 1)
            try library.store([whole], in: scan, atMs: 1)
            try library.endScan(scan, below: ["/music"], ScanReport(), atMs: 1)

            #expect(try rows(library) == ["Live/", "Live/Whole.flac/track0001", "Live/Whole.flac/track0002"])
            let song = try song(library, "Live/Whole.flac/track0002")
            #expect(song.tags == [.init(.artist, "Ada"), .init(.title, "Part")])
        }
    }

    @Test func `a folder has the time at which it changed, whether it was known before or not`() throws {
        try withLibrary { library in
            _ = try library.setFolder("/music", isWanted: true)
            let scan = try library.beginScan(atMs: 1)
            try library.noteTimes(of: ["/music": 5, "/music/Live": 6, "/music/nothing": 7])
            try library.store([Song("One", in: "/music/Live").scanned], in: scan, atMs: 1)
            try library.endScan(scan, below: ["/music"], ScanReport(), atMs: 1)
            let rows = try library.rows(below: "", depth: .tree, after: nil, most: 1).rows
            #expect(rows.first == .folder("Live", changed: 6))
            #expect(try library.row(atPath: "") == .folder("", changed: 5))

            try library.noteTimes(of: ["/music/Live": 8])
            #expect(try library.row(atPath: "Live") == .folder("Live", changed: 8))
            #expect(try library.rows(below: "", depth: .folder, after: nil, most: 9).rows == [.folder("Live", changed: 8)])
        }
    }

    // MARK: - Finding

    private static let searches: [([String], Int)] = [
        (["amber"], 6), (["AMBER"], 6), (["mb"], 6), (["dawn"], 3), (["Ær"], 1), (["ærø"], 1), (["cellar"], 3), (["lar/two"], 1),
        (["it's"], 1),
        (["duets", "ben"], 1), (["duets", "light"], 0), (["first light"], 4), (["ight"], 4), ([], 11), (["\""], 0), (["9f6b-5a2f6f"], 1),
        (["0b21c6d9-7c3a-4f0e-9f6b-5a2f6f0f1c11"], 1), (["nowhere"], 0),
    ]

    @Test(arguments: [1, 2, 100]) func `texts are found in names, folders and all tags, whatever their length`(most: Int) throws {
        try withOracle { library in
            for (texts, count) in Self.searches {
                let found = try found(library, SongSearch(texts: texts), most: most)
                #expect(found.count == count, "\(texts): \(found)")
                #expect(found == Self.tree.filter(Set(found).contains), "\(texts)")
            }
            #expect(try found(library, SongSearch(folder: "Amber Lane", texts: ["dawn"]), most: most).count == 2)
            #expect(try found(library, SongSearch(folder: "Amber Lane/Second"), most: most) == ["Amber Lane/Second/Dawn.flac"])
            #expect(try found(library, SongSearch(folder: "nowhere"), most: most) == [])
        }
    }

    @Test func `times leave out older files`() throws {
        try withLibrary { library in
            _ = try library.setFolder("/music", isWanted: true)
            let scan = try library.beginScan(atMs: 5_000)
            let files = (1...3).map { Song("Song \($0)").scanned(modifiedNs: Int64($0) * 1_000_000_000) }
            try library.store(files, in: scan, atMs: 5_000)
            try library.endScan(scan, below: ["/music"], ScanReport(), atMs: 5_000)
            #expect(try found(library, SongSearch(changedSince: 2)) == ["Song 2.flac", "Song 3.flac"])
            #expect(try found(library, SongSearch(addedSince: 5)).count == 3)
            #expect(try found(library, SongSearch(addedSince: 6)).count == 0)
        }
    }

    // MARK: - Values

    @Test func `values are sorted by bytes, the empty one first, and count songs`() throws {
        try withOracle { library in
            let artists = try library.values(of: [.artist])
            let names = artists.map { $0.values[0] }
            #expect(names == ["", "Ada", "Amber Lane", "Ben", "Bøk & Søn", "Merle Ash", "amber lane"])
            #expect(artists.map(\.songs) == [1, 1, 5, 1, 2, 1, 1])
            let pairs = try library.values(of: [.albumArtist, .album]).map { $0.values.joined(separator: "|") }
            #expect(
                pairs == [
                    "|", "Ada|Duets", "Amber Lane|First Light", "Amber Lane|Sampler", "Amber Lane|Second", "Ben|Duets", "Bøk & Søn|Ålborg",
                    "Merle Ash|", "amber lane|first light",
                ])
            #expect(
                try library.totals() == SongTotals(songs: 11, artists: 6, albums: 6, durationMs: 11 * 180_000))
        }
    }

    @Test func `a song with many values of many tags counts for a bounded number of combinations`() throws {
        try withLibrary { library in
            _ = try library.setFolder("/music", isWanted: true)
            var song = Self.song("x.flac", [:])
            song.facts.fileTags = FileTags(
                tags: [TagName.artist, .genre, .composer].flatMap { name in (0..<60).map { .init(name, "\(name) \($0)") } })
            try library.scan([song])
            #expect(try library.values(of: [.artist, .genre, .composer]).count == 1_000)
            #expect(try library.values(of: [.artist, .genre]).count == 1_000)
            #expect(try library.values(of: [.artist]).count == 60)
        }
    }

    @Test func `all tags of a file can be read`() throws {
        try withLibrary { library in
            _ = try library.setFolder("/music", isWanted: true)
            let song = Song("One").with {
                $0.fileTags = FileTags(tags: [.init(.artist, "Ada")], others: [.init("comment", "made at home"), .init("ENCODER", "x")])
            }
            try library.scan([song])
            let comments = try library.comments(atPath: "One.flac")
            #expect(comments.map(\.name) == ["Artist", "comment", "ENCODER"] && comments.map(\.value) == ["Ada", "made at home", "x"])
            #expect(try library.comments(atPath: "Two.flac").isEmpty)
        }
    }

    // MARK: - The same as a model

    /// A song of random names and tags.
    private struct RandomSong {
        var path: String
        var texts: [String]

        init(_ number: Int, _ random: inout SeededGenerator) {
            texts = [Self.text(&random), Self.text(&random), Self.text(&random)]
            path = "\(Self.text(&random))/\(Self.text(&random)) \(number).flac"
        }

        static func text(_ random: inout SeededGenerator) -> String {
            let words = ["ab", "abc", "Bad", "É", "été", "\"q\"", "o'c", "x-y", "a b", "ſ", "ß"]
            let count = Int.random(in: 1...3, using: &random)
            return (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &random)] }.joined()
        }

        var scanned: Song { SongReadingTests.song(path, [.artist: texts[0], .album: texts[1], .title: texts[2]]) }

        func holds(_ text: String) -> Bool { ([path] + texts).contains { $0.lowercased().contains(text.lowercased()) } }
    }

    @Test(arguments: 0..<12) func `after any changes a search finds what a scan of all songs finds`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        try withLibrary { library in
            _ = try library.setFolder("/music", isWanted: true)
            var songs: [RandomSong] = []
            for round in 0..<4 {
                songs.removeAll { _ in Bool.random(using: &random) }
                for number in 0..<8 { songs.append(RandomSong(round * 8 + number, &random)) }
                try library.scan(songs.map(\.scanned))

                let all = try found(library, SongSearch())
                let paths = songs.map(\.path)
                #expect(all.sorted() == paths.sorted())
                let walked = try rows(library).filter { !$0.hasSuffix("/") }
                #expect(walked == all)
                for _ in 0..<12 {
                    let wanted = RandomSong.text(&random)
                    let found = Set(try found(library, SongSearch(texts: [wanted]), most: 3))
                    for song in songs where song.holds(wanted) { #expect(found.contains(song.path), "\(wanted)") }
                }
            }
        }
    }

    @Test func `changes of songs are counted, and those of stars are none`() throws {
        try withOracle { library in
            let known = library.songChanges
            #expect(known > 0)
            let item = try #require(try library.songs(SongSearch(), after: nil, most: 1).rows.first?.item)
            let revision = library.libraryCounts().libraryRevision
            _ = try library.setStars(NewEntry(uri: item, tags: Tags()), 4, atMs: 1)
            #expect(library.libraryCounts().libraryRevision != revision && library.songChanges == known)
            try library.scan(Self.oracle)
            #expect(library.songChanges == known)
            try library.scan(Array(Self.oracle.dropFirst()))
            #expect(library.songChanges > known)
        }
    }
}
