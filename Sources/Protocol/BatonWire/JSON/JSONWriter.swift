/// Writes JSON text as bytes, without spaces and in the order of the calls.
///
/// It writes commas by itself: the last byte shows whether one is needed. The bytes may begin with space for the
/// transport's own header, so that a frame is sent from the buffer that it was encoded in. The text is always valid UTF-8,
/// because Swift strings are.
package struct JSONWriter {
    package private(set) var bytes: [UInt8]
    private let headroom: Int
    package var bounds = MessageBounds.none

    package init(headroom: Int = 0, capacity: Int = 256) {
        self.headroom = headroom
        bytes = []
        bytes.reserveCapacity(headroom + capacity)
        for _ in 0..<headroom { bytes.append(0) }
    }

    /// Returns the bytes without copying them.
    package consuming func finish() -> [UInt8] { bytes }

    /// The number of bytes that were written after the space for the header.
    package var count: Int { bytes.count - headroom }

    package var text: ArraySlice<UInt8> { bytes[headroom...] }

    // MARK: structure

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        body(&self)
        bytes.append(UInt8(ascii: "]"))
    }

    /// A member's name; its value is written next.
    package mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// A name that is only known at run time.
    package mutating func name(verbatim name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: values

    package mutating func string(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { utf8 in
            if utf8.contains(where: Self.needsEscape) {
                for byte in utf8 { escape(byte) }
            } else {
                bytes.append(contentsOf: utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func int(_ value: some BinaryInteger) {
        separate()
        decimal(Int64(value))
    }

    package mutating func bool(_ value: Bool) {
        separate()
        word(value ? "true" : "false")
    }

    package mutating func null() {
        separate()
        word("null")
    }

    /// JSON has no infinity and no NaN; they become `null`.
    package mutating func double(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        bytes.append(contentsOf: value.description.utf8)
    }

    /// A value that was encoded before. The caller ensures that it is valid JSON.
    package mutating func encoded(_ value: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: value)
    }

    package mutating func value(_ value: JSON) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .int(let value): int(value)
        case .double(let value): double(value)
        case .string(let value): string(value)
        case .array(let elements): array { for element in elements { $0.value(element) } }
        case .object(let object):
            self.object {
                for member in object.members {
                    $0.name(verbatim: member.name)
                    $0.value(member.value)
                }
            }
        }
    }

    /// Removes everything after the first `count` bytes, for a list whose next element does not
    /// fit.
    package mutating func truncate(to count: Int) {
        bytes.removeLast(self.count - count)
    }

    // MARK: bytes

    private mutating func open(_ byte: UInt8) {
        separate()
        bytes.append(byte)
    }

    /// Two values have a comma between them. A string may contain these bytes too, but it always ends with its
    /// quotation mark.
    private mutating func separate() {
        guard bytes.count > headroom else { return }
        switch bytes[bytes.count - 1] {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    private mutating func word(_ word: StaticString) {
        word.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func decimal(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var left = value.magnitude
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var first = 20
        repeat {
            let (quotient, remainder) = left.quotientAndRemainder(dividingBy: 10)
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(remainder)
            left = quotient
        } while left > 0
        for index in first..<20 { bytes.append(digits[index]) }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        guard Self.needsEscape(byte) else { return bytes.append(byte) }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0..<0x20:
            word("u00")
            bytes.append(Self.hexDigits[Int(byte >> 4)])
            bytes.append(Self.hexDigits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}

/// A member in one call.
extension JSONWriter {
    package mutating func member(_ name: StaticString, _ value: String) {
        self.name(name)
        string(value)
    }

    package mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
        self.name(name)
        int(value)
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    package mutating func member(_ name: StaticString, _ value: [String]) {
        self.name(name)
        array { for element in value { $0.string(element) } }
    }

    /// A span, as its two ends.
    package mutating func member(_ name: StaticString, _ range: ClosedRange<Int>) {
        self.name(name)
        array {
            $0.int(range.lowerBound)
            $0.int(range.upperBound)
        }
    }

    /// Absent values are left out.
    package mutating func member(_ name: StaticString, ifPresent value: String?) {
        if let value { member(name, value) }
    }

    package mutating func member(_ name: StaticString, ifPresent value: (some BinaryInteger)?) {
        if let value { member(name, value) }
    }

    /// Flags of an envelope are 1, or absent.
    package mutating func flag(_ name: StaticString, _ value: Bool) {
        if value { member(name, 1) }
    }

    package mutating func member(_ name: StaticString, object body: (inout JSONWriter) -> Void) {
        self.name(name)
        object(body)
    }

    package mutating func member(_ name: StaticString, array body: (inout JSONWriter) -> Void) {
        self.name(name)
        array(body)
    }

    package mutating func member(_ name: StaticString, encoded value: some Collection<UInt8>) {
        self.name(name)
        encoded(value)
    }
}
