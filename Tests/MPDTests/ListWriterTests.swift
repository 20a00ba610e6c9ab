import BatonSeams
import Testing

@testable import MPD

/// Values of tags are listed in groups as by mpd 0.23.12.
@Suite struct ListWriterTests {
    private let songs = [
        Song(uri: "a", tags: [.init(.artist, "Amber Lane"), .init(.album, "First Light"), .init(.date, "1994")], durationMs: 120_500),
        Song(uri: "b", tags: [.init(.artist, "Amber Lane"), .init(.album, "Second"), .init(.date, "1994")], durationMs: 120_600),
        Song(uri: "c", tags: [.init(.artist, "Ada"), .init(.artist, "Ben"), .init(.artist, "Ada"), .init(.album, "Duets")]),
        Song(uri: "d"),
    ]

    private func listed(_ tags: [TagName], counts: Bool = false) -> String {
        var collector = ListWriter.Collector(tags)
        for song in songs { collector.add(song) }
        var writer = ListWriter(tags)
        for row in collector.rows { writer.add(row, counts: counts) }
        return String(decoding: writer.bytes, as: UTF8.self).replacing("\n", with: "|")
    }

    @Test func `values are sorted, and a song without one has an empty one`() {
        #expect(listed([.album]) == "Album: |Album: Duets|Album: First Light|Album: Second|")
    }

    @Test func `the value of another tag stands for one that is missing`() {
        #expect(listed([.albumArtist]) == "AlbumArtist: |AlbumArtist: Ada|AlbumArtist: Amber Lane|AlbumArtist: Ben|")
    }

    @Test func `a group has its line where it changes`() {
        #expect(
            listed([.date, .artist, .album])
                == "Date: |Artist: |Album: |Artist: Ada|Album: Duets|Artist: Ben|Album: Duets|Date: 1994|Artist: Amber Lane|Album: First Light|Album: Second|"
        )
    }

    @Test func `songs are counted in groups`() {
        #expect(listed([.artist], counts: true).contains("Artist: Amber Lane|songs: 2|playtime: 241|"))
        #expect(listed([.artist], counts: true).contains("Artist: Ada|songs: 1|playtime: 0|"))
    }

    @Test @Loop func `the last answers are kept until songs change`() {
        let lists = LastLists()
        let question = { (tag: TagName, counts: Bool) in LastLists.Question(tags: [tag], counts: counts) }
        let large = Array<UInt8>(repeating: 7, count: 1 << 20)
        for tag in [TagName.artist, .album, .title, .genre, .date] { lists.keep(large, for: question(tag, false)) }
        #expect(lists.answer(to: question(.artist, false)) == nil && lists.answer(to: question(.date, false)) == large)
        lists.keep([9], for: question(.date, false))
        #expect(lists.answer(to: question(.date, false)) == [9] && lists.answer(to: question(.date, true)) == nil)
        lists.keep(Array(repeating: 0, count: 5 << 20), for: question(.composer, false))
        #expect(lists.answer(to: question(.composer, false)) == nil && lists.answer(to: question(.album, false)) == large)
        lists.forget()
        #expect(lists.answer(to: question(.date, false)) == nil)
    }
}
