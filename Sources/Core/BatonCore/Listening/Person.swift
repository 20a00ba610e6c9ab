/// Whose places in spoken items are meant. The hub's owner gives devices this name; clients cannot choose it themselves.
public struct Person: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    /// The person of all devices that were given none.
    public static let home = Person("home")
    package static let mostBytes = 64
}
