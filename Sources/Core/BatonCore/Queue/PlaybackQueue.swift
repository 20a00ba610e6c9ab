/// The play queue of a room: entries in playing order, one of them current.
///
/// A value. Every change moves `revision` forward and describes itself as a `QueueChange`, which is stored in the journal and sent to remotes with an
/// open queue. Nothing here knows of files, players or sockets.
package struct PlaybackQueue: Equatable, Sendable {
    /// The entries in playing order; a shuffled queue is stored as it plays.
    package internal(set) var entries: [QueueEntry] = [] { didSet { findCurrent() } }
    /// The entry that plays or will play next; `nil` in an empty queue, and in a playlist.
    package internal(set) var current: EntryID? { didSet { findCurrent() } }
    /// Cached, since each command needs it many times, and finding it in a long queue is slow.
    package private(set) var currentIndex: Int?
    /// Number of changes so far, without those of tags and problems.
    package internal(set) var revision = 0
    /// The plain order of a shuffled queue, kept up to date; `nil` while it is not shuffled.
    package internal(set) var unshuffled: [EntryID]?
    /// The latest edits.
    package internal(set) var history = QueueHistory()

    /// Maximum number of entries; larger edits are refused whole.
    package static let limit = 10_000

    /// An empty queue at revision 0.
    package init() {}

    /// Restores a stored queue.
    package init(
        entries: [QueueEntry], current: EntryID?, revision: Int, unshuffled: [EntryID]? = nil, history: QueueHistory = QueueHistory()
    ) {
        self.entries = entries
        self.current = entries.contains { $0.id == current } ? current : entries.first?.id
        self.revision = revision
        self.unshuffled = unshuffled
        self.history = history
        findCurrent()
    }

    private mutating func findCurrent() { currentIndex = current.flatMap(index(of:)) }

    // MARK: Looking

    /// True when there is no entry, and so no current one.
    package var isEmpty: Bool { entries.isEmpty }
    /// Number of entries, the current one and those that have played included.
    package var count: Int { entries.count }

    /// The index of an entry; `nil` when it has left the queue. The search takes time with the length of the queue.
    package func index(of id: EntryID) -> Int? { entries.firstIndex { $0.id == id } }
    /// True while the entry is in the queue.
    package func contains(_ id: EntryID) -> Bool { index(of: id) != nil }
    /// The current entry itself; `nil` in an empty queue.
    package var currentEntry: QueueEntry? { currentIndex.map { entries[$0] } }

    /// The entry `count` positions behind the current one; past the end it wraps only when asked to.
    package func entry(ahead count: Int, wrapping: Bool) -> QueueEntry? {
        guard let here = currentIndex else { return nil }
        let there = here.plus(count)
        if entries.indices.contains(there) { return entries[there] }
        guard wrapping else { return nil }
        let size = entries.count
        return entries[(there % size + size) % size]
    }

    // MARK: Changing

    /// Makes an entry current; `nil` when it is so already, or has left the queue.
    package mutating func makeCurrent(_ id: EntryID) -> QueueChange? {
        guard id != current, contains(id) else { return nil }
        current = id
        revision += 1
        return .current(id)
    }

    /// Inserts in the given order. The first entry of an empty queue becomes current.
    package mutating func insert(_ new: [QueueEntry], at place: InsertionPoint) throws(Refusal) -> [QueueChange] {
        guard !new.isEmpty else { return [] }
        guard entries.count + new.count <= Self.limit else {
            throw Refusal(.quota, "A queue holds at most \(Self.limit) entries.", cause: .queueFull(Self.limit))
        }
        let at = try index(for: place)
        let anchor = at == 0 ? nil : entries[at - 1].id
        remember(new.map(\.id), behind: anchor, atEnd: place == .end)
        entries.insert(contentsOf: new, at: at)
        revision += 1
        let change = QueueChange.inserted(new, after: anchor)
        guard current == nil else { return [change] }
        current = new[0].id
        return [change, .current(current)]
    }

    /// Removes those of `ids` that are in the queue. When the current entry is removed, the next remaining one becomes current, or the first one if
    /// there is none; `lost` says which.
    package mutating func remove(_ ids: [EntryID]) -> (removed: [QueueEntry], changes: [QueueChange], lost: Loss) {
        let doomed = Set(ids)
        let removed = entries.filter { doomed.contains($0.id) }
        guard !removed.isEmpty else { return ([], [], .nothing) }
        let successor = currentIndex.flatMap { here in entries[here...].first { !doomed.contains($0.id) }?.id }
        entries.removeAll { doomed.contains($0.id) }
        unshuffled?.removeAll { doomed.contains($0) }
        revision += 1
        let change = QueueChange.removed(removed.map(\.id))
        guard let current, doomed.contains(current) else { return (removed, [change], .nothing) }
        self.current = successor ?? entries.first?.id
        return (removed, [change, .current(self.current)], successor == nil ? .currentAndRest : .current)
    }

    /// The part of the queue that a removal took, as far as playing is concerned.
    package enum Loss: Equatable, Sendable {
        case nothing
        /// The current entry; the next one became current.
        case current
        /// The current entry and all entries behind it.
        case currentAndRest
    }

    /// Moves entries together behind an anchor, in the given order. Refuses when one of them has left the queue.
    package mutating func move(_ ids: [EntryID], to place: InsertionPoint) throws(Refusal) -> [QueueChange] {
        var moving = Set<EntryID>()
        let ids = ids.filter { moving.insert($0).inserted }
        let found = entries.filter { moving.contains($0.id) }
        guard found.count == ids.count else {
            throw Refusal(.gone, "One of the entries to move is no longer in the queue.")
        }
        // The position is counted among the entries that stay, so it may be given relative to a moving entry.
        let at = try entries[..<index(for: place)].count { !moving.contains($0.id) }
        let indices = EntryIndices(found.lazy.map(\.id))
        var order = entries.filter { !moving.contains($0.id) }
        order.insert(contentsOf: ids.compactMap { indices[$0].map { found[$0] } }, at: at)
        guard order != entries else { return [] }
        entries = order
        revision += 1
        return [.moved(ids, after: at == 0 ? nil : entries[at - 1].id)]
    }

    /// Removes all entries, or all but the current one.
    package mutating func clear(keeping keep: QueueRemainder) -> [QueueChange] {
        let kept = keep == .current ? currentEntry.map { [$0] } ?? [] : []
        guard kept.count != entries.count else { return [] }
        return replace(with: kept, current: kept.first?.id)
    }

    /// Replaces all entries. The caller says which of them becomes current.
    package mutating func replace(with new: [QueueEntry], current: EntryID?) -> [QueueChange] {
        entries = new
        self.current = current
        if unshuffled != nil { unshuffled = new.map(\.id) }
        revision += 1
        return [.replaced(new), .current(current)]
    }

    /// Stores tags and format that the player reported. The order does not change, so the revision for whole-queue commands stays too.
    package mutating func describe(_ id: EntryID, _ tags: Tags, format: SoundFormat?) -> QueueChange? {
        guard let at = index(of: id) else { return nil }
        var entry = entries[at]
        entry.tags = tags
        entry.format = format
        entry.problem = nil
        guard entry != entries[at] else { return nil }
        entries[at] = entry
        return .described(entry)
    }

    /// Notes why an entry could not be played; `nil` removes the note. Returns false when nothing changes.
    package mutating func note(_ problem: String?, on id: EntryID) -> Bool {
        guard let at = index(of: id), entries[at].problem != problem else { return false }
        entries[at].problem = problem
        return true
    }

    // MARK: Positions

    private func index(for place: InsertionPoint) throws(Refusal) -> Int {
        switch place {
        case .next: return currentIndex.map { $0 + 1 } ?? entries.count
        case .end: return entries.count
        case .after(nil, _): return 0
        case .after(let anchor?, let orEnd):
            if let at = index(of: anchor) { return at + 1 }
            if orEnd { return entries.count }
            throw Refusal(.anchorGone, "The entry to put this behind is no longer in the queue.")
        }
    }
}

