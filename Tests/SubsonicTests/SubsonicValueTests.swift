/// The connector's values: moments, names of items and covers, answers of every shape.
import BatonCore
import BatonJSON
import BatonSeams
import Testing

@testable import ServerConnectors

@Suite struct SubsonicValueTests {
    @Test func `moments are read with and without a zone`() {
        #expect(ServerTime.ms("1970-01-01T00:00:00Z") == 0)
        #expect(ServerTime.ms("2026-11-23T03:04:36.123456Z") == 1_795_403_076_123)
        #expect(ServerTime.ms("2026-11-23T03:04:36") == 1_795_403_076_000)
        #expect(ServerTime.ms("2026-11-23T04:04:36+01:00") == 1_795_403_076_000)
        #expect(ServerTime.ms("yesterday") == nil && ServerTime.ms("2026-13-01T00:00:00Z") == nil)
    }

    @Test func `an item's name leads back to the item, whatever its id holds`() {
        let items: [SubsonicItem] = [
            .track("../../etc/passwd"), .album("a/b c%"), .episode(podcast: "1/2", id: "ü"), .shelf(.newest), .decade(1990), .letter("#"),
            .similar("x"), .related("x"), .track("12345678901234567890"),
        ]
        for item in items {
            let uri = item.uri(of: "attic")
            #expect(SubsonicItem(uri, of: "attic") == item)
            #expect(SubsonicItem(uri, of: "at") == nil)
            #expect(!uri.text.contains("..%2F../") && uri.text.split(separator: "/").count <= 3)
        }
        for wrong in ["attic:", "attic:track", "attic:track/", "attic:shelf/none", "attic:track/%2", "attic:episode/1", "attic:a/b/c"] {
            #expect(SubsonicItem(ItemURI(wrong), of: "attic") == nil)
        }
    }

    @Test func `a cover whose id is too long for the wire is found again`() throws {
        let id = "0f8fad5b-d9cb-469f-a165-70867728950e"
        let long = String(repeating: "a", count: 32)

        let short = try #require(CoverName(of: id, in: "attic"))
        let packed = try #require(CoverName(of: id, in: long))

        #expect(short.art.name == id)
        #expect(packed.art.name != id && CoverName.id(of: packed.art.name) == id)
        #expect(CoverName(of: String(repeating: "x", count: 60), in: long) == nil)
    }

    @Test func `answers are judged by their content and not by their status alone`() {
        func answer(_ status: Int, _ text: String) -> SubsonicAnswer { SubsonicAnswer(status: status, Array(text.utf8)) }
        let failed = #"{"subsonic-response":{"status":"failed","error":{"code":70,"message":"Song not found"}}}"#

        #expect(answer(200, failed) == .error(SubsonicError(code: 70, message: "Song not found")))
        #expect(answer(404, failed) == .error(SubsonicError(code: 70, message: "Song not found")))
        #expect(answer(404, failed.replacing("70", with: "0")) == .lacking)
        #expect(answer(501, "This endpoint is not implemented") == .lacking)
        #expect(answer(410, "Gone") == .lacking)
        #expect(answer(200, "<subsonic-response status=\"ok\"/>") != .lacking)
        for (status, text) in [(200, ""), (200, "{"), (200, "[]"), (503, "<html>"), (200, #"{"subsonic-response":1}"#)] {
            guard case .unreadable = answer(status, text) else {
                Issue.record("\(status) \(text) was understood.")
                continue
            }
        }
    }

    @Test func `missing lists are empty, and numbers and text stand for each other`() throws {
        let text =
            #"{"subsonic-response":{"status":"ok","a":{"id":12345678901234567890,"n":"7","one":{"id":5},"many":[{"id":"x"},3,null]}}}"#
        guard case .content(let content) = SubsonicAnswer(status: 200, Array(text.utf8)) else {
            Issue.record("The answer was not understood.")
            return
        }
        let record = content.record("a")

        #expect(record.text("id") == "12345678901234567890")
        #expect(record.int("n") == 7)
        #expect(record.list("one").map { $0.text("id") } == ["5"])
        #expect(record.list("many").count == 1)
        #expect(record.list("none").isEmpty && content.record("none").list("song").isEmpty)
    }

    @Test(arguments: [128: 128, 128_000: 128, 9_216: 9_216, -1: nil] as [Int: Int?])
    func `a bit rate is in kbit per second, also of servers that count bits`(said: Int, kbps: Int?) {
        let song = SubsonicRecord(["id": "1", "suffix": "MP3", "bitRate": .int(Int64(said))])

        #expect(Rows(source: "attic").song(song)?.quality == SoundQuality(suffix: "mp3", bitrate: kbps))
    }

    @Test func `a quality is raw or a format with its bit rate`() {
        #expect(Quality("raw") == .raw)
        #expect(Quality("opus:128") == .transcoded(format: "opus", kbps: 128))
        for wrong in ["", "mp3", "mp3:", "mp3:0", "MP3:128", "mp3:9999", "raw:128", "m/p:128"] { #expect(Quality(wrong) == nil) }
    }
}
