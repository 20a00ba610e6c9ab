/// The order of names and songs is that of MPD with ICU, from which these lists were recorded.
import BatonSeams
import Testing

@testable import Stores

@Suite struct SongOrderTests {
    private static let recorded = [
        "_x", "-y", ",x", ";x", "!x", "'x", "(p)", "[b", "[x", "{x", "@x", "&x", "#x", "%x", "+x", "=x", "~x", "$x", "1", "10", "2", "2a",
        "a b",
        "a-b", "a", "A", "ab", "Äb", "ad", "æ", "af", "B", "co-op", "co", "Co", "CO", "coop", "e", "E", "é", "É", "f", "naive", "naïve",
        "naivf", "o", "Ø", "p", "ss", "ß", "st", "z", "Z", "Ж", "あ", "日本",
    ].map { $0 + ".flac" }

    @Test func `names are sorted as by the root collation`() {
        let sorted = Self.recorded.reversed().map { (key: CollationKey($0), name: $0) }.sorted { $0.key < $1.key }
        #expect(sorted.map(\.name) == Self.recorded)
    }

    @Test func `songs are sorted by album, disc, track and name, and those without an album come first`() {
        func song(_ name: String, _ tags: KeyValuePairs<TagName, String>) -> SongOrder {
            SongOrder(name: name, lines: BatonSeams.Song.lines(of: tags.map { .init($0.key, $0.value) }))
        }
        let songs = [
            song("z", [:]), song("y", [.track: "1"]), song("b", [.album: "A", .track: "10"]), song("a", [.album: "A", .track: "11"]),
            song("c", [.album: "A", .disc: "2", .track: "1"]), song("d", [.album: "b"]), song("e", [.album: "C"]),
        ]
        #expect(songs.shuffled().sorted() == songs)
    }
}
