import BatonCore
package import BatonKernel
import BatonProtocol
package import BatonSeams

/// The parts of the hub that a joined room needs.
@Loop
package struct JoinedParts {
    package let changes: RoomChanges
    package let sources: Sources
    package let clock: HubClock
    package let log: Log
    /// The id of this hub.
    package let hub: String
    /// The list that it is in.
    package weak var rooms: JoinedRooms?
}

/// The last events of one joined room, for diagnosis by people.
struct JoinedEvents {
    struct Event: Equatable {
        let atMs: Int64
        package let text: String
    }

    static let most = 50
    package private(set) var list: [Event] = []

    package mutating func note(_ text: String, atMs: Int64) {
        list.append(Event(atMs: atMs, text: String(text.prefix(200))))
        if list.count > Self.most { list.removeFirst(list.count - Self.most) }
    }
}
