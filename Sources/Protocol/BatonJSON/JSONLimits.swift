/// The limits of a JSON text: depth, counts and lengths. The transport limits its bytes.
public struct JSONLimits: Equatable, Sendable {
    /// The root counts as 1.
    public var depth = 8
    public var members = 64
    public var elements = 1000
    /// UTF-8 bytes of a string after its escapes were undone.
    public var stringBytes = 4096
    /// UTF-8 bytes of a member name after its escapes were undone.
    public var nameBytes = 64

    /// What becomes of a whole number beyond 2^53-1.
    public var largeNumbers = LargeNumbers.refused

    /// What a reader does with a whole number that a double cannot hold exactly.
    public enum LargeNumbers: Equatable, Sendable {
        /// A fault: a reader that keeps every number in a double would read another one.
        case refused
        /// A string of its digits, for ids of servers that write them as numbers.
        case text
    }

    public init() {}

    public static let standard = JSONLimits()
}
