/// How large a JSON text may be in each direction. Its length in bytes is the transport's affair.
package struct JSONLimits: Equatable, Sendable {
    /// The root counts as 1.
    package var depth = 8
    package var members = 64
    package var elements = 1000
    /// UTF-8 bytes of a string after its escapes were undone.
    package var stringBytes = 4096
    /// UTF-8 bytes of a member name after its escapes were undone.
    package var nameBytes = 64

    package init() {}

    package static let standard = JSONLimits()
}
