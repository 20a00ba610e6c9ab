package import BatonCore

/// Writes JSON text as bytes, without spaces and in the order of the calls.
///
/// It writes commas automatically. The bytes may begin with space for the transport's own header, so that a frame is sent from the buffer
/// in which it was encoded. The text is always valid UTF-8, because Swift strings are.
package struct JSONWriter: ~Copyable {
    /// The bytes, written up to `end`. Our own memory, since an array checks at each call whether it is shared; and each call checks once
    /// for enough room, not at each byte.
    private var memory: UnsafeMutableBufferPointer<UInt8>
    private var end: Int
    /// The place at which the text begins.
    private var start: Int
    /// Whether the next value needs a comma: true after a value, false after a name or an opening bracket.
    private var needsComma = false
    /// The limits for lists and texts; set before the first value.
    package var bounds = MessageBounds.none
    /// Whether errors and problems say their reasons, for a client with that capability.
    package var givesReasons = false

    /// Makes a writer whose bytes begin with `headroom` zeros.
    package init(headroom: Int = 0) {
        start = headroom
        end = headroom
        memory = .allocate(capacity: headroom + 512)
        for index in 0..<headroom { memory[index] = 0 }
    }

    deinit { memory.deallocate() }

    /// The space for the header and the text, copied once.
    package consuming func finish() -> [UInt8] { Array(UnsafeBufferPointer(rebasing: memory[..<end])) }

    /// The number of bytes that were written after the space for the header.
    package var count: Int { end - start }

    /// The bytes that were written after the space for the header.
    package var text: [UInt8] { Array(UnsafeBufferPointer(rebasing: memory[start..<end])) }

    /// Writes a value as a text of its own, in which places are counted from its beginning, and returns its bytes.
    package mutating func part(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        let outer = start
        start = end
        body(&self)
        let part = text
        start = outer
        return part
    }

    // MARK: structure

    /// Writes an object, whose members `body` writes.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes an array, whose elements `body` writes.
    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        body(&self)
        close(UInt8(ascii: "]"))
    }

    /// A member's name; its value is written next.
    package mutating func name(_ name: StaticString) {
        let count = name.utf8CodeUnitCount
        reserve(count + 4)
        separate()
        let place = memory.baseAddress! + end
        place[0] = UInt8(ascii: "\"")
        (place + 1).copyWords(from: name.utf8Start, count: count)
        place[count + 1] = UInt8(ascii: "\"")
        place[count + 2] = UInt8(ascii: ":")
        end += count + 3
        needsComma = false
    }

    /// A name that is only known at run time.
    package mutating func name(verbatim name: String) {
        string(name)
        reserve(1)
        put(UInt8(ascii: ":"))
        needsComma = false
    }

    // MARK: values

    /// Writes a text with the escapes that JSON requires; a text without any is copied as a whole.
    package mutating func string(_ value: String) {
        var value = value
        value.withUTF8 { letters in
            let escapes = Self.needEscapes(letters)
            reserve((escapes ? letters.reduce(0) { $0 + Self.width($1) } : letters.count) + 3)
            separate()
            put(UInt8(ascii: "\""))
            if escapes { for letter in letters { escape(letter) } } else { put(letters) }
            put(UInt8(ascii: "\""))
        }
        needsComma = true
    }

    /// Writes a number, which must fit into 64 bits with a sign.
    package mutating func int(_ value: some BinaryInteger) {
        decimal(Int64(value))
    }

    package mutating func int(_ time: some CountedTime) { decimal(time.count) }

    package mutating func bool(_ value: Bool) {
        word(value ? "true" : "false")
    }

    package mutating func null() {
        word("null")
    }

    /// JSON has no infinity and no NaN; they become `null`.
    package mutating func double(_ value: Double) {
        guard value.isFinite else { return null() }
        encoded(Array(value.description.utf8))
    }

    /// A value that was encoded before. The caller ensures that it is valid JSON.
    package mutating func encoded(_ value: some Collection<UInt8>) {
        reserve(value.count + 1)
        separate()
        if value.withContiguousStorageIfAvailable({ put($0) }) == nil { for byte in value { put(byte) } }
        needsComma = true
    }

    /// Writes a tree of values, with members in their order.
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

    /// Removes everything after the first `count` bytes, for a list whose next element does not fit.
    package mutating func truncate(to count: Int) {
        precondition(count <= self.count, "More is to be kept than was written.")
        end = start + count
        needsComma = count > 0 && Self.endsValue(memory[end - 1])
    }

    // MARK: bytes

    /// Ensures room for `most` bytes.
    @inline(__always)
    private mutating func reserve(_ most: Int) { if memory.count - end < most { grow(by: most) } }

    /// Grows to at least twice the size, so that a long text is moved few times. Not inlined, since it is rare.
    @inline(never)
    private mutating func grow(by most: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: memory.count + max(most, memory.count))
        _ = larger.update(fromContentsOf: memory[..<end])
        memory.deallocate()
        memory = larger
    }

    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        memory[end] = byte
        end += 1
    }

    private mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        // An empty buffer may have no address.
        guard let start = bytes.baseAddress else { return }
        if bytes.count <= 32 {
            (memory.baseAddress! + end).copyWords(from: start, count: bytes.count)
        } else {
            (memory.baseAddress! + end).update(from: start, count: bytes.count)
        }
        end += bytes.count
    }

    /// Writes a comma before a value, if necessary.
    @inline(__always)
    private mutating func separate() { if needsComma { put(UInt8(ascii: ",")) } }

    private mutating func open(_ bracket: UInt8) {
        reserve(2)
        separate()
        put(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        reserve(1)
        put(bracket)
        needsComma = true
    }

    /// Whether a value may end with this byte. A string may contain the others too, but it always ends with a quotation mark.
    private static func endsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): false
        default: true
        }
    }

    private mutating func word(_ word: StaticString) {
        reserve(word.utf8CodeUnitCount + 1)
        separate()
        put(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        needsComma = true
    }

    private mutating func decimal(_ value: Int64) {
        var left = value.magnitude
        let digits = Self.digits(of: left)
        reserve(digits + 2)
        separate()
        if value < 0 { put(UInt8(ascii: "-")) }
        end += digits
        var place = memory.baseAddress! + end
        // Two digits at a time, since a division takes longer than all else.
        while left >= 10 {
            let pair = UInt32(truncatingIfNeeded: left % 100)
            left /= 100
            let tens = pair / 10
            place -= 2
            place[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: tens)
            place[1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: pair - tens * 10)
        }
        if digits % 2 == 1 { place[-1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left) }
        needsComma = true
    }

    private static func digits(of value: UInt64) -> Int {
        var (left, digits) = (value, 1)
        while left >= 10_000 { (left, digits) = (left / 10_000, digits + 4) }
        return digits + (left >= 1000 ? 3 : left >= 100 ? 2 : left >= 10 ? 1 : 0)
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Whether one of these bytes needs an escape. Nearly all texts need none, so eight bytes are checked together.
    private static func needEscapes(_ letters: UnsafeBufferPointer<UInt8>) -> Bool {
        let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        /// A top bit is set in the first byte that is less than `least`, and perhaps in later ones.
        func less(_ word: UInt64, than least: UInt64) -> UInt64 { (word &- ones &* least) & ~word & tops }
        func needs(_ word: UInt64) -> Bool {
            let quotes = less(word ^ ones &* UInt64(UInt8(ascii: "\"")), than: 1)
            return less(word, than: 0x20) | quotes | less(word ^ ones &* UInt64(UInt8(ascii: "\\")), than: 1) != 0
        }
        guard letters.count >= 8 else { return letters.contains(where: needsEscape) }
        let start = UnsafeRawPointer(letters.baseAddress!)
        var index = 0
        while letters.count - index > 8 {
            if needs(start.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { return true }
            index += 8
        }
        // The last eight; some of them may have been looked at already.
        return needs(start.loadUnaligned(fromByteOffset: letters.count - 8, as: UInt64.self))
    }

    /// Number of bytes that `escape` writes for this one.
    private static func width(_ byte: UInt8) -> Int { needsEscape(byte) ? short(byte) == nil ? 6 : 2 : 1 }

    /// The letter behind the backslash, if there is a short escape.
    private static func short(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0A: UInt8(ascii: "n")
        case 0x0C: UInt8(ascii: "f")
        case 0x0D: UInt8(ascii: "r")
        case 0..<0x20: nil
        default: byte
        }
    }

    private mutating func escape(_ byte: UInt8) {
        guard Self.needsEscape(byte) else { return put(byte) }
        put(UInt8(ascii: "\\"))
        if let letter = Self.short(byte) { return put(letter) }
        put(UInt8(ascii: "u"))
        put(UInt8(ascii: "0"))
        put(UInt8(ascii: "0"))
        put(Self.hexDigits[Int(byte >> 4)])
        put(Self.hexDigits[Int(byte & 15)])
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
