package import BatonCore
package import BatonSeams

/// The room that each client chose last, which it enters when it names none.
///
/// Only the most recent clients are stored, here and in the journal.
struct LastRooms {
    private var choices: [String: (room: RoomID, order: Int)] = [:]
    private var order = 0

    init(_ kept: [LastRoom] = []) { for lastRoom in kept { note(lastRoom.room, of: lastRoom.client) } }

    var count: Int { choices.count }

    func room(of client: String) -> RoomID? { choices[client]?.room }

    /// Notes the room. True when it differs from the last one.
    @discardableResult
    mutating func note(_ room: RoomID, of client: String) -> Bool {
        order += 1
        let isNew = choices[client]?.room != room
        choices[client] = (room, order)
        guard choices.count > JournalRules.lastRooms, let oldest = choices.min(by: { $0.value.order < $1.value.order }) else {
            return isNew
        }
        choices[oldest.key] = nil
        return isNew
    }
}

/// The last rooms, with the journal as their store.
@Loop
package final class RoomChoices: RoomChoosing {
    private var last: LastRooms
    private let ledger: Ledger

    init(_ kept: [LastRoom], _ ledger: Ledger) {
        last = LastRooms(kept)
        self.ledger = ledger
    }

    /// Number of remembered clients, for the memory figures of the hub.
    package var count: Int { last.count }

    /// The last choice of a client; `nil` if it has none or too many other clients have chosen since.
    package func room(of client: String) -> RoomID? { last.room(of: client) }

    /// Stores the choice in memory, and in the journal if it has changed.
    package func remember(_ room: RoomID, of client: String) {
        if last.note(room, of: client) { ledger.store(LastRoom(client: client, room: room)) }
    }
}
