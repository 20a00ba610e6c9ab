/// Identifiers. Each has its own type, so that a room cannot be passed where an entry is meant; on the wire and on disk they are plain text.

/// The identity of a queue entry. Permanent: never reused, the same across restarts and moves.
public struct EntryID: Hashable, Sendable, Comparable {
    /// The number behind the id, which `EntryNumbers` gives out in ascending order.
    public let number: UInt64

    /// An id from a number that the hub has stored or just taken from `EntryNumbers`.
    public init(_ number: UInt64) { self.number = number }

    /// The wire form is `q` and the number in base 36.
    public init?(text: String) {
        let letters = text.utf8
        guard letters.first == UInt8(ascii: "q"), 2...14 ~= letters.count else { return nil }
        var number: UInt64 = 0
        for letter in letters.dropFirst() {
            let digit: UInt8
            switch letter {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = letter - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = letter - UInt8(ascii: "a") + 10
            default: return nil
            }
            // Each id has exactly one spelling: no sign, no capitals, no leading zeros.
            if number == 0, digit == 0, letters.count > 2 { return nil }
            let (shifted, isTooLarge) = number.multipliedReportingOverflow(by: 36)
            let (sum, isAbove) = shifted.addingReportingOverflow(UInt64(digit))
            if isTooLarge || isAbove { return nil }
            number = sum
        }
        self.number = number
    }

    /// The wire form, at most 14 characters; `init(text:)` reads it back.
    public var text: String {
        // Digits are written one by one: each row of a queue has some, and the general conversion takes six times as long.
        var digits = 1
        var rest = number / 36
        while rest > 0 { (digits, rest) = (digits + 1, rest / 36) }
        return String(unsafeUninitializedCapacity: 14) { letters in
            letters[0] = UInt8(ascii: "q")
            var rest = number
            for place in stride(from: digits, to: 0, by: -1) {
                let digit = UInt8(rest % 36)
                letters[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                rest /= 36
            }
            return digits + 1
        }
    }

    /// The order in which the numbers were given out. It says nothing about the order of playing.
    public static func < (a: EntryID, b: EntryID) -> Bool { a.number < b.number }
}

/// The id of a room: a lower-case word that stays when the room is renamed.
public struct RoomID: Hashable, Sendable {
    /// The word as commands and addresses name it, such as `kitchen`.
    public let text: String
    /// An id as it was received or stored. It is not checked, and need not be that of an existing room.
    public init(_ text: String) { self.text = text }

    private static let privateMark = "only:"
    /// The private room of one person. No room name results in such an id.
    package static func ofPerson(_ word: String) -> RoomID { RoomID(privateMark + word) }
    /// True for a room that belongs to one person, made by `ofPerson`.
    package var isPrivate: Bool { text.hasPrefix(Self.privateMark) }
}

/// The URI of an item of a source: `source:kind/id`, with a percent-encoded id.
public struct ItemURI: Hashable, Sendable {
    /// The whole URI, as sources write it and as it is stored.
    public let text: String
    /// A URI as it was received or stored. The source that it names need not exist.
    public init(_ text: String) { self.text = text }

    /// The part before the first colon, which names the source.
    public var source: Substring { text[..<(text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex)] }
}

extension EntryID: CustomStringConvertible { public var description: String { text } }
extension RoomID: CustomStringConvertible { public var description: String { text } }
extension ItemURI: CustomStringConvertible { public var description: String { text } }
