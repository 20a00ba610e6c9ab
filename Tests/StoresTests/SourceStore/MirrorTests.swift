/// Mirrors on disk: passes that stop and go on, what they show, and what a search finds in them.
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

struct MirrorTests {
    @Test func `the rows of a pass are shown when it is finished, and those before until then`() throws {
        try withSources { store in
            #expect(throws: SourceFault.self) { try store.browse("home", BrowseQuery()) }
            try store.mirror(Music().page)
            #expect(try store.titles(in: "home:shelf/tracks") == ["Airbag", "Lucky", "Air", "Moon Safari"])
            #expect(try store.status(of: "home") == MirrorStatus(rows: 8, finishedAtMs: 7))

            var changed = Music()
            changed.tracks.removeFirst()
            let pass = try store.begin("home", atMs: 10)
            try store.put(changed.page, in: pass)
            #expect(try store.titles(in: "home:shelf/tracks").count == 4)
            try store.finish(pass, atMs: 11)

            #expect(try store.titles(in: "home:shelf/tracks") == ["Lucky", "Air", "Moon Safari"])
            #expect(try store.row(of: ItemURI("home:track/0"), in: "home") == nil)
            #expect(try store.status(of: "home")?.rows == 7)
            let tables = try store.look { sources throws(SourceFault) in
                try sources.all("SELECT name FROM sqlite_schema WHERE name LIKE 'mirror_item_%'") { $0.text(0) }
            }
            #expect(tables.count == 1)
        }
    }

    @Test func `a row of a book comes back with its series and its narrators`() throws {
        var row = ItemRow(uri: ItemURI("home:book/1"), tags: Tags(title: "Tehanu", artists: ["Ursula K. Le Guin"]), isAway: true)
        row.tags.kind = .book
        row.book = BookTags(series: "Earthsea", number: "4", narrators: ["Jenny Sterlin"])
        #expect(ItemRow(packed: row.packed) == row)
    }

    @Test(arguments: [SoundQuality(isLossless: true), SoundQuality(isLossless: false, bitrate: 128), nil])
    func `a row of a track comes back with the quality of its sound`(quality: SoundQuality?) throws {
        var row = ItemRow(uri: ItemURI("home:track/1"), tags: Tags(title: "Airbag", artists: ["Radiohead"]), isAway: true)
        row.quality = quality
        #expect(ItemRow(packed: row.packed) == row)
    }

