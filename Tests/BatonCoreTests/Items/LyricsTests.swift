import Testing

@testable import BatonCore

/// Words of songs, as people write them down.
@Suite struct LyricsTests {
    @Test func `plain words are lines without a moment`() {
        let lyrics = Lyrics(text: "\n\nOne\n\n[Chorus]\r\nTwo\n\n")

        #expect(lyrics?.lines.map(\.text) == ["One", "", "[Chorus]", "Two"])
        #expect(lyrics?.isTimed == false)
    }

    @Test func `moments in brackets order the lines, and a chorus is written once`() {
        let lyrics = Lyrics(text: "[ar:Somebody]\n[01:02.5]Later\n[00:10.00][02:00.123] Chorus\nwithout a moment\n[00:20:50]Old way")

        #expect(lyrics?.lines.map(\.atMs) == [10_000, 20_500, 62_500, 120_123])
        #expect(lyrics?.lines.map(\.text) == ["Chorus", "Old way", "Later", "Chorus"])
    }

    @Test func `a shift moves every line, none before the beginning`() {
        let lyrics = Lyrics(text: "[offset:+500]\n[00:00.20]A\n[00:01.00]B")

        #expect(lyrics?.lines.map(\.atMs) == [0, 500])
    }

    @Test func `times within a line are taken out`() {
        #expect(Lyrics(text: "[00:01.00]<00:01.00>One <00:01.50>two <3")?.lines.map(\.text) == ["One two <3"])
    }

    @Test(arguments: ["", "\n \n", "[ar:Somebody]", "[offset:5]\n\n"]) func `no words are no lyrics`(text: String) {
        #expect(Lyrics(text: text) == nil)
    }

    @Test(arguments: [
        "[", "[]", "[99999:00]x", "[00:99]x", "[::]x", "<", "[00:01]<<>>", "[-1:00]x", "[offset:99999999999999999999]\n[00:01]x",
    ])
    func `odd text is words`(text: String) {
        #expect(Lyrics(text: text)?.lines.isEmpty == false)
    }
}
