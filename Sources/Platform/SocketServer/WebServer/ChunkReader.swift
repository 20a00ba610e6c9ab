/// A body in chunks (RFC 9112, 7.1), read strictly and piece by piece.
///
/// Extensions and trailers are refused: no client of a hub sends them, and two programs that disagree on their end would see different
/// requests. A value: bytes in, the bytes of the body out.
struct ChunkReader {
    struct Fault: Error, Equatable {
        let sentence: String
    }

    private enum State {
        case size(digits: Int)
        case sizeEnd
        case data(left: Int64)
        /// The line end behind a chunk, and how much of it was read.
        case dataEnd(came: Int)
        case lastEnd(came: Int)
        case done
    }

    private var state = State.size(digits: 0)
    private var size: Int64 = 0

    /// True after the last chunk. Bytes behind it belong to the next request.
    var isDone: Bool { if case .done = state { true } else { false } }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]
    /// Enough digits for a petabyte.
    private static let mostDigits = 13

    /// Removes the bytes of the body from the front of `bytes`.
    mutating func take(_ bytes: inout ArraySlice<UInt8>) throws(Fault) -> [UInt8] {
        var body: [UInt8] = []
        while !isDone, let byte = bytes.first {
            if case .data(let left) = state {
                let count = Int(min(left, Int64(bytes.count)))
                body += bytes.prefix(count)
                bytes = bytes.dropFirst(count)
                state = left > Int64(count) ? .data(left: left - Int64(count)) : .dataEnd(came: 0)
            } else {
                bytes = bytes.dropFirst()
                try step(byte)
            }
        }
        return body
    }

    private mutating func step(_ byte: UInt8) throws(Fault) {
        switch state {
        case .size(let digits):
            if let digit = byte.hexDigit, digits < Self.mostDigits {
                size = size << 4 | Int64(digit)
                state = .size(digits: digits + 1)
            } else {
                guard digits > 0, byte == Self.lineEnd[0] else {
                    throw Fault(sentence: "A chunk begins with its length in hexadecimal digits and nothing else.")
                }
                state = .sizeEnd
            }
        case .sizeEnd:
            try expect(byte, Self.lineEnd[1])
            state = size == 0 ? .lastEnd(came: 0) : .data(left: size)
            size = 0
        case .dataEnd(let came):
            try expect(byte, Self.lineEnd[came])
            state = came == 0 ? .dataEnd(came: 1) : .size(digits: 0)
        case .lastEnd(let came):
            try expect(byte, Self.lineEnd[came])
            state = came == 0 ? .lastEnd(came: 1) : .done
        case .data, .done: break
        }
    }

    private func expect(_ byte: UInt8, _ wanted: UInt8) throws(Fault) {
        if byte != wanted { throw Fault(sentence: "A chunk must end with CR and LF, and nothing may follow the last one.") }
    }
}
