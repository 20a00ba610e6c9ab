/// Undo of an edit in a queue that others have edited since.
///
/// Entries return to the position behind their old neighbours. Entries that were added since stay behind their own neighbours, and the current entry
/// stays current. Restoring the whole old queue instead would undo the edits of others.
extension PlaybackQueue {
    // MARK: Recording edits

    /// Records an edit together with the data that undoes it. `before` is the queue before the edit.
    mutating func note(
        _ kind: QueueEdit.Kind, moved: [EntryID] = [], taken: [QueueEntry] = [], brought: [EntryID] = [], since before: PlaybackQueue,
        positionMs: Milliseconds = 0, givenBy sender: RoomID? = nil, by author: String?, at now: Moment
    ) -> [QueueChange] {
        let takenIDs = EntryIndices(taken.lazy.map(\.id))
        let undo = Undo(
            runs: Undo.runs(of: moved.isEmpty ? takenIDs : EntryIndices(taken.map(\.id) + moved), in: before.entries.lazy.map(\.id)),
            unshuffled: before.unshuffled.map { Undo.runs(of: takenIDs, in: $0) }, taken: taken, brought: brought,
            current: before.current, positionMs: positionMs, successor: current,
            newest: before.entries.lazy.map(\.id.number).max() ?? 0, sender: sender)
        return forgotten(
            history.note(kind, count: max(taken.count + moved.count, brought.count), by: author, at: now, undo: undo))
    }

    /// Records an edit that is only shown and cannot be undone.
    mutating func note(_ kind: QueueEdit.Kind, count: Int, by author: String?, at now: Moment) -> [QueueChange] {
        forgotten(history.note(kind, count: count, by: author, at: now, undo: nil))
    }

    private func forgotten(_ lost: [EntryID]) -> [QueueChange] { lost.isEmpty ? [] : [.forgotten(lost)] }

    // MARK: Undoing

    struct TakenBack {
        var changes: [QueueChange]
        var returned: [EntryID]
        /// The position in the current entry, if that entry has become current again.
        var positionMs: Milliseconds?
    }

    /// Undoes the newest edit that can be undone. The current entry stays current, except where nothing plays and the edit itself had made another
    /// entry current: then the earlier one is current again. Removed entries are forgotten unless another room gets them.
    mutating func takeBack(
        whilePlaying isPlaying: Bool, givingAway: Bool = false, by author: String?, at now: Moment
    ) throws(Refusal) -> TakenBack {
        var history = history
        guard let undo = history.pop() else { throw Refusal(.invalidState, "There is no edit of this queue to take back.") }
        let goesBack = !isPlaying && current == undo.successor && current != undo.current
        let next = goesBack ? undo.current : current
        let here = EntryIndices(entries.lazy.map(\.id))
        let gone = undo.brought.filter { $0 != next && here.contains($0) }
        let taken = undo.taken.filter { !here.contains($0.id) }
        guard count - gone.count + taken.count <= Self.limit else {
            throw Refusal(.quota, "What was taken out no longer fits: a queue holds at most \(Self.limit) entries.")
        }
        self.history = history
        let merge = Merge(undo, gone: EntryIndices(gone), current: current)
        // An edit made while the queue was shuffled is undone in the plain order if it no longer is.
        let runs = unshuffled == nil ? undo.unshuffled ?? undo.runs : undo.runs
        if let plain = unshuffled { unshuffled = merge.order(of: plain, undo.unshuffled ?? undo.runs).ids }
        let (order, moving) = merge.order(of: entries.map(\.id), runs)
        var back = TakenBack(changes: gone.isEmpty ? [] : [.removed(gone)], returned: taken.map(\.id))
        back.changes += take(order, returning: taken, moving: moving)
        back.changes += makeCurrent(next, orFirstOf: order)
        if goesBack, current == undo.current { back.positionMs = undo.positionMs }
        if !back.changes.isEmpty { revision += 1 }
        if !gone.isEmpty, !givingAway { back.changes.append(.forgotten(gone)) }
        back.changes += note(.undo, count: gone.count + undo.runs.reduce(0) { $0 + $1.ids.count }, by: author, at: now)
        return back
    }