/// One change of a queue, sufficient to repeat it elsewhere.
package enum QueueChange: Equatable, Sendable {
    /// Inserted behind `after`, or at the front.
    case inserted([QueueEntry], after: EntryID?)
    /// Removed, wherever they were.
    case removed([EntryID])
    /// Moved together, in this order, behind `after` or to the front.
    case moved([EntryID], after: EntryID?)
    /// All entries replaced by these.
    case replaced([QueueEntry])
    /// Tags or format of an entry replaced.
    case described(QueueEntry)
    /// Another entry made current, or none.
    case current(EntryID?)
    /// Removed earlier and back again: behind `after`, or at the front.
    case restored([QueueEntry], after: EntryID?)
    /// Removed earlier and out of reach of undo.
    case forgotten([EntryID])

    /// True when the order has changed.
    package var isOfOrder: Bool {
        switch self {
        case .inserted, .removed, .moved, .replaced, .restored: true
        case .described, .current, .forgotten: false
        }
    }
}

/// The source of entry numbers, each unique in the life of a hub.
package struct EntryNumbers: Equatable, Sendable {
    /// The number that the next entry gets; it is stored, so that a restart does not use one again.
    package private(set) var next: UInt64
    /// A source that goes on with this number, the first one by default.
    package init(next: UInt64 = 1) { self.next = next }

    /// Takes the next number. A decision works on a copy of this value, so a refusal takes none.
    package mutating func take() -> EntryID {
        defer { next += 1 }
        return EntryID(next)
    }
}

/// The reason why a room refused a command. Nothing has changed when it is thrown.
package struct Refusal: Error, Equatable, Sendable {
    /// The kind of refusal, which becomes an error code of the protocol.
    package enum Code: Sendable, CaseIterable {
        case anchorGone, badRequest, gone, invalidState, notFound, queueConflict, quota
    }

    /// The matter of a refusal, where clients have words of their own for it.
    package enum Cause: Equatable, Sendable {
        case queueEmpty, isLive
        /// The queue may hold this many entries.
        case queueFull(Int)
    }

    package let code: Code
    /// A sentence for people.
    package let sentence: String
    /// The current revision of the queue or the playlist, with `queueConflict`.
    package let revision: Int?
    package let cause: Cause?

    /// A refusal; a revision belongs only to `queueConflict`.
    package init(_ code: Code, _ sentence: String, revision: Int? = nil, cause: Cause? = nil) {
        self.code = code
        self.sentence = sentence
        self.revision = revision
        self.cause = cause
    }
}
