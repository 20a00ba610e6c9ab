import BatonCore
import BatonSeams
import Testing

@testable import MPD

/// Songs are written line by line as by mpd 0.23.12.
@Suite struct SongTextTests {
    private let song = Song(
        uri: "Cellar/two.flac", changed: 1_600_000_000, added: 1_600_000_001, format: "48000:16:2",
        tags: [.init(.title, "Two"), .init(.artist, "Ada"), .init(.artist, "Ben")], durationMs: 120_032)

    private func text(_ song: Song, _ text: SongText = SongText(), at entry: SongText.Entry? = nil) -> String {
        var text = text
        text.add(song, at: entry)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test func `a song has its lines in order`() {
        #expect(
            text(song, at: .init(place: 3, id: EntryID(57))) == """
                file: Cellar/two.flac
                Last-Modified: 2020-09-13T12:26:40Z
                Format: 48000:16:2
                Title: Two
                Artist: Ada
                Artist: Ben
                Time: 120
                duration: 120.032
                Pos: 3
                Id: 57

                """)
    }

    @Test func `tags that are not wanted are left out`() {
        #expect(text(song, SongText([])).contains("Title") == false)
        #expect(text(song, SongText(TagSet(.title))).contains("Title: Two\nTime"))
        #expect(!text(song, SongText(showsFormat: false)).contains("Format"))
    }

    @Test func `a stream has only what is known`() {
        #expect(text(Song(uri: "http://host/x")) == "file: http://host/x\n")
    }

    @Test func `no value makes a line of its own`() {
        let hostile = Song(uri: "x", tags: [.init(.title, "a\nOK\r\nACK")])
        #expect(text(hostile) == "file: x\nTitle: a OK  ACK\n")
    }

    @Test func `no name of a tag and no sentence makes a line of its own`() {
        var text = AnswerText()
        text.line("a\nOK", "b\rc")
        text.whole("0:file: x\nOK")
        #expect(String(decoding: text.bytes, as: UTF8.self) == "a OK: b c\n0:file: x OK\n")
    }

    @Test(arguments: [(0, "0.000"), (5, "0.005"), (50, "0.050"), (999, "0.999"), (120_032, "120.032")])
    func `seconds have three digits`(ms: Int, text: String) {
        var answer = AnswerText()
        answer.line(.duration, secondsOfMs: ms)
        #expect(answer.bytes == Array("duration: \(text)\n".utf8))
    }

    @Test func `times are in UTC`() {
        var text = AnswerText()
        for seconds in [0, 86_399, 1_600_000_000, 1_600_000_001, 1_582_934_400, -1] { text.line(LineBeginning("at"), utc: seconds) }
        let times = [
            "1970-01-01T00:00:00Z", "1970-01-01T23:59:59Z", "2020-09-13T12:26:40Z", "2020-09-13T12:26:41Z", "2020-02-29T00:00:00Z",
            "1969-12-31T23:59:59Z",
        ]
        #expect(String(decoding: text.bytes, as: UTF8.self) == times.map { "at: \($0)\n" }.joined())
    }

    @Test func `numbers are written as they are`() {
        var text = AnswerText()
        for number in [0, 7, 10, 999, 1_000, -5, Int.max, Int.min] { text.line("n", number) }
        let numbers = [0, 7, 10, 999, 1_000, -5, Int.max, Int.min]
        #expect(String(decoding: text.bytes, as: UTF8.self) == numbers.map { "n: \($0)\n" }.joined())
    }
}
