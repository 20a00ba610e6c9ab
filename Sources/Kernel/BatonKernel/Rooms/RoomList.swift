package import BatonCore
package import BatonSeams

/// The rooms of the hub in the order in which they were made, those that were deleted last, and private rooms. There is always one of the hub.
@Loop
package final class RoomList {
    /// The rooms of the hub, which all clients are shown.
    package private(set) var shared: [LiveRoom] { didSet { all = shared + personal } }
    /// Private rooms, each of one person.
    package private(set) var personal: [LiveRoom] = [] { didSet { all = shared + personal } }
    package private(set) var all: [LiveRoom]
    /// Deleted rooms that can be restored, the one that was deleted last at the end.
    package private(set) var deleted: [RecoveredRoom]
    /// The ids of both in the order in which the rooms were made, so that a restored room has its place again.
    private var order: [RoomID]

    /// A queue may be long, so only few are kept for an undo.
    static let mostDeleted = 5

    package init(_ rooms: [LiveRoom], deleted: [RecoveredRoom] = [], order: [RoomID]? = nil) {
        precondition(!rooms.isEmpty, "A hub has a room.")
        shared = rooms
        all = rooms
        self.deleted = deleted
        self.order = order ?? rooms.map(\.room.id)
    }

    package var first: LiveRoom { shared[0] }

    package subscript(id: RoomID) -> LiveRoom? {
        // There are few rooms: a walk is quicker than a hash.
        all.first { $0.room.id == id }
    }

    package func deleted(_ id: RoomID) -> RecoveredRoom? { deleted.first { $0.room.id == id } }

    /// A new room stands at the end, a restored one at the place that it had.
    package func add(_ live: LiveRoom) {
        guard !live.isPrivate else { return personal.append(live) }
        let id = live.room.id
        deleted.removeAll { $0.room.id == id }
        if let place = order.firstIndex(of: id) {
            let before = Set(order[..<place])
            shared.insert(live, at: shared.count { before.contains($0.room.id) })
        } else {
            order.append(id)
            shared.append(live)
        }
    }

    /// A private room cannot be restored.
    package func remove(_ live: LiveRoom) { personal.removeAll { $0 === live } }

    package func remove(_ live: LiveRoom, keeping kept: RecoveredRoom) {
        shared.removeAll { $0 === live }
        deleted.append(kept)
    }

    package func forget(_ id: RoomID) {
        deleted.removeAll { $0.room.id == id }
        order.removeAll { $0 == id }
    }
}
