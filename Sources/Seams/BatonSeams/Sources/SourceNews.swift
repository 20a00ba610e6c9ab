package import BatonCore

/// What a server tells by itself.
package enum SourceNews: Equatable, Sendable {
    /// The account's person is here in this item now, as one of their devices reported; this hub may be that device.
    case place(ItemURI, ServerPlace)
    /// Devices of the account began to play, went on or stopped.
    case sessions
    /// Items came, changed or went.
    case items
}
