import BatonCore
import BatonSeams

/// The rooms of the hub in the order in which they were made. There is always one.
@Loop
final class RoomList {
    private(set) var all: [LiveRoom]

    init(_ rooms: [LiveRoom]) {
        precondition(!rooms.isEmpty, "A hub has a room.")
        all = rooms
    }

    var first: LiveRoom { all[0] }

    subscript(id: RoomID) -> LiveRoom? {
        // There are few rooms: a walk is quicker than a hash.
        all.first { $0.room.id == id }
    }

    func add(_ live: LiveRoom) { all.append(live) }

    func remove(_ live: LiveRoom) { all.removeAll { $0 === live } }
}
