/// Which tracks are the song that a station says it plays.
import BatonCore
import Testing

@Suite struct SongTitleTests {
    private static func row(_ uri: String, _ title: String, _ artists: String..., isAway: Bool = false, kind: ItemKind = .track) -> ItemRow
    {
        var tags = Tags(title: title)
        tags.artists = artists
        tags.kind = kind
        return ItemRow(uri: ItemURI(uri), tags: tags, isAway: isAway)
    }

    @Test(arguments: [
        ("Anna - Eins", 0), ("ANNA - eins", 0), ("Eins - Anna", 0), ("Anna - Eins (Radio Edit)", 1), ("Anna [DE] - Eins", 1), ("Eins", 0),
        ("Anna & Bert - Eins", nil), ("Anna - Einsam", nil), ("Anna", nil), ("Bert - Eins", nil), ("", nil), (" - ", nil),
    ])
    func `a track fits by title and artist, with or without brackets`(said: String, rank: Int?) {
        #expect(SongTitle(said).rank(of: Self.row("a", "Eins", "Anna").tags) == rank)
    }

    @Test func `a copy with a suffix fits, and an album of the name does not`() {
        #expect(SongTitle("Anna - Eins").rank(of: Self.row("a", "Eins (2011 Remaster)", "Anna", "Bert").tags) == 1)
        #expect(SongTitle("Anna - Eins").rank(of: Self.row("a", "Eins", "Anna", kind: .album).tags) == nil)
    }

    @Test func `own copies come before those of servers, and what is away comes last`() {
        let rows = [
            Self.row("far:1", "Eins", "Anna"), Self.row("lib:2", "Zwei", "Anna"), Self.row("lib:3", "Eins (Live)", "Anna"),
            Self.row("gone:4", "Eins", "Anna", isAway: true), Self.row("lib:5", "Eins", "Anna"),
        ]
        let matches = SongTitle("Anna - Eins").matches(among: rows) { $0.uri.source == "lib" }
        #expect(matches.map(\.uri.text) == ["lib:5", "far:1", "lib:3", "gone:4"])
    }

    @Test func `sources are asked for the title without brackets, then for what stands before it`() {
        #expect(SongTitle("Anna - Eins (Edit)").questions == ["Eins ", "Anna"])
        #expect(SongTitle("(Intro)").questions == ["(Intro)"])
    }
}
