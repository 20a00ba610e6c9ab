import BatonCore
import BatonSeams

/// The rooms of the hub in the order in which they were made, those that were deleted last, and private rooms. There is always one of the hub.
@Loop
final class RoomList {
    /// The rooms of the hub, which all clients are shown. Changed by one assignment, never in its place: then the compiler proves that no room
    /// comes or goes while it is read, and no read needs a check of that as it runs.
    private(set) var shared: [LiveRoom] { didSet { all = shared + personal } }
    /// Private rooms, each of one person.
    private(set) var personal: [LiveRoom] = [] { didSet { all = shared + personal } }
    private(set) var all: [LiveRoom]
    /// Deleted rooms that can be restored, the one that was deleted last at the end.
    private(set) var deleted: [RecoveredRoom]
    /// The ids of both in the order in which the rooms were made, so that a restored room has its place again.
    private var order: [RoomID]

    /// A queue may be long, so only few are kept for an undo.
    static let mostDeleted = 5

    init(_ rooms: [LiveRoom], deleted: [RecoveredRoom] = [], order: [RoomID]? = nil) {
        precondition(!rooms.isEmpty, "A hub has a room.")
        shared = rooms
        all = rooms
        self.deleted = deleted
        self.order = order ?? rooms.map(\.room.id)
    }

    var first: LiveRoom { shared[0] }

    subscript(id: RoomID) -> LiveRoom? {
        // There are few rooms: a walk is quicker than a hash.
        all.first { $0.room.id == id }
    }

    func deleted(_ id: RoomID) -> RecoveredRoom? { deleted.first { $0.room.id == id } }

    /// A new room stands at the end, a restored one at the place that it had.
    func add(_ live: LiveRoom) {
        guard !live.isPrivate else { return personal = personal + [live] }
        let id = live.room.id
        deleted.removeAll { $0.room.id == id }
        if let place = order.firstIndex(of: id) {
            let before = Set(order[..<place])
            var rooms = shared
            rooms.insert(live, at: rooms.count { before.contains($0.room.id) })
            shared = rooms
        } else {
            order.append(id)
            shared = shared + [live]
        }
    }

    /// A private room cannot be restored.
    func remove(_ live: LiveRoom) { personal = personal.filter { $0 !== live } }

    func remove(_ live: LiveRoom, keeping kept: RecoveredRoom) {
        shared = shared.filter { $0 !== live }
        deleted.append(kept)
    }

    func forget(_ id: RoomID) {
        deleted.removeAll { $0.room.id == id }
        order.removeAll { $0 == id }
    }
}
