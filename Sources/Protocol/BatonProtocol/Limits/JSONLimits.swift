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

    public init() {}

    public static let standard = JSONLimits()
}
