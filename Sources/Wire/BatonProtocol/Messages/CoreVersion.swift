/// The version of Core that this package speaks.
public enum CoreVersion {
    /// The version as both sides say it.
    public static let text = "1.0"
    /// The WebSocket subprotocol of this major version.
    public static let subprotocol = "baton.v1"
    /// The path of every way in.
    public static let path = "/baton"

    /// Whether this package understands a client of that version: the number before the dot decides.
    package static func speaks(_ text: String) -> Bool { text.split(separator: ".", omittingEmptySubsequences: false).first == "1" }
}
