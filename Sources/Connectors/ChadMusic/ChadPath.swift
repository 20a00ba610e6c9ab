/// Where a file is on the server, relative to the account's address, as it is asked for.
///
/// Servers write paths plain (`/files/03 Low Tide.flac`) and encoded (`/files/03%20Low%20Tide.flac`). Both become the same text
/// here. A path never leads upwards, and never to the server's commands, since URIs come from remotes too.
import BatonCore
import BatonSeams

struct ChadPath: Hashable, Sendable {
    /// Encoded, without a slash in front.
    let text: String

    /// `nil` for text that is not encoded, that leads upwards, or that names a command.
    init?(encoded text: String) {
        let segments = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !text.isEmpty, Self.isEncoded(text, mayHold: Self.plain), segments.allSatisfy(Self.isName),
            PercentText.decoded(segments[0])?.lowercased() != "api" || segments.count < 2
        else { return nil }
        self.text = text
    }

    /// As a server writes it. `isURL` is for a member that holds a reference, in which a question mark begins a query; a query
    /// may hold a key, and such a reference is no path.
    init?(written: String, isURL: Bool, below base: String) {
        var text = written
        if isURL, text.contains("?") || text.contains("#") { return nil }
        // Some servers know below which path a proxy shows them, and write it in front.
        if !base.isEmpty, text.hasPrefix(base + "/") { text.removeFirst(base.count) }
        while text.hasPrefix("/") { text.removeFirst() }
        if Self.isEncoded(text, mayHold: Self.plain + " ?#"), text.contains("%") {
            text = Self.encodingRest(of: text)
        } else {
            text = PercentText.encoded(text, keeping: "/" + Self.marks)
        }
        self.init(encoded: text)
    }

    /// The file's own name, decoded.
    var name: String { text.split(separator: "/").last.flatMap { PercentText.decoded($0) } ?? text }

    private static let marks = "!$&'()*+,;=:@"
    private static let plain = "/-._~" + marks

    /// Letters, digits, these characters, and escapes that are whole.
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

    /// One name below another: neither empty nor a step, also when it is decoded once more on the way.
    private static func isName(_ segment: String) -> Bool {
        guard let name = PercentText.decoded(segment), !name.isEmpty, name != ".", name != ".." else { return false }
        return !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 < 32 || $0 == 127 }
    }
}
