/// Where text for people is cut.
import BatonProtocol
import BatonWire
import Testing

@Suite struct DisplayTextTests {
    private func cut(_ text: String, clusters: Int = 64, bytes: Int = 96) -> String {
        DisplayText(clusters: clusters, bytes: bytes).cut(text)
    }

    @Test func `what fits is left alone`() {
        #expect(cut("") == "")
        #expect(cut(String(repeating: "a", count: 64)) == String(repeating: "a", count: 64))
        #expect(cut(String(repeating: "é", count: 48)) == String(repeating: "é", count: 48))
    }

    @Test func `what does not fit ends in an ellipsis inside the limit`() {
        #expect(cut(String(repeating: "a", count: 65)) == String(repeating: "a", count: 63) + "…")
        #expect(cut(String(repeating: "é", count: 49)) == String(repeating: "é", count: 46) + "…")
        #expect(cut("abcdef", clusters: 3) == "ab…")
        #expect(cut("abcdef", bytes: 5) == "ab…")
    }

    @Test func `a cluster is never split`() {
        let family = "👩‍👩‍👧‍👦"
        #expect(cut(String(repeating: family, count: 9)) == String(repeating: family, count: 3) + "…")
        #expect(cut(String(repeating: family, count: 3) + "abc", clusters: 4) == String(repeating: family, count: 3) + "…")
        #expect(cut("a" + String(repeating: "\u{301}", count: 90)) == "…")
    }

    @Test func `bytes count as they are written, with their escapes`() {
        #expect(cut(String(repeating: "\"", count: 49)) == String(repeating: "\"", count: 46) + "…")
        #expect(cut(String(repeating: "\"", count: 48)) == String(repeating: "\"", count: 48))
    }

    @Test func `control characters become spaces`() {
        #expect(cut("a\nb\tc\u{0}d\u{7F}e") == "a b c d e")
    }

    @Test(arguments: 0..<200) func `the cut always holds both limits`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = String.random(using: &random, upTo: 200)
        let clusters = Int.random(in: 1...70, using: &random)
        let bytes = Int.random(in: 3...120, using: &random)

        let short = cut(text, clusters: clusters, bytes: bytes)

        #expect(short.count <= clusters)
        #expect(JSONWriter.bytes { $0.string(short) }.count - 2 <= bytes)
        #expect(cut(short, clusters: clusters, bytes: bytes) == short)
    }
}
