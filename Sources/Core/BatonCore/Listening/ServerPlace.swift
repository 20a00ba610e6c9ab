/// A place in a spoken item as its server keeps it for the account.
package struct ServerPlace: Equatable, Sendable {
    /// 0 where the item is to be heard from its beginning, or was finished.
    package var positionMs: Int
    package var isFinished: Bool
    /// When it was set, by this hub's clock; `nil` for an item that was never begun.
    package var atMs: Int64?

    package init(positionMs: Int, isFinished: Bool = false, atMs: Int64? = nil) {
        self.positionMs = positionMs
        self.isFinished = isFinished
        self.atMs = atMs
    }

    package static let none = ServerPlace(positionMs: 0)

    /// What a server is told of a place here.
    package init(_ place: ItemPlace, isFinished: Bool) {
        self.init(positionMs: isFinished ? 0 : place.positionMs, isFinished: isFinished, atMs: place.atMs)
    }

    /// Apart from the time. Servers keep whole seconds, rounded in ways of their own.
    package func isSame(as other: ServerPlace) -> Bool {
        isFinished == other.isFinished && (isFinished || abs(positionMs - other.positionMs) < 1_000)
    }
}

/// What is done with a place that a server is to be told, where other devices of the account leave theirs.
///
/// Such a server knows no sessions. The value that was read or written there last is the parent of what was heard since: while the
/// server still has it, the new place follows. Another value says that another device was listened to meanwhile, and then the later
/// of the two is the place.
package enum PlaceDelivery: Equatable, Sendable {
    /// The server gets ours.
    case send
    /// The same, and theirs is a side place.
    case sendOver
    /// Theirs stays; ours is a side place.
    case giveWay

    package init(of ours: ServerPlace, over theirs: ServerPlace, parent: ServerPlace) {
        if theirs.isSame(as: parent) || theirs.isSame(as: ours) {
            self = .send
        } else {
            self = (theirs.atMs ?? 0) > (ours.atMs ?? 0) ? .giveWay : .sendOver
        }
    }
}
