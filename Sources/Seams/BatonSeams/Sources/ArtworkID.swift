import BatonCore

/// Names a picture: that of one source, or, without a source, one that is named by its content and is the same wherever it is.
/// On the wire it is one word, `source:name` or `name`.
package struct ArtworkID: Hashable, Sendable {
    package let source: String?
    package let name: String

    /// As much as a picture's name may be long on the wire.
    package static let mostBytes = 64

    /// `nil` for a name that would be too long, or that has no characters.
    package init?(source: String?, name: String) {
        guard !name.isEmpty else { return nil }
        self.source = source
        self.name = name
        guard text.utf8.count <= Self.mostBytes else { return nil }
    }

    /// `nil` for text that names no picture: it becomes part of a file's name in the cache, so a path is none.
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

    package var text: String { source.map { "\($0):\(Self.encoded(name))" } ?? name }

    /// Dots too, since a name of dots alone would be a folder.
    private static func encoded(_ name: String) -> String { PercentText.encoded(name).replacing(".", with: "%2E") }
}
