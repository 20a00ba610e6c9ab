/// Titles between the sound of a stream.
import BatonCore
import Testing

@testable import BatonRadio

@Suite struct ICYTests {
    /// A block as servers write it: its length in sixteenths, filled up with zeros.
    private static func block(_ text: [UInt8]) -> [UInt8] {
        let length = (text.count + 15) / 16
        return [UInt8(length)] + text + [UInt8](repeating: 0, count: length * 16 - text.count)
    }

    private static func block(_ text: String) -> [UInt8] { block(Array(text.utf8)) }

    private static func title(_ text: String) -> String? { ICYTitle.title(in: Array(text.utf8)) }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `sound and blocks are parted alike however the stream is cut`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let interval = [1, 2, 7, 64, 1000].randomElement(using: &random)!
        var stream: [UInt8] = []
        var sound: [UInt8] = []
        var blocks: [ICYSplitter.Block] = []
        for number in 0..<20 {
            let piece = (0..<interval).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            sound += piece
            stream += piece
            let text = Int.random(in: 0..<3, using: &random) == 0 ? "StreamTitle='\(number)';" : ""
            let block = Self.block(text)
            if !text.isEmpty { blocks.append(.init(at: Int64(sound.count), bytes: Array(block.dropFirst()))) }
            stream += block
        }

        var splitter = ICYSplitter(metaint: interval)
        var heard: [UInt8] = []
        var found: [ICYSplitter.Block] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...(seed % 2 == 0 ? 3 : 700), using: &random))
            found += splitter.take(Array(piece), into: &heard)
            rest = rest.dropFirst(piece.count)
        }

        #expect(heard == sound && found == blocks, "seed \(seed)")
    }

    @Test(arguments: [nil, 0, -5] as [Int?])
    func `a stream without an interval has no metadata`(metaint: Int?) {
        var splitter = ICYSplitter(metaint: metaint)
        var heard: [UInt8] = []
        #expect(splitter.take([1, 2, 3], into: &heard).isEmpty && heard == [1, 2, 3])
    }

    @Test func `the longest block of control characters is one short title`() {
        let noise = (0..<ICYSplitter.mostBytes - 15).map { UInt8($0 % 31 + 1) }
        var splitter = ICYSplitter(metaint: 1)
        var heard: [UInt8] = []
        let found = splitter.take([9] + Self.block("StreamTitle='".utf8 + noise + "';".utf8) + [8], into: &heard)

        #expect(heard == [9, 8] && found.map(\.bytes.count) == [ICYSplitter.mostBytes])
        #expect(ICYTitle.title(in: found[0].bytes) == "")
        let long = "StreamTitle='" + String(repeating: "ab\u{1}", count: 1300) + "';"
        #expect(Self.title(long).map { (200...StationText.streamTitleBytes).contains($0.utf8.count) && !$0.contains("\u{1}") } == true)
    }

    @Test(arguments: [
        ("StreamTitle='Anna - First';StreamUrl='';", "Anna - First"), ("StreamTitle='It's Low';", "It's Low"),
        ("StreamUrl='x';StreamTitle='It's; Low'", "It's; Low"), ("streamtitle=''; ", ""), ("StreamTitle='';StreamUrl='a';", ""),
        ("StreamTitle='cut off", "cut off"), ("StreamTitle='  A \u{1}\tB ';", "A B"), ("StreamTitle='Motörhead';", "Motörhead"),
    ])
    func `a title ends where its text ends`(block: String, title: String) { #expect(Self.title(block) == title) }

    @Test func `titles are UTF-8 or Latin-1, and a block without one says nothing`() {
        #expect(ICYTitle.title(in: "StreamTitle='Mot".utf8 + [0xF6] + "rhead';".utf8) == "Motörhead")
        #expect(ICYTitle.title(in: "StreamTitle='A';".utf8 + [0, 0, 0]) == "A")
        for text in ["", "StreamUrl='StreamTitle';", "StreamTitle=A;", "\0StreamTitle='A';"] { #expect(Self.title(text) == nil) }
    }
}
