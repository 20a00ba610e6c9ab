/// One edit of a queue: who did what, when, and what it takes to take it back.
public struct QueueEdit: Equatable, Sendable {
    /// The ways to change a queue, by their wire names.
    public enum Kind: String, Sendable, CaseIterable {
        case add, clear, replace, remove, move, shuffle, undo
    }

    /// Counts the edits of one queue.
    package let number: Int
    package let kind: Kind
    /// The name of the person who made the edit; `nil` when it is not known.
    package let author: String?
    /// Wall clock, for people.
    package let atMs: Int64
    /// The steady clock of `Moment`, by which the edit grows old.
    package let steadyMs: Int64
    /// How many entries it concerned.
    package let count: Int
    /// `nil` when it cannot be taken back, or not any more.
    package var undo: Undo?

    package init(number: Int, kind: Kind, author: String?, atMs: Int64, steadyMs: Int64, count: Int, undo: Undo? = nil) {
        self.number = number
        self.kind = kind
        self.author = author
        self.atMs = atMs
        self.steadyMs = steadyMs
        self.count = count
        self.undo = undo
    }
}

/// What was so before an edit.
///
/// It names the entries that the edit took or moved and the neighbours they stood behind, and nothing
/// else: what others have added, played or rearranged since is not in here, and stays.
package struct Undo: Equatable, Sendable {
    /// Entries that stood in this order behind an anchor that the edit left alone.
    package struct Run: Equatable, Sendable {
        package var after: EntryID?
        package var ids: [EntryID]

        package init(after: EntryID?, ids: [EntryID]) {
            self.after = after
            self.ids = ids
        }
    }

    package var runs: [Run]
    /// The same in the order without shuffling, if the queue was shuffled.
    package var unshuffled: [Run]?
    /// Those of them that were taken out.
    package var taken: [QueueEntry]
    /// What came instead, and goes again.
    package var brought: [EntryID]
    /// What was current, and at which position.
    package var current: EntryID?
    package var positionMs: Int
    /// What was current afterwards.
    package var successor: EntryID?
    /// The highest number an entry had. A higher one has been added since.
    package var newest: UInt64
    /// The room that handed over what came, and gets it again.
    package var giver: RoomID?

    package init(
        runs: [Run], unshuffled: [Run]? = nil, taken: [QueueEntry] = [], brought: [EntryID] = [], current: EntryID?, positionMs: Int,
        successor: EntryID?, newest: UInt64, giver: RoomID? = nil
    ) {
        self.runs = runs
        self.unshuffled = unshuffled
        self.taken = taken
        self.brought = brought
        self.current = current
        self.positionMs = positionMs
        self.successor = successor
        self.newest = newest
        self.giver = giver
    }

    /// Where those of `affected` stand in `order`.
    static func runs(of affected: EntryPlaces, in order: some Sequence<EntryID>) -> [Run] {
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
    package private(set) var edits: [QueueEdit] = []
    private var nextNumber = 1

    /// So many can be taken back, and for so long.
    package static let depth = 20
    package static let lifeMs: Int64 = 24 * 3600 * 1000
    /// So many more are remembered for people to look at.
    package static let rememberedOnly = 40

    package init() {}

    /// As it was kept.
    package init(_ edits: [QueueEdit]) {
        self.edits = edits
        nextNumber = (edits.last?.number ?? 0) + 1
    }

    /// What would be taken back now.
    package var undoable: QueueEdit? { edits.last { $0.undo != nil } }

    /// Returns the entries that undo cannot bring back any more.
    mutating func note(_ kind: QueueEdit.Kind, count: Int, by author: String?, at now: Moment, undo: Undo?) -> [EntryID] {
        edits.append(
            QueueEdit(number: nextNumber, kind: kind, author: author, atMs: now.wallMs, steadyMs: now.steadyMs, count: count, undo: undo))
        nextNumber += 1
        return forget(atMs: now.steadyMs)
    }

    /// What is too old by the steady clock, or too deep down, cannot be taken back any more.
    mutating func forget(atMs nowMs: Int64) -> [EntryID] {
        var lost: [EntryID] = []
        var tooDeep = edits.count { $0.undo != nil } - Self.depth
        for index in edits.indices {
            guard let undo = edits[index].undo, tooDeep > 0 || nowMs - edits[index].steadyMs > Self.lifeMs else { continue }
            lost += undo.taken.map(\.id)
            edits[index].undo = nil
            tooDeep -= 1
        }
        var tooMany = edits.count { $0.undo == nil } - Self.rememberedOnly
        edits.removeAll { edit in
            guard edit.undo == nil, tooMany > 0 else { return false }
            tooMany -= 1
            return true
        }
        return lost
    }

    /// The newest step that can be taken back, which then no longer can.
    mutating func pop() -> Undo? {
        guard let at = edits.lastIndex(where: { $0.undo != nil }) else { return nil }
        defer { edits[at].undo = nil }
        return edits[at].undo
    }
}
