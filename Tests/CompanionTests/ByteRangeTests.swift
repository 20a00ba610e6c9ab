/// The part of a file that a `Range` header asks for, case by case and for random bytes (BT-HTTP-009).
import BatonSeams
import Testing

@Suite struct ByteRangeTests {
    static let cases: [(String?, ByteRange)] = [
        (nil, .whole), ("", .whole), ("bytes", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("lines=0-5", .whole),
        ("bytes=0-0", .part(0..<1)), ("bytes=0-99", .part(0..<100)), ("bytes=0-100", .part(0..<100)), ("bytes=10-", .part(10..<100)),
        ("bytes=99-", .part(99..<100)), ("bytes=100-", .nothing), ("bytes=100-200", .nothing), ("bytes=5-4", .whole),
        ("bytes=-1", .part(99..<100)), ("bytes=-100", .part(0..<100)), ("bytes=-101", .part(0..<100)), ("bytes=-0", .nothing),
        ("bytes=0-1,5-6", .whole), ("bytes=0-1,", .part(0..<2)), ("bytes= 3-4 ", .part(3..<5)), ("Bytes=3-4", .part(3..<5)),
        ("bytes=+1-2", .whole), ("bytes=1-x", .whole), ("bytes=0x1-2", .whole), ("bytes=1 - 2", .whole), ("bytes=--1", .whole),
        ("bytes=1--2", .whole), ("bytes=1-2-3", .whole),
        ("bytes=0-99999999999999999999999", .part(0..<100)), ("bytes=99999999999999999999999-", .nothing),
        ("bytes=-99999999999999999999999", .part(0..<100)), ("bytes=9223372036854775807-9223372036854775807", .nothing),
        ("bytes=0-9223372036854775807", .part(0..<100)),
    ]

    @Test(arguments: cases) func `a header asks for what it says, and for the whole when it says nothing`(header: String?, asked: ByteRange)
    {
        #expect(ByteRange.asked(by: header, of: 100) == asked)
    }

    @Test func `of nothing there is nothing, but the whole of it`() {
        #expect(ByteRange.asked(by: nil, of: 0) == .whole)
        for header in ["bytes=0-", "bytes=-1", "bytes=0-0"] { #expect(ByteRange.asked(by: header, of: 0) == .nothing) }
    }

    @Test func `whatever is asked for lies inside`() {
        let parts = (0..<500).compactMap(part)

        #expect(parts.allSatisfy { !$0.part.isEmpty && $0.part.lowerBound >= 0 && $0.part.upperBound <= $0.size }, "\(parts)")
        #expect(parts.count > 20)
    }

    /// What a header of random words asks of a file of a random size, where it asks for a part.
    private func part(seed: UInt64) -> (part: Range<Int64>, size: Int64)? {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        // Mostly a range, or nearly one.
        let letters = Array(random(3) > 0 ? "0123456789-".utf8 : "bytes=-,0123456789 x\t".utf8)
        let words = (0..<random(8)).map { _ in letters[random(letters.count)] }
        let header = (random(8) > 0 ? "bytes=" : "") + String(decoding: words, as: UTF8.self)
        let size = Int64(random(50))
        if case .part(let part) = ByteRange.asked(by: header, of: size) { return (part, size) }
        return nil
    }
}
