import BatonCore
import BatonProtocol
import BatonWire

/// What a client holds: the sections of each room it follows, and the hub's own.
struct SimulatedCopy {
    /// The rooms that were spoken of on this connection; before the first word, those of the last one.
    private(set) var order: [RoomID] = []
    private(set) var rooms: [RoomID: [Section: JSON]] = [:]
    private var hub: [Section: JSON] = [:]
    private var isFresh = false
    private var spokenOf: RoomID?

    var sections: SectionSet { SectionSet(order.flatMap { rooms[$0]?.keys.map { $0 } ?? [] } + hub.keys) }

    func value(_ section: Section, of room: RoomID) -> JSON? { section.isOfRoom ? rooms[room]?[section] : hub[section] }

    /// A new connection, on which nothing was said.
    mutating func beginsAnew() {
        isFresh = true
        spokenOf = nil
    }

    mutating func lose(_ room: RoomID) {
        order.removeAll { $0 == room }
        rooms[room] = nil
    }

    mutating func keepOnly(_ wanted: [RoomID]) {
        order = wanted.filter { rooms[$0] != nil }
        rooms = rooms.filter { order.contains($0.key) }
    }

    /// Says what is wrong with it, if anything.
    mutating func apply(_ update: StateUpdate) -> String? {
        let header = update.header
        guard let room = header.room ?? spokenOf else { return "was sent a state of no room" }
        if isFresh { order = [] }
        isFresh = false
        spokenOf = room
        if header.full { rooms[room] = [:] }
        guard rooms[room] != nil else { return "was sent a part of \(room), of which it holds nothing" }
        if !order.contains(room) { order.append(room) }
        if header.room == nil, order.count > 1 { return "follows \(order) and was sent a state of none of them" }
        for (section, value) in update.sections {
            let value: JSON? = value.isNull ? .none : value  // `nil` would be JSON's own.
            if section.isOfRoom { rooms[room]?[section] = value } else { hub[section] = value }
        }
        return nil
    }
}
