/// What a room does when its queue is edited: the player keeps up, and what plays is left alone
/// unless it was taken away.
extension Room {
    func entries(
        of items: [NewEntry], by author: String?, at now: Moment, numbers: inout EntryNumbers
    ) -> [QueueEntry] {
        items.map {
            QueueEntry(id: numbers.take(), uri: $0.uri, tags: $0.tags, addedBy: author, addedAtMs: now.wallMs)
        }
    }

    mutating func add(_ new: [QueueEntry], at place: Place) throws(Refusal) -> Outcome {
        var outcome = Outcome()
        outcome.changes = try queue.insert(new, at: place)
        outcome.added = new.map(\.id)
        guard !new.isEmpty else { return .noop(.same) }
        outcome.touched = [.queue]
        if timeline.entry != queue.current {
            timeline.entry = queue.current
            outcome.touched.formUnion([.now, .timeline])
        }
        settleFollower(into: &outcome)
        return outcome
    }

    mutating func remove(_ ids: [EntryID], at now: Moment) -> Outcome {
        let (changes, lost) = queue.remove(ids)
        guard !changes.isEmpty else { return .noop(.same) }
        var outcome = Outcome()
        outcome.changes = changes
        outcome.touched = [.queue]
        if lost != .nothing { replaceCurrent(after: lost, at: now, into: &outcome) }
        settleFollower(into: &outcome)
        return outcome
    }

    /// The current entry was taken away and the queue has named another one, or none.
    private mutating func replaceCurrent(after lost: PlaybackQueue.Loss, at now: Moment, into outcome: inout Outcome) {
        outcome.touched.formUnion([.now, .timeline])
        let playsOn = lost == .current || modes.repeat == .all
        if let current = queue.current, isPlaying, playsOn {
            outcome.add(start(current, fromMs: 0, at: now))
        } else {
            halt(at: now, into: &outcome)
        }
    }

    mutating func move(_ ids: [EntryID], to place: Place) throws(Refusal) -> Outcome {
        let changes = try queue.move(ids, to: place)
        guard !changes.isEmpty else { return .noop(.same) }
        var outcome = Outcome()
        outcome.changes = changes
        outcome.touched = [.queue]
        settleFollower(into: &outcome)
        return outcome
    }

    mutating func clear(base: Int?, keep: Keep, at now: Moment) throws(Refusal) -> Outcome {
        try check(base)
        let before = queue.current
        let changes = queue.clear(keeping: keep)
        guard !changes.isEmpty else { return .noop(.same) }
        var outcome = Outcome()
        outcome.changes = changes
        outcome.touched = [.queue]
        startAfresh(into: &outcome)
        if queue.current != before {
            outcome.touched.formUnion([.now, .timeline])
            halt(at: now, into: &outcome)
        }
        settleFollower(into: &outcome)
        return outcome
    }

    mutating func replace(
        with new: [QueueEntry], start index: Int, fromMs position: Int, play: Bool, at now: Moment
    ) throws(Refusal) -> Outcome {
        guard new.count <= PlaybackQueue.limit else {
            throw Refusal(.quota, "A queue holds at most \(PlaybackQueue.limit) entries.")
        }
        guard new.indices.contains(index) || new.isEmpty else {
            throw Refusal(.notFound, "There is no entry number \(index) in what was given: it has \(new.count).")
        }
        var outcome = Outcome()
        let current = new.isEmpty ? nil : new[index].id
        outcome.changes = queue.replace(with: new, current: current)
        if modes.shuffle {
            drawSeed(at: now)
            outcome.changes += queue.beginShuffle(by: seed)
        }
        drawSeed(at: now)
        outcome.added = new.map(\.id)
        outcome.touched = [.queue, .now, .timeline]
        startAfresh(into: &outcome)
        if play, let current {
            outcome.add(start(current, fromMs: position, at: now))
        } else {
            halt(at: now, into: &outcome)
            timeline.positionMs = queue.currentEntry?.bounded(position) ?? 0
        }
        return outcome
    }

    mutating func shuffle(base: Int?, at now: Moment) throws(Refusal) -> Outcome {
        try check(base)
        let before = self
        drawSeed(at: now)
        let changes = queue.shuffleUpcoming(by: seed)
        drawSeed(at: now)
        guard !changes.isEmpty else {
            self = before  // A pass that was told ahead stays as it was told.
            return .noop(.same)
        }
        var outcome = Outcome()
        outcome.changes = changes
        outcome.touched = [.queue]
        settleFollower(into: &outcome)
        return outcome
    }

    func check(_ base: Int?) throws(Refusal) {
        guard let base, base != queue.revision else { return }
        throw Refusal(.queueConflict, "The queue has changed since you saw it. Look again and repeat the command.")
    }
}
