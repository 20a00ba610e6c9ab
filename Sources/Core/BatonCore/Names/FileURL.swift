/// A `file://` URL (RFC 8089) and its path.
package enum FileURL {
    private static let start = "file://"

    /// True for text with this scheme, in any case of letters.
    package static func isOne(_ text: String) -> Bool { text.prefix(start.count).lowercased() == start }

    /// The absolute path; `nil` for another machine's file, for a broken escape and for other text.
    package static func path(of text: String) -> String? {
        guard isOne(text) else { return nil }
        let rest = text.dropFirst(start.count)
        guard let slash = rest.firstIndex(of: "/"), ["", "localhost"].contains(rest[..<slash].lowercased()) else { return nil }
        return PercentText.decoded(rest[slash...])
    }

    /// The URL of an absolute path, with all but plain characters escaped.
    package static func text(of path: String) -> String { start + PercentText.encoded(path, keeping: "/") }
}
