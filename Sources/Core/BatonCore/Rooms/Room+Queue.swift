/// Edits of a room's queue. The player is told what follows, and the current entry plays on unless it was removed.
extension Room {
    func entries(
        of items: [NewEntry], by author: String?, at now: Moment, numbers: inout EntryNumbers
    ) -> [QueueEntry] {
        items.map {
            QueueEntry(
                id: numbers.take(), uri: $0.uri, tags: $0.tags, addedBy: author, addedAtMs: now.wallMs, trust: $0.trust ?? .itemsOnly,
                share: $0.share, alternatives: $0.alternatives)
        }
    }

    /// Checks that `count` more entries fit into one client's limited share of the queue. Entries that have played, and the current one, do not
    /// count.
    package func checkShare(_ share: String, adding count: Int, atMost limit: Int) throws(Refusal) {
        let upcoming = queue.entries[(queue.currentIndex.map { $0 + 1 } ?? 0)...]
        let waiting = upcoming.count { $0.share == share }
        guard waiting + count > limit else { return }
        let rest = max(0, limit - waiting)
        throw Refusal(
            .quota,
            "A guest may have \(limit) entries waiting to be played, and you have \(waiting): "
                + (rest == 0 ? "wait until one of them has played." : "add at most \(rest)."))
    }

    mutating func add(_ new: [QueueEntry], at place: InsertionPoint, by author: String?, _ now: Moment) throws(Refusal) -> Outcome {
        guard !new.isEmpty else { return .noop(.same) }
        var outcome = Outcome()
        outcome.changes = try queue.insert(new, at: place)
        outcome.changes += queue.note(.add, count: new.count, by: author, at: now)
        outcome.added = new.map(\.id)
        outcome.touched = [.queue]
        if timeline.entry != queue.current {
            timeline.entry = queue.current
            outcome.touched.formUnion([.now, .timeline])
        }
        settleFollower(into: &outcome)
        return outcome
    }

    mutating func remove(_ ids: [EntryID], by author: String?, at now: Moment) -> Outcome {
        let (before, position) = (queue, positionMs(at: now))
        return take(ids, at: now) { room, removed in
            room.queue.note(.remove, taken: removed, since: before, positionMs: position, by: author, at: now)
        }
    }

    /// Removes entries that the hub itself had added. This is no edit of a person, so undo ignores it.
    package mutating func retire(_ ids: [EntryID], at now: Moment) -> Outcome {
        take(ids, at: now) { _, removed in [.forgotten(removed.map(\.id))] }
    }

    private mutating func take(_ ids: [EntryID], at now: Moment, noting note: (inout Room, [QueueEntry]) -> [QueueChange]) -> Outcome {
        let (removed, changes, lost) = queue.remove(ids)
        guard !changes.isEmpty else { return .noop(.same) }
        var outcome = Outcome()
        outcome.changes = changes
        outcome.changes += note(&self, removed)
        outcome.touched = [.queue]
        if lost != .nothing { replaceCurrent(after: lost, at: now, into: &outcome) }
        settleFollower(into: &outcome)
        return outcome
    }

    /// Called when the current entry was removed and the queue has named another one, or none.
    private mutating func replaceCurrent(after lost: PlaybackQueue.Loss, at now: Moment, into outcome: inout Outcome) {
        outcome.touched.formUnion([.now, .timeline])
        let playsOn = lost == .current || modes.repeat
        if let current = queue.current, isPlaying, playsOn {
            outcome.add(start(current, fromMs: currentEntry.map { beginningMs(of: $0, at: now) } ?? 0, at: now))
        } else {
            halt(at: now, into: &outcome)
        }
    }

    mutating func move(_ ids: [EntryID], to place: InsertionPoint, by author: String?, at now: Moment) throws(Refusal) -> Outcome {
        let before = queue
        let changes = try queue.move(ids, to: place)
        guard !changes.isEmpty else { return .noop(.same) }
        var outcome = Outcome()
        outcome.changes = changes
        outcome.changes += queue.note(.move, moved: ids, since: before, by: author, at: now)
        outcome.touched = [.queue]
        settleFollower(into: &outcome)
        return outcome
    }

