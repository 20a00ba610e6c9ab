import Testing

@testable import SocketServer

/// Lines are found in bytes that come in pieces of any size.
@Suite struct LineReaderTests {
    private struct Outcome: Equatable {
        var lines: [String] = []
        var isTooLong = false
    }

    private func read(_ pieces: [[UInt8]], limit: Int) -> Outcome {
        var reader = LineReader(limit: limit)
        var outcome = Outcome()
        for piece in pieces {
            reader.append(piece)
            do throws(LineReader.TooLong) {
                while let line = try reader.next() { outcome.lines.append(String(decoding: line, as: UTF8.self)) }
            } catch {
                outcome.isTooLong = true
            }
        }
        return outcome
    }

    @Test func `a line ends with a line feed, with or without a carriage return`() {
        #expect(read([Array("a\nb\r\n\n\r\nc".utf8)], limit: 10).lines == ["a", "b", "", ""])
    }

    @Test(arguments: [
        ("12345\n", false), ("12345\r\n", false), ("123456\n", true), ("123456", true), ("12345\r", false), ("12345\rx", true),
    ])
    func `the bound counts the line and not its end`(text: String, isTooLong: Bool) {
        #expect(read([Array(text.utf8)], limit: 5).isTooLong == isTooLong)
    }

    @Test func `after a line that is too long nothing more is read`() {
        let outcome = read([Array("ok\n1234567\nok\n".utf8), Array("ok\n".utf8)], limit: 5)

        #expect(outcome == Outcome(lines: ["ok"], isTooLong: true))
    }

    @Test(arguments: 0..<300) func `bytes mean the same one by one, all at once and in any pieces`(seed: UInt64) {
        var random = SeededNoise(seed)
        let bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
            [10, 13, 65, 66][Int.random(in: 0..<4, using: &random)] as UInt8
        }
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...rest.count, using: &random)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        let limit = Int.random(in: 1..<12, using: &random)

        let whole = read([bytes], limit: limit)

        #expect(read(bytes.map { [$0] }, limit: limit) == whole, "seed \(seed)")
        #expect(read(pieces, limit: limit) == whole, "seed \(seed)")
    }
}

private struct SeededNoise: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
