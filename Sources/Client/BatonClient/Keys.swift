import BatonProtocol

/// Command keys and client ids: random text that no two presses share.
public enum Keys {
    /// Random letters and digits, unique in practice.
    public static func random(length: Int = 10) -> String { Token.random(length: length) }
}
