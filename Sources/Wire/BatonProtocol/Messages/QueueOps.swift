package import BatonCore

extension QueueOps {
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
}
