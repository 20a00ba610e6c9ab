/// A place in a spoken item as its server stores it for the account.
package struct ServerPlace: Equatable, Sendable {
    /// The position; 0 where the item should start from its beginning, or was finished.
    package var positionMs: Milliseconds
    /// True when the item was heard to its end there.
    package var isFinished: Bool
    /// The time at which it was set, by this hub's clock; `nil` for an item that was never begun.
    package var atMs: Milliseconds?

    package init(positionMs: Milliseconds, isFinished: Bool = false, atMs: Milliseconds? = nil) {
        self.positionMs = positionMs
        self.isFinished = isFinished
        self.atMs = atMs
    }

    /// The value of a server that has no place: the beginning.
    package static let none = ServerPlace(positionMs: 0)

    /// The form in which a server is told a place of this hub.
    package init(_ place: ItemPlace, isFinished: Bool) {
        self.init(positionMs: isFinished ? 0 : place.positionMs, isFinished: isFinished, atMs: place.atMs)
    }

    /// True when the places differ at most in time. Servers store whole seconds, rounded in different ways.
    package func isSame(as other: ServerPlace) -> Bool {
        isFinished == other.isFinished && (isFinished || (positionMs - other.positionMs).magnitude < 1_000)
    }
}

/// The decision what to send to a server on which other devices of the account store places too.
///
/// The server knows no sessions. The value last read or written there is the parent of later listening here: while the server still has it, the
/// new place follows. Another value means that another device was used meanwhile, and then the later of the two is the place.
package enum PlaceDelivery: Equatable, Sendable {
    /// The server gets our place.
    case send
    /// The server gets our place, and its own becomes a side place.
    case sendOver
    /// The server's place stays; ours becomes a side place.
    case giveWay

    /// The decision, from our place, the server's present value and the value that our listening started from.
    package init(of ours: ServerPlace, over theirs: ServerPlace, parent: ServerPlace) {
        if theirs.isSame(as: parent) || theirs.isSame(as: ours) {
            self = .send
        } else {
            self = (theirs.atMs ?? 0) > (ours.atMs ?? 0) ? .giveWay : .sendOver
        }
    }
}
