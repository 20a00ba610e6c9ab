package import BatonCore

/// An edit of a list that its server stores.
package struct SourceListEdit: Equatable, Sendable {
    package enum Change: Equatable, Sendable {
        /// Creates a list, which is empty until something is inserted.
        case create(name: String)
        case rename(String)
        case describe(String)
        /// Shows the list to other users of the server, or hides it.
        case setPublic(Bool)
        /// Inserts before the entry at this index, or at the end when there are fewer entries.
        case insert([ItemURI], at: Int)
        /// Removes the entries at these indices, which count before the change.
        case remove([Int])
        /// Moves the entry at one index to another one.
        case move(from: Int, to: Int)
        /// Deletes the list at the server.
        case delete
    }

    /// The list; `nil` for one that is being created.
    package var list: ItemURI?
    /// The state that the person saw (`ItemPage.version`); without it the change applies to any state.
    package var base: String?
    /// The changes in their order, each on the result of the one before.
    package var changes: [Change]

    package init(list: ItemURI?, base: String? = nil, _ changes: [Change]) {
        self.list = list
        self.base = base
        self.changes = changes
    }
}

/// A queue that a server stores for the devices of one account.
package struct SavedQueue: Equatable, Sendable {
    /// The entries in order.
    package var entries: [NewEntry]
    /// The index of the current entry.
    package var current: Int?
    /// The position in the current entry.
    package var positionMs: Milliseconds
    /// The wall clock time of saving, followed by the program that saved it.
    package var savedAtMs: Milliseconds?
    /// The program or device that saved it.
    package var savedBy: String?

    package init(entries: [NewEntry], current: Int?, positionMs: Milliseconds, savedAtMs: Milliseconds? = nil, savedBy: String? = nil) {
        self.entries = entries
        self.current = current
        self.positionMs = positionMs
        self.savedAtMs = savedAtMs
        self.savedBy = savedBy
    }
}