    /// Takes back entries that another room was given, behind the present ones. In an empty queue the wanted entry becomes current.
    mutating func takeIn(_ back: [QueueEntry], current wanted: EntryID?, by author: String?, at now: Moment) throws(Refusal)
        -> [QueueChange]
    {
        guard !back.isEmpty else { return [] }
        guard count + back.count <= Self.limit else {
            throw Refusal(.quota, "The room this came from has no place for it: a queue holds at most \(Self.limit) entries.")
        }
        var changes: [QueueChange] = [.restored(back, after: entries.last?.id)]
        entries += back
        unshuffled? += back.map(\.id)
        if current == nil { changes += makeCurrent(wanted, orFirstOf: back.map(\.id)) }
        revision += 1
        return changes + note(.undo, count: back.count, by: author, at: now)
    }

    /// Changes the order to `order`, and returns the changes that bring a copy from the old order to it: from front to back, each run placed after an
    /// entry that is already in its position.
    private mutating func take(_ order: [EntryID], returning: [QueueEntry], moving: EntryIndices) -> [QueueChange] {
        let back = EntryIndices(returning.lazy.map(\.id))
        let here = EntryIndices(entries.lazy.map(\.id))
        var steps: [QueueChange] = []
        var previous: EntryID?
        var rest = order[...]
        while let first = rest.first {
            let run = rest.prefix { back.contains($0) == back.contains(first) && moving.contains($0) == moving.contains(first) }
            if back.contains(first) {
                steps.append(.restored(run.compactMap { back[$0].map { returning[$0] } }, after: previous))
            } else if moving.contains(first) {
                steps.append(.moved(Array(run), after: previous))
            }
            previous = run.last
            rest = rest.dropFirst(run.count)
        }
        entries = order.compactMap { id in here[id].map { entries[$0] } ?? back[id].map { returning[$0] } }
        return steps
    }

    private mutating func makeCurrent(_ entry: EntryID?, orFirstOf order: [EntryID]) -> [QueueChange] {
        let next = entry.flatMap { contains($0) ? $0 : nil } ?? order.first
        guard next != current else { return [] }
        current = next
        return [.current(next)]
    }
}

/// Merges the entries that an edit removed or moved into the present queue.
private struct Merge {
    private let undo: Undo
    private let gone: EntryIndices
    private let returned: EntryIndices
    private let brought: EntryIndices
    private let current: EntryID?

    init(_ undo: Undo, gone: EntryIndices, current: EntryID?) {
        self.undo = undo
        self.gone = gone
        returned = EntryIndices(undo.taken.lazy.map(\.id))
        brought = EntryIndices(undo.brought)
        self.current = current
    }

    /// The merged order, and the entries that change position on the way to it.
    func order(of now: [EntryID], _ runs: [Undo.Run]) -> (ids: [EntryID], moving: EntryIndices) {
        let present = EntryIndices(now)
        let affected = EntryIndices(runs.flatMap(\.ids))
        var (fixed, followers) = split(now, affected)
        // Music that began in the emptied queue continues, followed by the entries that would have come next.
        if let before = undo.current, returned.contains(before), let current {
            let new = fixed.prefix(while: isNew)
            if new.contains(current) {
                followers[before] = Array(new)
                fixed.removeFirst(new.count)
            }
        }
        var behind: [EntryID?: [EntryID]] = [:]
        for run in runs {
            let isThere = run.after.map { present.contains($0) && !gone.contains($0) } ?? true
            let anchor = isThere ? run.after : fixed.last
            behind[anchor, default: []] += run.ids.filter { present.contains($0) || returned.contains($0) }
        }
        var order: [EntryID] = []
        order.reserveCapacity(now.count + undo.taken.count)
        func place(_ run: [EntryID]?) {
            for id in run ?? [] {
                order.append(id)
                if let followers = followers[id] { order += followers }
            }
        }
        place(behind[nil])
        for id in fixed {
            order.append(id)
            place(behind[id])
        }
        let moving = runs.flatMap(\.ids).filter(present.contains) + followers.values.joined()
        return (order, EntryIndices(moving))
    }

    /// The entries that stay in place, and the new entries that follow a moving one and move along with it.
    private func split(_ now: [EntryID], _ affected: EntryIndices) -> (fixed: [EntryID], followers: [EntryID: [EntryID]]) {
        var fixed: [EntryID] = []
        var followers: [EntryID: [EntryID]] = [:]
        var leader: EntryID?
        for id in now where !gone.contains(id) {
            if affected.contains(id) {
                leader = id
            } else if let leader, isNew(id) {
                followers[leader, default: []].append(id)
            } else {
                leader = nil
                fixed.append(id)
            }
        }
        return (fixed, followers)
    }

    /// True for entries that were added after the edit. One that came from another room may have an old number.
    private func isNew(_ id: EntryID) -> Bool { id.number > undo.newest || brought.contains(id) }
}
