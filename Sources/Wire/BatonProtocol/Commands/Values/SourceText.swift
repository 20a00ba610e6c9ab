/// Rules for the texts of accounts, which every sender and reader checks.
public enum SourceText {
    /// Limit of accounts on one hub.
    public static let most = 16
    /// Range of the length of a server's URL in bytes.
    public static let urlBytes = 8...1024
    /// Largest number of options of one account.
    public static let mostOptions = 16
    /// Longest value of an option in bytes.
    public static let optionBytes = 256

    /// Whether the text is a lower-case letter followed by up to 31 lower-case letters, digits and `-`.
    public static func isName(_ text: String) -> Bool { isName(text, with: UInt8(ascii: "-")) }

    /// Like `isName`, with `_` instead of `-`.
    public static func isOptionName(_ text: String) -> Bool { isName(text, with: UInt8(ascii: "_")) }

    private static func isName(_ text: String, with mark: UInt8) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z"), digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard 1...32 ~= text.utf8.count, let first = text.utf8.first, letters ~= first else { return false }
        return text.utf8.allSatisfy { letters ~= $0 || digits ~= $0 || $0 == mark }
    }

    /// Whether the text is `http://` or `https://`, a host, and optionally a port and a path. A URL with a user or a password would show
    /// them in every list of accounts.
    public static func isServerURL(_ text: String) -> Bool {
        guard urlBytes ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !#""<>\^`{|}?#"#.utf8.contains($0) }) else {
            return false
        }
        let lowercased = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lowercased.hasPrefix($0) }) else { return false }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" }
        return !authority.isEmpty && !authority.contains("@") && authority.first != ":"
    }
}