    mutating func clear(base: Int?, keep: QueueRemainder, by author: String?, at now: Moment) throws(Refusal) -> Outcome {
        try check(base)
        let before = queue
        let changes = queue.clear(keeping: keep)
        guard !changes.isEmpty else { return .noop(.same) }
        var outcome = Outcome()
        outcome.changes = changes
        outcome.changes += queue.note(
            .clear, taken: before.entries.filter { $0.id != queue.current }, since: before, positionMs: positionMs(at: now), by: author,
            at: now)
        outcome.touched = [.queue]
        startAfresh(into: &outcome)
        if queue.current != before.current {
            outcome.touched.formUnion([.now, .timeline])
            halt(at: now, into: &outcome)
        }
        settleFollower(into: &outcome)
        return outcome
    }

    mutating func replace(
        with new: [QueueEntry], start index: Int, fromMs position: Milliseconds, play: Bool, givenBy sender: RoomID? = nil,
        by author: String?,
        at now: Moment
    ) throws(Refusal) -> Outcome {
        guard new.count <= PlaybackQueue.limit else {
            throw Refusal(.quota, "A queue holds at most \(PlaybackQueue.limit) entries.", cause: .queueFull(PlaybackQueue.limit))
        }
        guard new.indices.contains(index) || new.isEmpty else {
            throw Refusal(.notFound, "There is no entry number \(index) in what was given: it has \(new.count).")
        }
        var outcome = Outcome()
        let before = queue
        let current = new.isEmpty ? nil : new[index].id
        outcome.changes = queue.replace(with: new, current: current)
        if modes.shuffle {
            drawSeed(at: now)
            outcome.changes += queue.beginShuffle(by: seed)
        }
        drawSeed(at: now)
        outcome.added = new.map(\.id)
        outcome.changes += queue.note(
            .replace, taken: before.entries, brought: outcome.added, since: before, positionMs: positionMs(at: now), givenBy: sender,
            by: author, at: now)
        outcome.touched = [.queue, .now, .timeline]
        startAfresh(into: &outcome)
        if play, let current {
            let isNamed = position > 0 || sender != nil
            outcome.add(start(current, fromMs: isNamed ? position : beginningMs(of: new[index], at: now), at: now))
        } else {
            halt(at: now, into: &outcome)
            let position = queue.currentEntry?.bounded(position) ?? 0
            draw(.standing(atMs: position), fromMs: position, at: now)
        }
        return outcome
    }

    mutating func shuffle(base: Int?, by author: String?, at now: Moment) throws(Refusal) -> Outcome {
        try check(base)
        let before = self
        drawSeed(at: now)
        let changes = queue.shuffleUpcoming(by: seed)
        drawSeed(at: now)
        guard !changes.isEmpty else {
            self = before  // The next pass that clients were told stays valid.
            return .noop(.same)
        }
        var outcome = Outcome()
        outcome.changes = changes
        let upcoming = queue.entries[(queue.currentIndex.map { $0 + 1 } ?? 0)...].map(\.id)
        outcome.changes += queue.note(.shuffle, moved: upcoming, since: before.queue, by: author, at: now)
        outcome.touched = [.queue]
        settleFollower(into: &outcome)
        return outcome
    }

    mutating func undo(givingAway: Bool = false, by author: String?, at now: Moment) throws(Refusal) -> Outcome {
        let before = queue.current
        let back = try queue.takeBack(whilePlaying: isUnderWay, givingAway: givingAway, by: author, at: now)
        var outcome = Outcome()
        outcome.changes = back.changes
        outcome.added = back.returned
        outcome.touched = [.queue]
        if queue.current != before || back.positionMs != nil {
            endWait(into: &outcome)
            let position = queue.currentEntry?.bounded(back.positionMs ?? 0) ?? 0
            draw(.standing(atMs: position), fromMs: position, at: now)
            outcome.touched.formUnion([.now, .timeline])
        }
        settleFollower(into: &outcome)
        return outcome
    }

    func check(_ base: Int?) throws(Refusal) {
        guard let base, base != queue.revision else { return }
        throw Refusal(
            .queueConflict,
            "The queue has changed since you saw it: it is at \(queue.revision), not at \(base). Look again and repeat the command.",
            revision: queue.revision)
    }
}
