package import BatonCore

/// What is changed in a list that its server keeps.
package struct SourceListEdit: Equatable, Sendable {
    package enum Change: Equatable, Sendable {
        case create(name: String)
        case rename(String)
        case describe(String)
        case setPublic(Bool)
        /// Before the entry that has this place now; at the end when there are no more than that.
        case insert([ItemURI], at: Int)
        /// The places are those before the change.
        case remove([Int])
        case move(from: Int, to: Int)
        case delete
    }

    /// `nil` for one that is created.
    package var list: ItemURI?
    /// Its state when the person saw it (`ItemPage.version`); without it the change is made in any state.
    package var base: String?
    package var changes: [Change]

    package init(list: ItemURI?, base: String? = nil, _ changes: [Change]) {
        self.list = list
        self.base = base
        self.changes = changes
    }
}

/// A queue as a server keeps it for the devices of one account.
package struct SavedQueue: Equatable, Sendable {
    package var entries: [NewEntry]
    /// Which of them is current.
    package var current: Int?
    package var positionMs: Int
    /// When it was saved, wall clock, and by which program.
    package var savedAtMs: Int64?
    package var savedBy: String?

    package init(entries: [NewEntry], current: Int?, positionMs: Int, savedAtMs: Int64? = nil, savedBy: String? = nil) {
        self.entries = entries
        self.current = current
        self.positionMs = positionMs
        self.savedAtMs = savedAtMs
        self.savedBy = savedBy
    }
}
