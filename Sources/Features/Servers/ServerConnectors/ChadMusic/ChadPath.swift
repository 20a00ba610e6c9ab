/// The path of a file on the server, relative to the account's address and percent-encoded.
///
/// Servers write paths plain (`/files/03 Low Tide.flac`) or encoded (`/files/03%20Low%20Tide.flac`); both become the
/// same text. URIs also come from remotes, so a path must not lead upwards or to the server's commands.
import BatonCore
import BatonSeams

struct ChadPath: Hashable, Sendable {
    /// Percent-encoded, without a leading slash.
    let text: String

    /// Parses an encoded path; `nil` if it is not encoded, leads upwards, or names a command.
    init?(encoded text: String) {
        let segments = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !text.isEmpty, Self.isEncoded(text, mayHold: Self.plain), segments.allSatisfy(Self.isName),
            PercentText.decoded(segments[0])?.lowercased() != "api" || segments.count < 2
        else { return nil }
        self.text = text
    }

    /// Parses a path as the server writes it. With `isURL` a question mark begins a query, which may contain a key;
    /// such text is refused.
    init?(written: String, isURL: Bool, below base: String) {
        var text = written
        if isURL, text.contains("?") || text.contains("#") { return nil }
        // Some servers include the base path under which a proxy serves them.
        if !base.isEmpty, text.hasPrefix(base + "/") { text.removeFirst(base.count) }
        while text.hasPrefix("/") { text.removeFirst() }
        if Self.isEncoded(text, mayHold: Self.plain + " ?#"), text.contains("%") {
            text = Self.encodingRest(of: text)
        } else {
            text = PercentText.encoded(text, keeping: "/" + Self.marks)
        }
        self.init(encoded: text)
    }

    /// The decoded file name.
    var name: String { text.split(separator: "/").last.flatMap { PercentText.decoded($0) } ?? text }

    private static let marks = "!$&'()*+,;=:@"
    private static let plain = "/-._~" + marks

    /// Whether the text has only letters, digits, these characters and complete escapes.
    private static func isEncoded(_ text: String, mayHold marks: String) -> Bool {
        guard PercentText.decoded(text) != nil else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "%"):
                true
            default: marks.utf8.contains(byte)
            }
        }
    }

    private static func encodingRest(of text: String) -> String {
        text.replacing(" ", with: "%20").replacing("?", with: "%3F").replacing("#", with: "%23")
    }

    /// Whether a segment is a real name, neither empty nor `.` or `..`, even if a proxy decodes it once more.
    private static func isName(_ segment: String) -> Bool {
        guard let name = PercentText.decoded(segment), !name.isEmpty, name != ".", name != ".." else { return false }
        return !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 < 32 || $0 == 127 }
    }
}
