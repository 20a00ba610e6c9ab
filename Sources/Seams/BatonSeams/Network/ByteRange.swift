/// The range that a `Range` header requests, for content of a given size (RFC 9110, 14). A header that is invalid, or that requests several parts, is
/// ignored, since the whole is always a correct answer.
package enum ByteRange: Equatable, Sendable {
    /// The whole content is to be sent.
    case whole
    /// These bytes are to be sent.
    case part(Range<Int64>)
    /// The range is outside of the content.
    case nothing

    /// The range for a header; `whole` where there is none.
    package static func asked(by header: String?, of size: Int64) -> ByteRange {
        guard let spec = header.flatMap(onlySpec) else { return .whole }
        let ends = spec.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return .whole }
        switch (ends[0].isEmpty, ends[1].isEmpty) {
        case (true, true): return .whole
        case (true, false): return number(ends[1]).map { suffix($0, of: size) } ?? .whole
        case (false, true): return number(ends[0]).map { $0 < size ? .part($0..<size) : .nothing } ?? .whole
        case (false, false):
            guard let first = number(ends[0]), let last = number(ends[1]), first <= last else { return .whole }
            return first < size ? .part(first..<min(last, size - 1) + 1) : .nothing
        }
    }

    private static func suffix(_ count: Int64, of size: Int64) -> ByteRange {
        count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .nothing
    }

    private static func onlySpec(_ header: String) -> Substring? {
        let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, trimmed(parts[0]).lowercased() == "bytes" else { return nil }
        let specs = parts[1].split(separator: ",", omittingEmptySubsequences: true).map(trimmed).filter { !$0.isEmpty }
        return specs.count == 1 ? specs[0] : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    /// Reads digits only. A number too large for the type becomes the largest one.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text) ?? .max - 1
    }
}
