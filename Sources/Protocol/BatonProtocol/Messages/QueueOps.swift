public import BatonCore

/// A change of a queue, for clients that have it open.
public struct QueueOps: Equatable, Sendable {
    package static let type = "q"

    /// One step of a change. Steps refer to entries by id and apply in order.
    package enum Op: Equatable, Sendable {
        /// Inserts after this entry, or at the head.
        case insert(after: EntryID?, [EntryID])
        case delete([EntryID])
        /// Moves entries in this order behind an entry, or to the head.
        case move([EntryID], after: EntryID?)
        case current(EntryID?)
        /// An operation of a newer hub: the client fetches the queue again.
        case unrecognised(String)
    }

    package enum Change: Equatable, Sendable {
        /// Steps that lead from revision `from` to that of the message.
        case ops(from: Int, [Op])
        /// The change has too many operations to send: the client fetches the queue again.
        case reset(length: Int)
    }

    /// The room of the queue.
    public var room: RoomID
    /// The queue's own revision, not the hub's.
    public var revision: Int
    /// The steps from revision `from` to `revision`; a client with another revision reads the queue again.
    package var change: Change
    /// The texts of inserted rows, if there are few of them.
    package var rows: [QueueRow]

    package init(room: RoomID, revision: Int, _ change: Change, rows: [QueueRow] = []) {
        self.room = room
        self.revision = revision
        self.change = change
        self.rows = rows
    }
}
