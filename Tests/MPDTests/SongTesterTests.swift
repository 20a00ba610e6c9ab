import BatonCore
import BatonSeams
import Testing

@testable import MPD

/// Songs pass and fail as mpd 0.23.12 was seen to find them.
@Suite struct SongTesterTests {
    private let dawn = Song(
        uri: "Amber Lane/First Light/01 Dawn.flac", changed: 1_600_000_000, added: 1_600_000_100, format: "48000:16:2",
        tags: [.init(.artist, "Amber Lane"), .init(.title, "Dawn"), .init(.genre, "Folk"), .init(.track, "1")], durationMs: 120_000)
    private let two = Song(
        uri: "Cellar/two.flac", format: "44100:f:1",
        tags: [.init(.title, "Two"), .init(.artist, "Ada"), .init(.artist, "Ben"), .init(.album, "Ærø")])
    private let bare = Song(uri: "Cellar/no tags.flac")

    /// The songs that a filter finds, as letters.
    private func found(_ arguments: [String], folds: Bool = false) throws -> String {
        let filter = try FilterReader.filter(of: arguments, foldsCase: folds)
        let tester = try SongTester(filter)
        return [("d", dawn), ("t", two), ("b", bare)].filter { tester.matches($0.1) }.map(\.0).joined()
    }

    @Test(arguments: [
        ("(Artist == 'Amber Lane')", "d"), ("(Artist == 'amber lane')", ""), ("(Artist != 'Amber Lane')", "tb"),
        ("(!(Artist == 'Amber Lane'))", "tb"),
        ("(Artist == 'Ben')", "t"), ("(Artist != 'Ben')", "db"), ("(Artist == '')", "b"), ("(Artist != '')", "dt"), ("(Genre == '')", "tb"),
        ("(Genre != 'Folk')", "tb"), ("(Title contains 'aw')", "d"), ("(Title contains 'AW')", ""), ("(Title !contains 'aw')", "tb"),
        ("(Title starts_with 'Da')", "d"), ("(Title starts_with 'awn')", ""), ("(Title =~ '^D.*n$')", "d"), ("(Title !~ 'D')", "tb"),
        ("(Title contains '')", "dtb"), ("(AlbumArtist == 'Amber Lane')", "d"), ("(AlbumArtistSort == 'Ada')", "t"),
        ("(AlbumArtist == '')", "b"),
        ("(any == 'Dawn')", "d"), ("(any != 'Dawn')", "tb"), ("(any contains 'Ad')", "t"), ("(any == '')", ""),
        ("(file == 'Cellar/two.flac')", "t"),
        ("(file contains 'flac')", "dtb"), ("(file != 'Cellar/two.flac')", "db"), ("(base 'Cellar')", "tb"), ("(base 'Cell')", ""),
        ("(base '')", "dtb"),
        ("(base 'Cellar/two.flac')", "t"), ("(modified-since '1600000000')", "d"), ("(modified-since '1600000001')", ""),
        ("(added-since '1600000100')", "d"), ("(AudioFormat == '48000:16:2')", "d"), ("(AudioFormat =~ '*:f:*')", "t"),
        ("(AudioFormat =~ '*:*:*')", "dt"),
        ("((base 'Cellar') AND (Title == 'Two'))", "t"), ("((base 'Cellar') AND (!(Title == 'Two')))", "b"), ("(Track == '01')", ""),
    ])
    func `an expression finds songs`(text: String, songs: String) throws {
        #expect(try found([text]) == songs)
    }

    @Test(
        arguments: [
            (["title", "dawn"], "d"), (["title", "AW"], "d"), (["album", "ær"], "t"), (["album", "ar"], ""), (["any", "AD"], "t"),
            (["file", "CELLAR"], "tb"),
            (["(Title == 'DAWN')"], "d"), (["(Title =~ '^d')"], "d"), (["title", ""], "dtb"),
        ] as [([String], String)])
    func `a search has no regard to case`(arguments: [String], songs: String) throws {
        #expect(try found(arguments, folds: true) == songs)
    }

    @Test(arguments: seedRange(usually: 8))
    func `what is found in any case is what is in the small text`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        // Some of them have a small letter with other bytes, or one of ASCII.
        let letters = ["a", "A", "k", "K", "\u{212A}", "i", "I", "\u{130}", "\u{307}", "æ", "Æ", "\u{212B}", "s", "ß", "ẞ", "2", " "]
        func text(_ most: Int) -> String {
            (0..<Int.random(in: 1...most, using: &random)).map { _ in letters[Int.random(in: letters.indices, using: &random)] }.joined()
        }
        for _ in 0..<2_000 {
            let (part, whole) = (text(3), text(8))
            let tester = try TextTester(TextTest(relation: .contains, value: part, foldsCase: true))
            let (small, wanted) = (Array(whole.lowercased().utf8), Array(part.lowercased().utf8))
            let isIn = small.count >= wanted.count && (0...(small.count - wanted.count)).contains { small[$0...].starts(with: wanted) }
            #expect(tester.matches(Array(whole.utf8)[...]) == isIn, "seed \(seed): \(part) in \(whole)")
        }
    }

    @Test func `a pair of a find is the whole value`() throws {
        #expect(try found(["title", "Dawn"]) == "d")
        #expect(try found(["title", "Daw"]) == "")
        #expect(try found(["base", "Cellar", "title", "Two"]) == "t")
        #expect(try found(["audioformat", "48000:16:2"]) == "")
    }

    @Test func `a pattern that is none is refused before any song is asked`() throws {
        let filter = try FilterReader.filter(of: ["(Title =~ '(')"], foldsCase: false)
        let fault = Ack(.argument, "Error in regex at offset 1: missing closing parenthesis")
        #expect(throws: fault) { try SongTester(filter) }
    }

    @Test func `the store is asked for less`() throws {
        let search = try FilterReader.filter(
            of: ["((base 'Cellar') AND (Title contains 'Two') AND (!(Artist == 'x')) AND (any != 'y'))", "modified-since", "5"],
            foldsCase: false)
        #expect(search.search == SongSearch(folder: "Cellar", texts: ["Two"], changedSince: 5))
        #expect(search.base == "Cellar")
        #expect(try FilterReader.filter(of: ["(!(base 'Cellar'))"], foldsCase: false).search == SongSearch())
    }
}
