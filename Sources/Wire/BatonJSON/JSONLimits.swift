/// The limits of a JSON text: depth, counts and lengths. The transport limits its bytes.
public struct JSONLimits: Equatable, Sendable {
    /// The root counts as 1.
    public var depth = 8
    /// Members of one object.
    public var members = 64
    /// Elements of one array.
    public var elements = 1000
    /// UTF-8 bytes of a string after its escapes were undone.
    public var stringBytes = 4096
    /// UTF-8 bytes of a member name after its escapes were undone.
    public var nameBytes = 64

    /// The handling of a whole number beyond 2^53-1.
    public var largeNumbers = LargeNumbers.refused

    /// The ways to handle a whole number that a double cannot hold exactly.
    public enum LargeNumbers: Equatable, Sendable {
        /// A fault, since a reader that stores all numbers as doubles would read a different one.
        case refused
        /// A string of its digits, for servers that write ids as numbers.
        case text
    }

    /// The limits of messages; a server with larger answers gets its own.
    public init() {}

    /// The limits for messages of the protocol.
    public static let standard = JSONLimits()
}
