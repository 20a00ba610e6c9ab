/// What holds for any library: folding, pages, and what a search finds.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Stores

struct LibraryPropertyTests {
    private static let letters = Array("aAäÄbßéÉøłŁæÆ 東京カがabcxyz'-ﬁＡ①İıΣς\u{301}")

    private func text(_ random: inout SeededGenerator) -> String {
        String((0..<Int(random.next() % 12)).map { _ in Self.letters[Int(random.next() % UInt64(Self.letters.count))] })
    }

    @Test(arguments: 0..<200) func `folding what was folded changes nothing, and a beginning folds to a beginning`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let text = text(&random)
        let folded = Folding.fold(text)

        #expect(Folding.fold(folded) == folded, "\(text)")
        for end in text.indices {
            let start = Folding.fold(String(text[..<end])).replacing(" ", with: "")
            #expect(folded.replacing(" ", with: "").utf8.starts(with: start.utf8), "\(text[..<end]) of \(text)")
        }
    }

    @Test func `letters that look alike are alike`() {
        let alike = [
            ("Björk", "bjork"), ("Straße", "strasse"), ("MØ", "mo"), ("Łódź", "lodz"), ("Ænima", "aenima"), ("ＡＢＢＡ", "abba"),
            ("don’t", "dont"), ("AC/DC", "ac dc"), ("Ё", "е"), ("e\u{301}", "e"), ("ガ", "か"), ("!!!", ""),
        ]
        for (text, folded) in alike { #expect(Folding.fold(text) == folded) }
    }

    private func library(_ random: inout SeededGenerator) -> [Song] {
        let words = ["love", "lover", "song", "blue", "black", "Élan", "night", "nine"]
        return (0..<60).map { number in
            func name() -> String { (0...Int(random.next() % 2)).map { _ in words[Int(random.next() % 8)] }.joined(separator: " ") }
            var song = Song(name(), by: [name()], on: name(), sound: UInt64(number + 1))
            song.name = "\(name()) \(number).flac"
            return song
        }
    }

    /// The tier a model finds by looking at every song.
    private func tier(_ song: Song, _ words: [String]) -> Int? {
        let texts = [song.facts.tags.title, song.facts.tags.artists[0], song.facts.tags.album, song.name]
            .map { Folding.words(Folding.fold($0)).map(String.init) }
        let place = (0..<4).first { tier in
            words.allSatisfy { word in texts[...tier].joined().contains { $0.hasPrefix(word) } }
        }
        guard place == 0 else { return place.map { $0 + 2 } }
        // A title that is so comes first, then one that begins so.
        if texts[0] == words { return 0 }
        return texts[0].first?.hasPrefix(words[0]) == true ? 1 : 2
    }

    @Test func `a long word finds what has all of it, however many begin alike`() throws {
        try withLibrary { library in
            let many = (1...100).map { Song("Nightingale \($0)", sound: UInt64($0)) }
            try library.scan(many + (1...3).map { Song("Nightowl \($0)", sound: UInt64(200 + $0)) })

            #expect(try library.titles("nightow") == ["Nightowl 1", "Nightowl 2", "Nightowl 3"])
            #expect(try library.titles("nightowl 2") == ["Nightowl 2"])
            #expect(try library.search(SearchQuery("nightingale", window: PageWindow(limit: 100))).rows.count == 100)
            #expect(try library.titles("nightjar").isEmpty)
        }
    }

    @Test(arguments: 0..<12) func `a search finds what looking at everything finds, in that order`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let songs = library(&random)
        try withLibrary { library in
            try library.scan(songs)
            for query in ["l", "lo", "love b", "n b", "elan", "nine night", "s l"] {
                let words = query.split(separator: " ").map(String.init)
                let expected = songs.compactMap { song in tier(song, words).map { (tier: $0, fold: Folding.fold(song.facts.tags.title)) } }
                    .sorted { $0 < $1 }
                var found: [String] = []
                var uris: [ItemURI] = []
                var cursor: String?
                repeat {
                    let page = try library.search(SearchQuery(query, kinds: [.track], window: PageWindow(limit: 7, cursor: cursor)))
                    found += page.rows.map { Folding.fold($0.tags.title) }
                    uris += page.rows.map(\.uri)
                    cursor = page.cursor
                } while cursor != nil
                #expect(found == expected.map(\.fold), "seed \(seed), “\(query)”")
                #expect(Set(uris).count == uris.count)
            }
        }
    }

    @Test(arguments: [BrowseQuery.Sort?.none, .name, .artist, .year, .added, .plays, .played, .stars])
    func `pages show every row once, by cursor and by number`(sort: BrowseQuery.Sort?) throws {
        var random = SeededGenerator(3)
        let songs = (0..<8).flatMap { _ in library(&random) }.enumerated().map { number, song in
            var song = song
            song.sound = UInt64(number + 1)
            song.name = "\(number).flac"
            return song
        }
        try withLibrary { library in
            try library.scan(songs)
            let node = ItemURI("lib:shelf/tracks")
            var walked: [ItemURI] = []
            var cursor: String?
            repeat {
                let page = try library.browse(BrowseQuery(node: node, sort: sort, window: PageWindow(limit: 37, cursor: cursor)))
                walked += page.rows.map(\.uri)
                cursor = page.cursor
            } while cursor != nil
            #expect(walked.count == songs.count && Set(walked).count == songs.count)
            for from in [0, 1, 127, 128, 300, 470, 479, 480, 1_000_000] {
                let page = try library.browse(BrowseQuery(node: node, sort: sort, window: PageWindow(from: from, limit: 20)))
                #expect(page.rows.map(\.uri) == Array(walked.dropFirst(from).prefix(20)), "from \(from)")
            }
        }
    }

    @Test func `a change that fails at any step leaves the library whole`() throws {
        try withLibrary { library in
            let songs = (1...8).map { Song("Song \($0)", by: ["Ann"], on: "First", sound: UInt64($0)) }
            try library.scan(songs)
            let scan = try library.beginScan(atMs: 2)
            let more = [Song("Late", by: ["Bob"], on: "Second", sound: 99).scanned]
            var steps = 0
            while true {
                library.failAfter(steps: steps)
                let fault = sourceFault { try library.store(more, in: scan, atMs: 2) }
                library.failAfter(steps: nil)
                guard fault != nil else { break }
                #expect(library.libraryCounts().tracks == 8)
                #expect(try library.titles("late") == [])
                steps += 37
            }
            #expect(steps > 0)
            #expect(library.libraryCounts().tracks == 9)
            #expect(try library.titles("late") == ["Late"])
            #expect(try library.titles("song").count == 8)
        }
    }
}
