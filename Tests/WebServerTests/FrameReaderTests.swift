import SocketPeers
import Testing

@testable import SocketServer

/// Frames out of bytes, however the network has cut them. RFC 6455, 5 and 7.4.
struct FrameReaderTests {
    /// What a reader makes of `bytes` that come in `pieces`, and how it ended.
    private func read(
        _ bytes: [UInt8], inPieces pieces: [Int] = [], limit: Int = 1_000_000, _ reader: inout FrameReader
    ) -> (events: [FrameReader.Event], violation: FrameReader.Violation?) {
        var events: [FrameReader.Event] = []
        var start = 0
        for end in pieces + [bytes.count] {
            let piece = Array(bytes[start..<end])
            start = end
            let violation = piece.withUnsafeBytes { buffer -> FrameReader.Violation? in
                var rest = buffer[...]
                do throws(FrameReader.Violation) {
                    while let event = try reader.next(from: &rest, textLimit: limit, binaryLimit: limit) { events.append(event) }
                    return nil
                } catch { return error }
            }
            if let violation { return (events, violation) }
        }
        return (events, nil)
    }

    private func read(_ bytes: [UInt8], inPieces pieces: [Int] = [], limit: Int = 1_000_000) -> (
        events: [FrameReader.Event], violation: FrameReader.Violation?
    ) {
        var reader = FrameReader()
        return read(bytes, inPieces: pieces, limit: limit, &reader)
    }

    private static func text(_ text: String) -> FrameReader.Event { .message(Array(text.utf8), isBinary: false) }

    @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 200_000])
    func `a message of any length is read as it was written`(count: Int) {
        let payload = (0..<count).map { UInt8($0 % 128) }

        #expect(read(frame(payload)).events == [.message(payload, isBinary: false)])
        #expect(read(frame(payload, opcode: 2)).events == [.message(payload, isBinary: true)])
    }

    @Test func `wherever the bytes are cut, the same is read`() {
        let bytes =
            frame(Array("one".utf8)) + frame(Array("tw".utf8), isFinal: false) + frame([7], opcode: 9)
            + frame(Array("o ü".utf8), opcode: 0) + frame([], opcode: 10) + frame([UInt8](repeating: 65, count: 200))
            + frame([0x03, 0xe8] + Array("bye".utf8), opcode: 8)
        let whole: [FrameReader.Event] = [
            Self.text("one"), .ping([7]), Self.text("two ü"), .pong, Self.text(String(repeating: "A", count: 200)), .close(1000),
        ]

        #expect(read(bytes).events == whole)
        #expect(read(bytes, inPieces: Array(1..<bytes.count)).events == whole)
        for cut in 1..<bytes.count { #expect(read(bytes, inPieces: [cut]).events == whole) }
    }

    @Test(
        arguments: [
            (frame([65], isMasked: false), "Client frames must be masked."),
            ([0xc1, 0x80, 1, 2, 3, 4], "Reserved bits of a frame must be zero."),
            ([0x83, 0x80, 1, 2, 3, 4], "Opcode 3 means nothing."),
            (frame([65], opcode: 0), "There is no message to be continued."),
            (frame([65], isFinal: false) + frame([65]), "A message began before the one before it had ended."),
            ([0x09, 0x80, 1, 2, 3, 4], "A control frame has at most 125 bytes and comes in one piece."),
            (frame([UInt8](repeating: 65, count: 126), opcode: 9), "A control frame has at most 125 bytes and comes in one piece."),
            ([0x81, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4], "A frame's length has 63 bits."),
            (frame([0x03], opcode: 8), "A close frame begins with a code, and its reason is UTF-8."),
            (frame([0x03, 0xe8, 0xff], opcode: 8), "A close frame begins with a code, and its reason is UTF-8."),
            (frame([0x03, 0xed], opcode: 8), "The close code 1005 may not be sent."),
        ] as [([UInt8], String)])
    func `what breaks the rules is said with 1002, also behind a good message`(bytes: [UInt8], sentence: String) {
        let alone = read(bytes)
        let behind = read(frame(Array("good".utf8)) + bytes)

        #expect(alone.violation == .broken(sentence))
        #expect(behind.violation == .broken(sentence) && behind.events == [Self.text("good")])
    }

    @Test func `behind a broken frame nothing is read any more`() {
        var reader = FrameReader()
        _ = read(frame([65], isMasked: false), &reader)

        let after = read(frame(Array("good".utf8)), &reader)

        #expect(after.events.isEmpty && after.violation == nil)
    }

    @Test func `a length over the limit is refused by its header alone, and the close behind it is found`() {
        var reader = FrameReader()
        let claim: [UInt8] = [0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0]

        #expect(read(claim, limit: 4_096, &reader).violation?.code == 1009)

        var other = FrameReader()
        let long = frame([UInt8](repeating: 65, count: 200))
        #expect(read(Array(long[..<4]), limit: 100, &other).violation?.code == 1009)
        #expect(read(Array(long[4...]) + frame([0x03, 0xe8], opcode: 8), limit: 100, &other).events == [.close(1000)])
    }

    @Test func `fragments count together`() {
        let halves = frame([UInt8](repeating: 65, count: 60), isFinal: false) + frame([UInt8](repeating: 65, count: 60), opcode: 0)

        #expect(read(halves, limit: 120).events.count == 1)
        #expect(read(halves, limit: 119).violation?.code == 1009)
    }

    @Test func `text is looked at when it is whole, for a letter may lie in two fragments`() {
        let letter = Array("ü".utf8)
        let halves = frame([letter[0]], isFinal: false) + frame([letter[1]], opcode: 0)

        #expect(read(halves).events == [Self.text("ü")])
        #expect(read(frame([letter[0]])).violation?.code == 1007)
    }

    @Test func `it is known whether something has begun`() {
        var reader = FrameReader()
        #expect(!reader.isInside)
        _ = read(Array(frame([65]).dropLast()), &reader)
        #expect(reader.isInside)
        var fragmented = FrameReader()
        _ = read(frame([65], isFinal: false), &fragmented)
        #expect(fragmented.isInside)
        _ = read(frame([], opcode: 9), &fragmented)
        #expect(fragmented.isInside)
        _ = read(frame([65], opcode: 0), &fragmented)
        #expect(!fragmented.isInside)
    }
}

/// One frame, masked unless told otherwise, of any length.
private func frame(_ payload: [UInt8], opcode: UInt8 = 1, isFinal: Bool = true, isMasked: Bool = true) -> [UInt8] {
    guard payload.count > 65_535 else { return RawPeer.frame(payload, opcode: opcode, isFinal: isFinal, isMasked: isMasked) }
    let length = (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
    return [0x80 | opcode, 0x80 | 127] + length + [0, 0, 0, 0] + payload
}
