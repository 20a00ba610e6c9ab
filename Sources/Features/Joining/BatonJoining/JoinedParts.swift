import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// The parts of the hub that a joined room needs.
@Loop
struct JoinedParts {
    let changes: RoomChanges
    let sources: Sources
    let clock: HubClock
    let log: Log
    /// The id of this hub.
    let hub: String
    /// The list that it is in.
    weak var rooms: JoinedRooms?
}

/// The last events of one joined room, for diagnosis by people.
struct JoinedEvents {
    struct Event: Equatable {
        let atMs: Milliseconds
        let text: String
    }

    static let most = 50
    private(set) var list: [Event] = []

    mutating func note(_ text: String, atMs: Milliseconds) {
        list.append(Event(atMs: atMs, text: String(text.prefix(200))))
        if list.count > Self.most { list.removeFirst(list.count - Self.most) }
    }
}
