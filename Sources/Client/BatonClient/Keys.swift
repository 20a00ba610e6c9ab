import BatonProtocol

/// Random text for command keys and client ids.
public enum Keys {
    /// Random letters and digits, unique in practice.
    public static func random(length: Int = 10) -> String { Token.random(length: length) }
}
