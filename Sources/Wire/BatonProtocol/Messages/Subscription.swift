package import BatonCore

/// The rooms and sections that a client follows from now on. It is answered like a command, and repeated in `hello` after
/// a reconnect. A member that is `nil` leaves its part unchanged.
package struct Subscription: Equatable, Sendable {
    package static let type = "sub"

    /// A number from the same sequence as the commands' ids; the answer carries it.
    package var id: Int
    package var rooms: [RoomID]?
    package var sections: SectionSet?
    package var pace: Pace?
    /// The part of the queue for which operations are sent; a removed one stops them.
    package var queue: Patch<Window>

    package struct Window: Equatable, Sendable {
        /// Position of the first row, from 0.
        package var from: Int
        /// Number of rows, limited by `WireLimits.queueWindow`.
        package var count: Int

        package init(from: Int, count: Int) {
            self.from = from
            self.count = count
        }
    }

    package init(
        id: Int, rooms: [RoomID]? = nil, sections: SectionSet? = nil, pace: Pace? = nil, queue: Patch<Window> = .unchanged
    ) {
        self.id = id
        self.rooms = rooms
        self.sections = sections
        self.pace = pace
        self.queue = queue
    }
}
