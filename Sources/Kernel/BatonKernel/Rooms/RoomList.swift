package import BatonCore
package import BatonSeams

/// The rooms of the hub in order of creation, the last deleted ones, and private rooms. There is always a room of the hub.
@Loop
package final class RoomList {
    /// The rooms of the hub, which all clients see.
    package var shared: [LiveRoom] { ofHub }
    /// Private rooms. Each belongs to one person.
    package var personal: [LiveRoom] { ofPersons }
    package var all: [LiveRoom] { every }
    // A stored `package` variable would be checked for overlapping changes at each read, and each command reads these often.
    private var ofHub: [LiveRoom] { didSet { every = ofHub + ofPersons } }
    private var ofPersons: [LiveRoom] = [] { didSet { every = ofHub + ofPersons } }
    private var every: [LiveRoom]
    /// Deleted rooms that can be restored, the last deleted one at the end.
    package private(set) var deleted: [RecoveredRoom]
    /// The ids of existing and deleted rooms in order of creation, so that a restored room gets its old position.
    private var order: [RoomID]

    /// The number of presses that ended or paused playing, in all rooms.
    private(set) var halts = 0

    /// Limit on deleted rooms for an undo, since a queue may be long.
    static let mostDeleted = 5

    init(_ rooms: [LiveRoom], deleted: [RecoveredRoom] = [], order: [RoomID]? = nil) {
        precondition(!rooms.isEmpty, "A hub has a room.")
        ofHub = rooms
        every = rooms
        self.deleted = deleted
        self.order = order ?? rooms.map(\.room.id)
    }

    package var first: LiveRoom { ofHub[0] }

    /// The room with this id, shared or private; `nil` also for a deleted one.
    package subscript(id: RoomID) -> LiveRoom? {
        // There are few rooms, so a walk is faster than a hash table.
        every.first { $0.id == id }
    }

    /// Counts a press that ends or pauses playing, and gives its number.
    func nextHalt() -> Int {
        halts += 1
        return halts
    }

    func deleted(_ id: RoomID) -> RecoveredRoom? { deleted.first { $0.room.id == id } }

    /// A new room stands at the end, a restored one at the place that it had.
    func add(_ live: LiveRoom) {
        guard !live.isPrivate else { return ofPersons = ofPersons + [live] }
        let id = live.room.id
        deleted.removeAll { $0.room.id == id }
        if let place = order.firstIndex(of: id) {
            let before = Set(order[..<place])
            var rooms = shared
            rooms.insert(live, at: rooms.count { before.contains($0.room.id) })
            ofHub = rooms
        } else {
            order.append(id)
            ofHub = ofHub + [live]
        }
    }

    /// A private room cannot be restored.
    func remove(_ live: LiveRoom) { ofPersons = ofPersons.filter { $0 !== live } }

    func remove(_ live: LiveRoom, keeping kept: RecoveredRoom) {
        ofHub = ofHub.filter { $0 !== live }
        deleted.append(kept)
    }

    func forget(_ id: RoomID) {
        deleted.removeAll { $0.room.id == id }
        order.removeAll { $0 == id }
    }
}
