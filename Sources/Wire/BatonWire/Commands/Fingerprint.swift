/// A hash of a command's meaning, equal in every process and on every machine, since the key table stores it across restarts. FNV-1a over a
/// canonical form: members sorted by name, each value preceded by a tag for its type, each text by its length.
///
/// It distinguishes a repeat from a mistake. It need not resist forgery, since a sender could only forge its own keys.
package struct Fingerprint: Sendable {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    /// Adds a text, or its absence, which differs from an empty text.
    package mutating func add(_ text: String?) {
        guard let text else { return add(byte: 0) }
        add(byte: 4)
        add(word: UInt64(text.utf8.count))
        for byte in text.utf8 { add(byte: byte) }
    }

    /// Adds members sorted by name, so that their order on the wire does not matter.
    package mutating func add(_ object: JSONObject) {
        add(byte: 6)
        add(word: UInt64(object.members.count))
        let members =
            object.members.count < 2
            ? object.members : object.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for member in members {
            add(member.name)
            add(member.value)
        }
    }

    /// Adds a value with its type, so that the text `1` and the number differ.
    package mutating func add(_ value: JSON) {
        switch value {
        case .null: add(byte: 0)
        case .bool(let value): add(byte: value ? 2 : 1)
        case .int(let value):
            add(byte: 3)
            add(word: UInt64(bitPattern: value))
        case .double(let value):
            add(byte: 7)
            add(word: value.bitPattern)
        case .string(let value): add(value)
        case .array(let elements):
            add(byte: 5)
            add(word: UInt64(elements.count))
            for element in elements { add(element) }
        case .object(let object): add(object)
        }
    }

    private mutating func add(word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: word >> shift)) }
    }

    private mutating func add(byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
}
