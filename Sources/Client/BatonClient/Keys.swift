import BatonProtocol

/// Command keys and client ids: random text that no two presses share.
public enum Keys {
    /// Letters and digits that nobody else has.
    public static func random(length: Int = 10) -> String { Token.random(length: length) }
}
