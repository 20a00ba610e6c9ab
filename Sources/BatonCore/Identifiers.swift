/// The names of things. Each has a type of its own, so that a room cannot be passed where an
/// entry is meant; on the wire and on disk they are plain text.

/// One place in a queue. Permanent: never reused, kept across restarts and moves.
package struct EntryID: Hashable, Sendable, Comparable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    /// The wire form is `q` and the number in base 36.
    package init?(text: String) {
        guard text.utf8.first == UInt8(ascii: "q"), text.utf8.count <= 14,
            let number = UInt64(text.dropFirst(), radix: 36)
        else { return nil }
        self.number = number
        // One entry has one name: no sign, no capitals, no zeros in front.
        guard self.text == text else { return nil }
    }

    package var text: String { "q" + String(number, radix: 36) }

    package static func < (a: EntryID, b: EntryID) -> Bool { a.number < b.number }
}

/// One room: a lower-case word that stays when the room is renamed.
package struct RoomID: Hashable, Sendable {
    package let text: String
    package init(_ text: String) { self.text = text }
}

/// What a source offers, named `source:kind/id`; the id is percent-encoded.
package struct ItemURI: Hashable, Sendable {
    package let text: String
    package init(_ text: String) { self.text = text }

    /// The part before the first colon: which connector to ask.
    package var source: Substring { text.prefix { $0 != ":" } }
}

extension EntryID: CustomStringConvertible { package var description: String { text } }
extension RoomID: CustomStringConvertible { package var description: String { text } }
extension ItemURI: CustomStringConvertible { package var description: String { text } }
