/// The length of the whole file in an answer, and the part of it that was sent.
extension HTTPAnswer {
    /// The file's length: from `content-range` for a part, from `content-length` for the whole.
    package var wholeLength: Int64? {
        if status == 206 { return contentRange?.total }
        return header("content-length").flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The first byte that was sent; `nil` where the server sent a part without saying which.
    package var firstByte: Int64? { status == 206 ? contentRange?.start : 0 }

    /// The range of a partial answer; `nil` where the header is missing or invalid.
    package var contentRange: HTTPContentRange? { header("content-range").flatMap { HTTPContentRange($0) } }
}

/// The range `bytes 0-99/1234`. `bytes */1234` has no start, and `bytes 0-99/*` no total.
package struct HTTPContentRange: Equatable, Sendable {
    /// The first byte that is sent.
    package var start: Int64?
    /// Size of the whole file; `nil` where the server writes `*`.
    package var total: Int64?

    /// Reads the value of the header; `nil` for one that contradicts itself.
    package init?(_ text: String) {
        let words = text.split { $0 == " " || $0 == "\t" || $0 == "=" }
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let total = Self.number(parts[1]) else { return nil }
        self.total = total
        guard parts[0] != "*" else { return }
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let start = Int64(bounds[0]), let end = Int64(bounds[1]), start >= 0, end >= start,
            total.map({ end < $0 }) ?? true
        else { return nil }
        self.start = start
    }

    /// The outer `nil` means invalid text, the inner one `*`.
    private static func number(_ text: Substring) -> Int64?? {
        if text == "*" { return .some(nil) }
        guard let number = Int64(text), number >= 0 else { return nil }
        return .some(number)
    }
}
