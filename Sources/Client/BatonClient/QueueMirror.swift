public import BatonCore
public import BatonProtocol

/// A remote's copy of an open queue.
///
/// It holds the ids of the queue's head, as far as they were requested, and the known rows. Every operation keeps the
/// head complete, so an edit further down needs no request; missing rows are in `need`, for the owner to request. If
/// revisions do not follow each other, the copy starts over.
public struct QueueMirror: Equatable, Sendable {
    /// `nil` before the first page and after a gap in the revisions.
    public private(set) var revision: Int?
    /// Length of the whole queue.
    public private(set) var length = 0
    /// The entry that plays, which may be outside of the known head; `nil` if there is none.
    public private(set) var current: EntryID?
    /// Ids in playing order, from the head.
    public private(set) var ids: [EntryID] = []
    /// Known rows by id.
    public private(set) var rows: [EntryID: QueueRow] = [:]
    /// Number of rows to load.
    package let wanted: Int

    /// A queue without rows, whose `need` is the first page.
    package init(wanted: Int = .max) { self.wanted = wanted }

    /// A request that the owner should send next.
    package enum Need: Equatable, Sendable {
        /// All wanted rows are known.
        case nothing
        /// `queue.get{from}`.
        case page(from: Int)
        /// `queue.get{ids}`.
        case rows([EntryID])
    }

    /// The next request. Rows that a change announced come first, at most 100 at once; then follows the next page.
    package var need: Need {
        guard revision != nil else { return .page(from: 0) }
        let blank = ids.lazy.filter { rows[$0] == nil }.prefix(100)
        if !blank.isEmpty { return .rows(Array(blank)) }
        return ids.count < min(length, wanted) ? .page(from: ids.count) : .nothing
    }

    /// Whether all ids of the queue are known.
    public var isWhole: Bool { revision != nil && ids.count == length }

    /// Adds a page. A page of another revision is ignored and requested again.
    package mutating func take(_ page: QueuePage) {
        if page.from == 0 {
            self = QueueMirror(wanted: wanted)
            revision = page.revision
            length = page.length
            current = page.current
            ids = page.rows.map(\.entry)
        } else if let from = page.from {
            guard page.revision == revision, from == ids.count else { return }
            ids += page.rows.map(\.entry)
        }
        let known = Set(ids)
        for row in page.rows where known.contains(row.entry) { rows[row.entry] = row }
    }

    /// Applies a change that follows the known revision. Any other discards the copy, and `need` asks for the first page.
    package mutating func apply(_ news: QueueOps) {
        guard let ops = news.ops, news.from == revision else { return doubt() }
        for op in ops {
            switch op {
            case .insert(let anchor, let new):
                length += new.count
                insert(new, behind: anchor)
            case .delete(let gone):
                length -= gone.count
                remove(gone)
                for id in gone { rows[id] = nil }
            case .move(let moved, let anchor):
                remove(moved)
                insert(moved, behind: anchor)
            case .current(let entry): current = entry
            case .unrecognised: return doubt()
            }
        }
        revision = news.revision
        for row in news.rows where ids.contains(row.entry) { rows[row.entry] = row }
    }

    private mutating func doubt() {
        revision = nil
        ids = []
        rows = [:]
    }

    private mutating func remove(_ gone: [EntryID]) {
        let gone = Set(gone)
        ids.removeAll { gone.contains($0) }
    }

    /// Inserts after the anchor. An anchor outside the known head means that the new entries are outside, too.
    private mutating func insert(_ new: [EntryID], behind anchor: EntryID?) {
        guard let anchor else { return ids.insert(contentsOf: new, at: 0) }
        guard let at = ids.firstIndex(of: anchor) else { return }
        ids.insert(contentsOf: new, at: at + 1)
    }
}

extension QueueMirror.Need {
    /// The request for the missing rows; `nil` if none are missing.
    package var question: Commands.QueueWindow? {
        switch self {
        case .nothing: nil
        case .page(let from): Commands.QueueWindow(from: from)
        case .rows(let ids): Commands.QueueWindow(ids: ids)
        }
    }
}
