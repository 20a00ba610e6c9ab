import BatonSeams
import Testing

@testable import MPD

/// Songs are sorted by a tag, or by a time.
@Suite struct SongOrderTests {
    private let songs = [
        Song(uri: "a", changed: 3, tags: [.init(.title, "Noon"), .init(.track, "10")]),
        Song(uri: "b", changed: 1, tags: [.init(.title, "Dawn"), .init(.track, "2"), .init(.artist, "Zoe")]),
        Song(uri: "c", changed: 2, tags: [.init(.title, "dawn")]), Song(uri: "d", tags: [.init(.title, "Dawn"), .init(.track, "2/9")]),
    ]

    @Test(
        arguments: [
            ("Title", "bdac"), ("title", "bdac"), ("-Title", "cabd"), ("Track", "cbda"), ("Last-Modified", "dbca"),
            ("-Last-Modified", "acbd"),
            ("ArtistSort", "acdb"),
        ])
    func `the order is that of the value`(text: String, order: String) throws {
        #expect(try SongOrder(text).sorted(songs).map(\.uri).joined() == order)
    }

    @Test(arguments: ["nonsense", "", "-", "file"]) func `another name is refused`(text: String) {
        #expect(throws: Ack(.argument, "Unknown sort tag")) { try SongOrder(text) }
    }
}
