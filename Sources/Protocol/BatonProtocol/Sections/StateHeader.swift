package import BatonCore

/// The part of a `state` message beside its sections.
package struct StateHeader: Equatable, Sendable {
    package static let type = "state"

    /// After applying this message the subscribed sections equal the hub's at this revision.
    package var revision: Int
    /// The revision last sent on this connection; `nil` in a full state.
    package var from: Int?
    /// True if the client removes the stored sections that are not in this message.
    package var full: Bool
    /// The room; present in the first state, and always if several rooms are followed.
    package var room: RoomID?

    package init(revision: Int, from: Int? = nil, full: Bool = false, room: RoomID? = nil) {
        self.revision = revision
        self.from = from
        self.full = full
        self.room = room
    }
}
