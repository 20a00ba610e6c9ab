/// Playlist files as text: what other programs write is read, and what is written is read the same.
import BatonCore
import Testing

@Suite struct `A playlist's text` {
    @Test func `an m3u keeps names as they were written, and what it says of them`() {
        let text = PlaylistText(
            m3u: "#EXTM3U\r\n#PLAYLIST: Sunday \n#EXTINF:251 tvg=\"x\",Radiohead - Kid A\n../Kid A/2.flac\n# a comment\n\n"
                + "#BATON-ITEM:lib:track/8a1f\nhttp://radio.example/x\n#EXTINF:-1,\nlast.mp3")

        #expect(text.title == "Sunday")
        #expect(text.entries.map(\.name) == ["../Kid A/2.flac", "http://radio.example/x", "last.mp3"])
        #expect(text.entries.map(\.item) == [nil, "lib:track/8a1f", nil])
        #expect(text.entries[0].tags == Tags(title: "Kid A", artists: ["Radiohead"], durationMs: 251_000))
        #expect(text.entries[2].tags == nil)
    }

    @Test func `a pls goes by its numbers`() {
        let text = PlaylistText(pls: "[playlist]\nFile10=b.mp3\nfile2 = a.mp3\nTitle2=A - B\nLength2=12\nFile=x\nNumberOfEntries=2\n")

        #expect(text.entries.map(\.name) == ["a.mp3", "b.mp3"])
        #expect(text.entries[0].tags == Tags(title: "B", artists: ["A"], durationMs: 12_000))
    }

    @Test(arguments: [([0xEF, 0xBB, 0xBF, 0x61], "a"), ([0xFC], "ü"), ([0xC3, 0xBC], "ü"), ([], "")] as [([UInt8], String)])
    func `text without a word about its encoding`(bytes: [UInt8], text: String) {
        #expect(PlaylistText.text(of: bytes) == text)
    }

    @Test(arguments: seeds) func `what is written is read the same`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let words = ["Kid A", "東京", "שלום", "a\nb", "x – y", "#odd", "100%"]
        let entries = (0..<random.number(0..<20)).map { index in
            var tags = Tags(title: random.one(of: words), artists: random.chance(50) ? ["Somebody"] : [])
            tags.durationMs = random.chance(50) ? Milliseconds.seconds(random.number(1..<5000)) : nil
            return PlaylistText.Entry(
                random.one(of: ["/srv/music/\(index).flac", "sub/\(index).mp3", "http://a.example/\(index)", "lib:track/\(index)"]),
                item: random.chance(50) ? "lib:track/\(index)" : nil, tags: random.chance(70) ? tags : nil)
        }
        let list = PlaylistText(title: random.chance(50) ? "A list" : nil, entries)

        let read = PlaylistText(m3u: list.m3u)

        #expect(read.title == list.title)
        #expect(read.entries.map(\.name) == list.entries.map(\.name), "seed \(seed)")
        // An item that is the name itself is not said twice.
        #expect(zip(read.entries, list.entries).allSatisfy { $0.item == $1.item || $1.item == $1.name }, "seed \(seed)")
        #expect(PlaylistText(m3u: read.m3u) == read, "seed \(seed)")
    }

    @Test(arguments: seeds) func `noise is read as something, and never ends anything`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let pieces = [
            "#EXTINF:", "#PLAYLIST:", "#BATON-ITEM:", "File1=", "Title99999999999999999999=", "\n", "\r", ",", "-", "\u{FEFF}", " ", "é",
            "=", "1",
        ]
        let text = (0..<random.number(0..<60)).map { _ in random.one(of: pieces) }.joined()

        for list in [PlaylistText(m3u: text), PlaylistText(pls: text)] {
            #expect(list.entries.allSatisfy { !$0.name.contains { $0.isNewline } }, "seed \(seed)")
            #expect(PlaylistText(m3u: PlaylistText(m3u: list.m3u).m3u) == PlaylistText(m3u: list.m3u), "seed \(seed)")
        }
    }
}
