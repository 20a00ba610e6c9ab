import BatonCore

/// The id of a picture: of one source, or without a source of a picture that is named by its content and the same everywhere. On the wire it is one
/// word, `source:name` or `name`.
package struct ArtworkID: Hashable, Sendable {
    /// The name of the source; `nil` for a picture that is named by its content.
    package let source: String?
    /// The name that the source gave it, or the hash of the content.
    package let name: String

    /// Maximum length of a picture's name on the wire.
    package static let mostBytes = 64

    /// `nil` for a name that is too long or empty.
    package init?(source: String?, name: String) {
        guard !name.isEmpty else { return nil }
        self.source = source
        self.name = name
        guard text.utf8.count <= Self.mostBytes else { return nil }
    }

    /// `nil` for text that is no id: ids become part of file names in the cache, so paths are refused.
    package init?(text: String) {
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 && $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") }
        guard isPlain, 1...Self.mostBytes ~= text.utf8.count else { return nil }
        guard let colon = text.firstIndex(of: ":") else {
            self.init(source: nil, name: text)
            return
        }
        guard let name = PercentText.decoded(text[text.index(after: colon)...]) else { return nil }
        self.init(source: String(text[..<colon]), name: name)
    }

    /// The word on the wire, in which the name is escaped after a source.
    package var text: String { source.map { "\($0):\(Self.encoded(name))" } ?? name }

    /// Encodes dots too, since a name of dots alone would be a folder.
    private static func encoded(_ name: String) -> String { PercentText.encoded(name).replacing(".", with: "%2E") }
}
