/// Names as text: of files, of addresses, and as parts of a URI.
import Testing

@testable import BatonCore

@Suite struct NameTests {
    @Test(
        arguments: [
            ("01 - Airbag.mp3", "Airbag", 1), ("1. Airbag.flac", "Airbag", 1), ("01 Airbag.ogg", "Airbag", 1),
            ("1-03 Lucky.mp3", "Lucky", 3),
            ("02_-_Let_Down.mp3", "Let Down", 2), ("12.wav", "12", nil), ("1999.mp3", "1999", nil), ("7 Seconds.mp3", "7 Seconds", nil),
            ("99 Luftballons.mp3", "99 Luftballons", nil), ("R.E.M. - Nightswimming.mp3", "R.E.M. - Nightswimming", nil),
            ("00 - x.mp3", "00 - x", nil),
        ] as [(String, String, Int?)])
    func `a title comes from the file's name without its track number`(name: String, title: String, track: Int?) {
        let tags = FileTitle.tags(of: "/music/" + name)
        #expect(tags.title == title)
        #expect(tags.track == track)
    }

    @Test(arguments: [("a b", "a%20b"), ("é/", "%C3%A9%2F"), ("kid a & b", "kid%20a%20%26%20b"), ("", "")])
    func `text as a part of a URI`(text: String, encoded: String) {
        #expect(PercentText.encoded(text) == encoded)
        #expect(PercentText.decoded(encoded) == text)
    }

    @Test(arguments: ["%", "%4", "%zz", "%+1", "%-0", "%ff"]) func `what is no part of a URI`(text: String) {
        #expect(PercentText.decoded(text) == nil)
    }

    @Test(
        arguments: [
            ("a/b.FLAC", "flac", "b", true), ("/x/.hidden", nil, ".hidden", false), ("song.mp3/", "mp3", "song", true),
            ("film.mkv", "mkv", "film", false), ("none", nil, "none", false), ("", nil, "", false),
        ] as [(String, String?, String, Bool)])
    func `a file's name says its suffix and whether it is music`(path: String, suffix: String?, stem: String, isAudio: Bool) {
        #expect(FileName.suffix(of: path) == suffix)
        #expect(FileName.stem(of: path) == stem)
        #expect(FileName.isAudio(path) == isAudio)
    }

    @Test(arguments: ["http://", "http:///x", "ftp://x/y", "http://x/a b", "http://x/\r\nHost: y", "http:x", "https://user@/x"])
    func `text that is no complete web address is none`(text: String) { #expect(WebAddress(text) == nil) }

    @Test func `the scheme of a web address is in lower case, and the rest is as it was`() {
        #expect(WebAddress("HTTPS://Host/A?b")?.text == "https://Host/A?b")
    }
}
