/// A person whose places in spoken items are stored. The hub's owner assigns devices to persons; clients cannot choose.
public struct Person: Hashable, Sendable {
    /// The word by which the store knows the person.
    public let text: String

    public init(_ text: String) { self.text = text }

    /// The person of all devices that have none assigned.
    public static let home = Person("home")
}
