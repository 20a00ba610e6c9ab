/// One edit of a queue: its author, its kind, its time, and the data that undoes it.
public struct QueueEdit: Equatable, Sendable {
    /// The ways to change a queue, by their wire names.
    public enum Kind: String, Sendable, CaseIterable {
        case add, clear, replace, remove, move, shuffle, undo
    }

    /// The number of the edit, counted per queue.
    package let number: Int
    package let kind: Kind
    /// The name of the person who made the edit; `nil` when it is not known.
    package let author: String?
    /// Wall clock time, for people.
    package let atMs: Milliseconds
    /// Time on the steady clock of `Moment`, which decides when undo expires.
    package let steadyMs: Milliseconds
    /// Number of entries concerned.
    package let count: Int
    /// The data that undoes the edit; `nil` when it cannot be undone, or its time has passed.
    package var undo: Undo?
    /// True while it can be undone. This copies nothing, unlike a comparison of `undo`.
    package var canUndo: Bool { if case .some = undo { true } else { false } }

    package init(number: Int, kind: Kind, author: String?, atMs: Milliseconds, steadyMs: Milliseconds, count: Int, undo: Undo? = nil) {
        self.number = number
        self.kind = kind
        self.author = author
        self.atMs = atMs
        self.steadyMs = steadyMs
        self.count = count
        self.undo = undo
    }
}

/// The data that undoes an edit.
///
/// It holds the entries that the edit removed or moved, and their old neighbours, and nothing else. So entries that others have added, played or
/// moved since are not affected.
package struct Undo: Equatable, Sendable {
    /// Consecutive entries behind an anchor that the edit did not touch.
    package struct Run: Equatable, Sendable {
        /// The entry before the run, which did not move; `nil` for the head of the queue.
        package var after: EntryID?
        /// The entries of the run in their old order.
        package var ids: [EntryID]

        package init(after: EntryID?, ids: [EntryID]) {
            self.after = after
            self.ids = ids
        }
    }

    /// The entries that were moved or removed, with their neighbours in the order of playing.
    package var runs: [Run]
    /// The runs in the plain order, if the queue was shuffled.
    package var unshuffled: [Run]?
    /// The entries that were removed.
    package var taken: [QueueEntry]
    /// The entries that the edit added, which undo removes.
    package var brought: [EntryID]
    /// The entry that was current, and the position in it.
    package var current: EntryID?
    /// The position in `current` when the edit was made.
    package var positionMs: Milliseconds
    /// The entry that was current after the edit.
    package var successor: EntryID?
    /// The highest entry number before the edit. Entries with higher numbers were added since.
    package var newest: UInt64
    /// The room that handed over the added entries, and gets them back.
    package var sender: RoomID?

    package init(
        runs: [Run], unshuffled: [Run]? = nil, taken: [QueueEntry] = [], brought: [EntryID] = [], current: EntryID?,
        positionMs: Milliseconds,
        successor: EntryID?, newest: UInt64, sender: RoomID? = nil
    ) {
        self.runs = runs
        self.unshuffled = unshuffled
        self.taken = taken
        self.brought = brought
        self.current = current
        self.positionMs = positionMs
        self.successor = successor
        self.newest = newest
        self.sender = sender
    }

    /// The runs in `order` that consist of entries in `affected`.
    static func runs(of affected: EntryIndices, in order: some Sequence<EntryID>) -> [Run] {
        var runs: [Run] = []
        var previous: EntryID?
        var isInside = false
        for id in order {
            let isAffected = affected.contains(id)
            if isAffected, isInside {
                runs[runs.count - 1].ids.append(id)
            } else if isAffected {
                runs.append(Run(after: previous, ids: [id]))
            }
            isInside = isAffected
            previous = id
        }
        return runs
    }
}

/// The last edits of a queue, oldest first.
package struct QueueHistory: Equatable, Sendable {
    /// The edits that are stored: those that can be undone, and some that are only shown.
    package private(set) var edits: [QueueEdit] = []
    private var nextNumber = 1

    /// Limits of undo: the number of edits, followed by their lifetime.
    package static let depth = 20
    /// Time during which an edit can be undone, a day by the steady clock.
    package static let lifeMs: Milliseconds = 24 * 3600 * 1000
    /// Number of further edits that are stored only to be shown.
    package static let rememberedOnly = 40

    package init() {}

    /// Restores a stored history.
    package init(_ edits: [QueueEdit]) {
        self.edits = edits
        nextNumber = (edits.last?.number ?? 0) + 1
    }

    /// The edit that undo would revert now.
    package var undoable: QueueEdit? { edits.last(where: \.canUndo) }

    /// Returns the entries that undo cannot bring back any more.
    mutating func note(_ kind: QueueEdit.Kind, count: Int, by author: String?, at now: Moment, undo: Undo?) -> [EntryID] {
        edits.append(
            QueueEdit(number: nextNumber, kind: kind, author: author, atMs: now.wallMs, steadyMs: now.steadyMs, count: count, undo: undo))
        nextNumber += 1
        return forget(atMs: now.steadyMs)
    }

    /// Drops the undo data of edits that are too old by the steady clock, or too many.
    mutating func forget(atMs nowMs: Milliseconds) -> [EntryID] {
        var lost: [EntryID] = []
        var tooDeep = edits.count(where: \.canUndo) - Self.depth
        for index in edits.indices where edits[index].canUndo && (tooDeep > 0 || nowMs - edits[index].steadyMs > Self.lifeMs) {
            lost += edits[index].undo?.taken.map(\.id) ?? []
            edits[index].undo = nil
            tooDeep -= 1
        }
        var tooMany = edits.count { !$0.canUndo } - Self.rememberedOnly
        guard tooMany > 0 else { return lost }
        edits.removeAll { edit in
            guard !edit.canUndo, tooMany > 0 else { return false }
            tooMany -= 1
            return true
        }
        return lost
    }

    /// The newest undo data, which is removed from the history.
    mutating func pop() -> Undo? {
        guard let at = edits.lastIndex(where: \.canUndo) else { return nil }
        defer { edits[at].undo = nil }
        return edits[at].undo
    }
}
