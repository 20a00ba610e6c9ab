/// Splits a long list in JSON text into its elements without parsing them: a library of 100,000 tracks as one tree of
/// values would take hundreds of megabytes.
///
/// Malformed text gives `nil`, and the parser checks each element afterwards.
struct JSONPieces: Sendable {
    let bytes: [UInt8]
    /// The text with the long list replaced by an empty one.
    private(set) var rest: [UInt8]
    private(set) var elements: [Range<Int>] = []

    static let mostElements = 250_000
    private static let mostDepth = 64

    /// Splits the list that is the whole text, or else the first member of the outer object that is a list with one
    /// of these names.
    init?(_ bytes: [UInt8], members: [String]) {
        self.bytes = bytes
        rest = bytes
        var reader = Reader(bytes: bytes)
        reader.skipSpace()
        guard let first = reader.byte else { return nil }
        if first == UInt8(ascii: "[") {
            guard let (start, end) = list(&reader) else { return nil }
            rest = Array(bytes[..<start]) + Array("[]".utf8) + Array(bytes[end...])
            return
        }
        guard first == UInt8(ascii: "{"), find(members.map { Array($0.utf8) }, &reader) else { return nil }
    }

    func element(_ index: Int) -> [UInt8] { Array(bytes[elements[index]]) }

    /// Finds the list; returns false for malformed text. Text without such a list has no elements.
    private mutating func find(_ names: [[UInt8]], _ reader: inout Reader) -> Bool {
        reader.position += 1
        reader.skipSpace()
        if reader.byte == UInt8(ascii: "}") { return true }
        while true {
            reader.skipSpace()
            guard let name = reader.skipString() else { return false }
            reader.skipSpace()
            guard reader.byte == UInt8(ascii: ":") else { return false }
            reader.position += 1
            reader.skipSpace()
            if reader.byte == UInt8(ascii: "["), names.contains(Array(bytes[name])) {
                guard let (start, end) = list(&reader) else { return false }
                rest = Array(bytes[..<start]) + Array("[]".utf8) + Array(bytes[end...])
                return true
            }
            guard reader.skipValue(mostDepth: Self.mostDepth) else { return false }
            reader.skipSpace()
            guard reader.byte == UInt8(ascii: ",") else { return reader.byte == UInt8(ascii: "}") }
            reader.position += 1
        }
    }

    private mutating func list(_ reader: inout Reader) -> (start: Int, end: Int)? {
        let start = reader.position
        reader.position += 1
        reader.skipSpace()
        if reader.byte == UInt8(ascii: "]") { return (start, reader.position + 1) }
        while true {
            reader.skipSpace()
            let from = reader.position
            guard reader.skipValue(mostDepth: Self.mostDepth), elements.count < Self.mostElements else { return nil }
            elements.append(from..<reader.position)
            reader.skipSpace()
            if reader.byte == UInt8(ascii: "]") { return (start, reader.position + 1) }
            guard reader.byte == UInt8(ascii: ",") else { return nil }
            reader.position += 1
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func skipSpace() {
            while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
        }

        /// Skips a string and returns the range between its quotes.
        mutating func skipString() -> Range<Int>? {
            guard byte == UInt8(ascii: "\"") else { return nil }
            position += 1
            let start = position
            while let byte {
                if byte == UInt8(ascii: "\"") {
                    position += 1
                    return start..<position - 1
                }
                position += byte == UInt8(ascii: "\\") ? 2 : 1
            }
            return nil
        }

        mutating func skipValue(mostDepth: Int) -> Bool {
            var depth = 0
            let start = position
            while let byte {
                switch byte {
                case UInt8(ascii: "\""): guard skipString() != nil else { return false }
                case UInt8(ascii: "["), UInt8(ascii: "{"):
                    depth += 1
                    guard depth <= mostDepth else { return false }
                    position += 1
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    guard depth > 0 else { return position > start }
                    depth -= 1
                    position += 1
                case UInt8(ascii: ",") where depth == 0: return position > start
                default: position += 1
                }
                if depth == 0, let last = self.last, last == UInt8(ascii: "]") || last == UInt8(ascii: "}") || last == UInt8(ascii: "\"") {
                    return true
                }
            }
            return false
        }

        private var last: UInt8? { position > 0 ? bytes[position - 1] : nil }
    }
}
