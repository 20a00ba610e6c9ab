/// A size limit for display texts. A text is cut only between grapheme clusters, and the ellipsis counts towards the limit; control
/// characters become spaces.
package struct DisplayText: Sendable {
    /// Largest number of characters as people count them (grapheme clusters).
    package var clusters: Int
    /// UTF-8 bytes on the wire, escapes included, so that the limit holds for every text.
    package var bytes: Int

    package init(clusters: Int = Int.max, bytes: Int) {
        self.clusters = clusters
        self.bytes = bytes
    }

    /// A size that fits into the smallest frames beside all other members.
    package static let watch = DisplayText(clusters: 64, bytes: 96)

    /// The end of a text that was cut, within both limits.
    package static let ellipsis = "…"

    /// The text within both limits. A short plain text is returned as it is, which costs one pass over its bytes.
    package func cut(_ text: String) -> String {
        // Almost every text fits: a cluster has at least one byte, and none of these bytes is escaped.
        if text.utf8.count <= min(clusters, bytes), Self.isPlain(text) { return text }
        let text = Self.printable(text)
        // Most texts are short enough even if every character needs an escape.
        let length = text.utf8.count
        if length <= clusters, length <= bytes / 2 { return text }
        var left = Room(clusters: clusters, bytes: bytes)
        // The end of the text in case it has to be cut, which is known only when the limit is passed.
        var end = text.startIndex
        var index = text.startIndex
        while index < text.endIndex {
            guard left.take(text[index]) else { return text[..<end] + Self.ellipsis }
            text.formIndex(after: &index)
            if left.hasSpaceForEllipsis { end = index }
        }
        return text
    }

    private struct Room {
        var clusters: Int
        var bytes: Int

        mutating func take(_ character: Character) -> Bool {
            clusters -= 1
            for byte in character.utf8 { bytes -= byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? 2 : 1 }
            return clusters >= 0 && bytes >= 0
        }

        var hasSpaceForEllipsis: Bool { clusters >= 1 && bytes >= DisplayText.ellipsis.utf8.count }
    }

    /// Whether no character needs an escape on the wire.
    package static func isPlain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPlain) } ?? text.utf8.allSatisfy(isPlain)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func printable(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
