package import BatonCore

/// A message that a server sends by itself.
package enum SourceNews: Equatable, Sendable {
    /// The place of the account's person in this item, as one of their devices reported; that may be this hub.
    case place(ItemURI, ServerPlace)
    /// Devices of the account have started, moved on or stopped.
    case sessions
    /// Items were added, changed or removed.
    case items
}
