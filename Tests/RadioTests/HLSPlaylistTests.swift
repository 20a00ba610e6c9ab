/// Playlists of HLS, and the addresses in them.
import BatonCore
import BatonSeams
import Testing

@testable import BatonRadio

@Suite struct HLSPlaylistTests {
    private static let base = WebAddress("https://a.example/radio/live.m3u8?token=1")!

    @Test func `a master list offers streams, and the best of sound alone is heard`() throws {
        let text = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.5"
            low.m3u8
            #EXT-X-STREAM-INF:CODECS="mp4a.40.2",BANDWIDTH=128000
            /high.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.42e00a,mp4a.40.2"
            https://b.example/film.m3u8
            """
        guard case .choices(let choices) = try HLSPlaylist(text, at: Self.base) else {
            Issue.record("It was taken for a list of pieces.")
            return
        }
        #expect(choices.map(\.hasVideo) == [false, false, true])
        #expect(HLSPlaylist.best(of: choices)?.url.text == "https://a.example/high.m3u8")
        #expect(HLSPlaylist.best(of: Array(choices.suffix(1)))?.url.text == "https://b.example/film.m3u8")
    }

    @Test func `a media list names its pieces in order`() throws {
        let text = """
            #EXTM3U\r
            #EXT-X-TARGETDURATION:4\r
            #EXT-X-MEDIA-SEQUENCE:17\r
            #EXT-X-MAP:URI="head.mp4",BYTERANGE="100@0"\r
            #EXTINF:3.96,\r
            #EXT-X-BYTERANGE:1000@100\r
            all.mp4\r
            #EXTINF:4.0,Title, with comma\r
            #EXT-X-BYTERANGE:500\r
            all.mp4\r
            #EXT-X-ENDLIST\r
            """
        guard case .pieces(let list) = try HLSPlaylist(text, at: Self.base) else {
            Issue.record("It was taken for a master list.")
            return
        }
        #expect(list.firstNumber == 17 && list.targetSeconds == 4 && list.isWhole)
        #expect(list.pieces.map(\.durationMs) == [3960, 4000] && list.pieces.map(\.range) == [100..<1100, 1100..<1600])
        #expect(list.pieces.allSatisfy { $0.url.text == "https://a.example/radio/all.mp4" && $0.head?.range == 0..<100 })
    }

    @Test(arguments: [
        "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\na.ts", "#EXTM3U\nfile:///etc/passwd", "<html>",
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nftp://a.example/x",
    ])
    func `a list that cannot be played is refused in a sentence`(text: String) {
        let fault = #expect(throws: SourceFault.self) { _ = try HLSPlaylist(text, at: Self.base) }
        #expect(fault?.sentence.hasSuffix(".") == true)
    }

    @Test(arguments: [
        ("b.ts", "https://a.example/radio/b.ts"), ("../b.ts?x=/../y", "https://a.example/b.ts?x=/../y"), ("/c", "https://a.example/c"),
        ("../../../c/.", "https://a.example/c/"), ("//b.example/d", "https://b.example/d"),
        ("?n=2", "https://a.example/radio/live.m3u8?n=2"),
        ("HTTP://b.example/e", "http://b.example/e"), ("a:b", nil), ("./a:b", "https://a.example/radio/a:b"), ("x y", nil),
    ])
    func `an address in a list counts from the list's own`(reference: String, meant: String?) {
        #expect(Self.base.resolving(reference)?.text == meant)
    }
}