    @Test func `rows come back as they were, grey, by page and by number`() throws {
        try withSources { store in
            let music = Music()
            try store.mirror(music.page)
            let shelves = try store.browse("home", BrowseQuery())
            #expect(shelves.rows.map(\.uri.text) == ["home:shelf/tracks", "home:shelf/albums"])
            var expected = music.tracks
            for at in expected.indices { expected[at].isAway = true }

            let first = try store.browse("home", BrowseQuery(node: music.shelf, window: PageWindow(limit: 3)))
            #expect(first.rows == Array(expected.prefix(3)) && first.total == 4)
            let cursor = try #require(first.cursor)
            #expect(cursor.hasPrefix(MirrorCursorMark.text))
            let rest = try store.browse("home", BrowseQuery(node: music.shelf, window: PageWindow(limit: 3, cursor: cursor)))
            #expect(rest.rows == Array(expected.suffix(1)) && rest.cursor == nil)
            #expect(try store.browse("home", BrowseQuery(node: music.shelf, window: PageWindow(from: 2))).rows == Array(expected.suffix(2)))
            #expect(try store.row(of: music.tracks[2].uri, in: "home") == expected[2])
            #expect(try store.titles(in: "home:shelf/tracks", sort: .name) == ["Air", "Airbag", "Lucky", "Moon Safari"])
            #expect(throws: SourceFault.self) {
                try store.browse("home", BrowseQuery(node: music.shelf, window: PageWindow(cursor: "of the server")))
            }
            #expect(throws: SourceFault.self) { try store.browse("home", BrowseQuery(node: ItemURI("home:album/none"))) }
        }
    }

    @Test func `a container that was not noted is told from an empty one`() throws {
        try withSources { store in
            var page = Music().page
            func shelf(_ name: String, count: Int?) -> ItemRow {
                var tags = Tags(title: name)
                tags.kind = .shelf
                return ItemRow(uri: ItemURI("home:shelf/\(name)"), tags: tags, count: count)
            }
            page.rows += [MirrorRow(shelf("empty", count: 0), in: nil, at: 8), MirrorRow(shelf("random", count: nil), in: nil, at: 9)]
            try store.mirror(page)

            #expect(try store.browse("home", BrowseQuery(node: ItemURI("home:shelf/empty"))) == ItemPage(total: 0))
            let fault = #expect(throws: SourceFault.self) { try store.browse("home", BrowseQuery(node: ItemURI("home:shelf/random"))) }
            #expect(fault?.code == .unavailable && fault?.sentence.contains("random") == true)
        }
    }

    @Test func `places with gaps are counted and paged as rows`() throws {
        try withSources { store in
            var page = Music().page
            let artist = ItemURI("home:artist/gaps")
            page.rows += [0, 1, 2].map { MirrorRow(Music.album(50 + $0, "Album \($0)", by: "Air"), in: artist, at: 1_994_000 + $0 * 1_000) }
            try store.mirror(page)

            let first = try store.browse("home", BrowseQuery(node: artist, window: PageWindow(limit: 2)))
            #expect(first.total == 3 && first.rows.count == 2)
            let rest = try store.browse("home", BrowseQuery(node: artist, window: PageWindow(limit: 2, cursor: first.cursor)))
            let last = try store.browse("home", BrowseQuery(node: artist, window: PageWindow(from: 2, limit: 2)))
            #expect(rest.rows.map(\.tags.title) == ["Album 2"] && last.rows == rest.rows && last.cursor == nil)
        }
    }

    @Test func `a container has its tracks in order, also one that contains itself`() throws {
        try withSources { store in
            let music = Music()
            try store.mirror(music.page)
            #expect(try store.tracks(of: ItemURI("home:artist/1"), in: "home").map(\.tags.title) == ["Airbag", "Lucky"])
            #expect(try store.tracks(of: music.tracks[3].uri, in: "home").map(\.tags.title) == ["Moon Safari"])
            #expect(try store.tracks(of: ItemURI("home:artist/9"), in: "home").isEmpty)
        }
    }

    @Test func `a search that tolerates mistakes finds words with one behind exact ones, where the page has room`() throws {
        try withSources { store in
            var music = Music()
            music.tracks.append(Music.track(4, "Axrbag", by: "Radiohead", on: "Other"))
            try store.mirror(music.page)
            func found(_ text: String, from: Int = 0, limit: Int = 80) throws -> [String] {
                let window = PageWindow(from: from, limit: limit)
                return try store.search("home", SearchQuery(text, window: window, toleratesMistakes: true)).rows.map(\.tags.title)
            }
            #expect(try found("airba") == ["Airbag", "Axrbag"] && found("airbag") == ["Airbag"])
            #expect(try found("airba", limit: 1) == ["Airbag"] && found("airba", from: 1, limit: 2) == ["Axrbag"])
            #expect(try found("lucjy radiohaed") == ["Lucky"])
            #expect(try store.found("lucjy").isEmpty && found("lxcjy").isEmpty)
        }
    }

    @Test func `a mirror of a version that kept no words finds what has no mistake, and the next pass keeps them`() throws {
        try withSources { store in
            try store.mirror(Music().page)
            try store.change { sources throws(SourceFault) in try sources.execute("DROP TABLE mirror_term_0") }
            func found(_ text: String) throws -> Int { try store.search("home", SearchQuery(text, toleratesMistakes: true)).rows.count }
            #expect(try found("lucky") == 1 && found("lucjy") == 0)
            try store.mirror(Music().page)
            #expect(try found("lucky") == 1 && found("lucjy") == 1)
        }
    }

    @Test func `a search finds what holds others first, then titles, then artists and albums`() throws {
        try withSources { store in
            try store.mirror(Music().page)
            #expect(try store.found("air") == ["artist Air", "track Air", "track Airbag", "track Moon Safari"])
            #expect(try store.found("AÏR", [.track]) == ["track Air", "track Airbag", "track Moon Safari"])
            #expect(try store.found("ok com") == ["album OK Computer", "track Airbag", "track Lucky"])
            #expect(try store.found("radio luck") == ["track Lucky"])
            #expect(try store.found("computer radiohead", [.album]) == ["album OK Computer"])
            #expect(try store.found("\" OR tair* NOT (").isEmpty)
            #expect(throws: SourceFault.self) { try store.found("…") }
        }
    }

    @Test(arguments: [1, 2, 3, 7]) func `the pages of a search are the whole search`(limit: Int) throws {
        try withSources { store in
            var music = Music()
            music.more = (0..<60).map { number in
                var row = Music.track(
                    100 + number, "Song \(number % 9) of \(number)", by: "Band of \(number % 5)", on: "Songs \(number % 4)")
                row.mark.plays = number % 3
                return row
            }
            music.albums += (0..<20).map { Music.album(10 + $0, "Songs of \($0)", by: "Band") }
            try store.mirror(music.page)
            let whole = try store.search("home", SearchQuery("of so", window: PageWindow(limit: 1000)))
            #expect(whole.rows.count == 80 && whole.cursor == nil)
            #expect(Set(whole.rows.map(\.uri)).count == 80)
            #expect(whole.rows.prefix(12).allSatisfy { $0.tags.kind == .album } && whole.rows[12].tags.kind == .track)
            #expect(whole.rows[12..<72].map(\.mark.plays) == whole.rows[12..<72].map(\.mark.plays).sorted(by: >))

            var rows: [ItemRow] = []
            var cursor: String?
            repeat {
                let page = try store.search("home", SearchQuery("of so", window: PageWindow(limit: limit, cursor: cursor)))
                #expect(page.rows.count == min(limit, 80 - rows.count))
                rows += page.rows
                cursor = page.cursor
            } while cursor != nil && rows.count < 100
            #expect(rows == whole.rows)
            #expect(
                try store.search("home", SearchQuery("of so", window: PageWindow(from: 30, limit: 20))).rows == Array(whole.rows[30..<50]))
        }
    }

    @Test func `a pass goes on after the end of the program, and an old one begins anew`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let music = Music()
            let rows = music.page.rows
            let store = try SourceStore(folder: folder)
            let pass = try store.begin("home", atMs: 1)
            try store.put(MirrorPage(Array(rows.prefix(5)), cursor: "five"), in: pass)
            // Not closed: the process dies here.

            let next = try SourceStore(folder: folder)
            let same = try next.begin("home", atMs: 2)
            #expect(same == SourceMirroring(source: "home", number: pass.number, cursor: "five"))
            try next.put(MirrorPage(Array(rows.dropFirst(5))), in: same)
            #expect(try next.begin("home", atMs: 3).isNoted)
            try next.finish(same, atMs: 4)
            #expect(try next.titles(in: "home:shelf/tracks").count == 4)

            let old = try next.begin("home", atMs: 5)
            try next.put(MirrorPage(Array(rows.prefix(5)), cursor: "five"), in: old)
            let fresh = try next.begin("home", atMs: 5 + 86_400_001)
            #expect(fresh.cursor == nil && fresh.number != old.number)
            #expect(throws: SourceFault.self) { try next.put(music.page, in: old) }
            #expect(try next.titles(in: "home:shelf/tracks").count == 4)
            try next.forgetRows(of: "home")
            #expect(try next.status(of: "home") == nil)
            next.close()
            store.close()
        }
    }

    @Test func `a fault at any step of a pass leaves the rows that were shown`() throws {
        try withSources { store in
            try store.mirror(Music().page)
            var changed = Music()
            changed.tracks.removeLast()
            var failed = 0
            for steps in stride(from: 0, to: .max, by: 7) {
                store.failAfter(steps: steps)
                do {
                    let pass = try store.begin("home", atMs: 20)
                    if !pass.isNoted { try store.put(changed.page, in: pass) }
                    try store.finish(pass, atMs: 20)
                    break
                } catch let fault as SourceFault {
                    failed += 1
                    #expect(!fault.sentence.isEmpty)
                }
                store.failAfter(steps: nil)
                let titles = try store.titles(in: "home:shelf/tracks")
                // Either pass was shown as a whole: only clearing the old one away may have failed.
                #expect(titles == Music().titles || titles == changed.titles)
            }
            store.failAfter(steps: nil)
            #expect(failed > 5)
            #expect(try store.titles(in: "home:shelf/tracks") == changed.titles)
        }
    }

    @Test func `damage is a sentence and a fresh file at the next start, and a newer file is left untouched`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try SourceStore(folder: folder).close()
            try Data("no database".utf8).write(to: URL(fileURLWithPath: folder + "/sources.db"))
            let fresh = try SourceStore(folder: folder)
            #expect(fresh.notices.first?.contains("sources.db.damaged-1") == true)
            fresh.close()

            try Database(folder + "/sources.db").execute("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
            let before = try Data(contentsOf: URL(fileURLWithPath: folder + "/sources.db"))
            #expect(throws: SourceFault.self) { try SourceStore(folder: folder) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/sources.db")) == before)
        }
    }
}
