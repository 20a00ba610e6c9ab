/// Decisions of a room's owner, and the handover of what plays to another room or another player.
extension Room {
    /// Changes the name that people see; the id stays.
    package mutating func rename(to name: String) -> Outcome {
        guard name != self.name else { return .noop(.same) }
        self.name = name
        return owners(touching: [.room])
    }

    /// Changes the limits of the volume, and the level with them where it lies outside.
    package mutating func set(_ rails: RailChange) throws(Refusal) -> Outcome {
        let before = volume
        try volume.set(rails)
        guard volume != before else { return .noop(.same) }
        var outcome = owners(touching: [.volume])
        if volume.gain != before.gain { outcome.orders = [.setGain(volume.gain)] }
        return outcome
    }

    private func owners(touching touched: Facets) -> Outcome {
        var outcome = Outcome()
        outcome.touched = touched
        outcome.isOwners = true
        return outcome
    }

    // MARK: Handing over

    /// Takes over what another room plays: queue, current entry, position and modes, playing if it plays there, at that room's level as far as the
    /// limits here allow. The old queue here is replaced; undoing that also gives the other room its queue back. Entries keep their ids, unless the
    /// other room keeps them too: then these are copies.
    package mutating func takeOver(
        _ source: Room, copying: Bool, by author: String?, at now: Moment, numbers: inout EntryNumbers
    ) throws(Refusal) -> Outcome {
        guard let index = source.queue.currentIndex else {
            throw Refusal(.invalidState, "There is nothing to move: the queue of “\(source.name)” is empty.")
        }
        var next = numbers
        let entries = copying ? source.queue.entries.map { $0.copy(by: author, at: now, numbers: &next) } : source.queue.entries
        let names = Dictionary(zip(source.queue.entries, entries).map { ($0.id, $1.id) }, uniquingKeysWith: { first, _ in first })
        let position = source.positionMs(at: now)
        let before = (modes: modes, volume: volume)
        // The order is taken as it is; replacing in a shuffled room would shuffle it again.
        modes = source.modes
        modes.shuffle = false
        queue.unshuffled = nil
        var outcome = try replace(
            with: entries, start: index, fromMs: position, play: source.isPlaying, givenBy: copying ? nil : source.id, by: author, at: now)
        numbers = next
        outcome.added = []
        modes.shuffle = source.modes.shuffle
        queue.unshuffled = source.queue.unshuffled?.compactMap { names[$0] }
        seed = source.seed
        if source.timeline.state == .paused { draw(.paused, fromMs: position, at: now) }
        resumption = source.resumption
        speeds = source.speeds
        (sped, spedAs) = (queue.current, source.spedAs)
        sleepPositions = source.sleepPositions.with(names)
        outcome.touched.insert(.sleep)
        goOn(where: source, into: &outcome, at: now)
        settleFollower(into: &outcome)
        volume.take(levelOf: source.volume)
        volume.muted = source.volume.muted
        sleep = source.sleep.map { SleepTimer($0.wish(at: now), anchorMs: position, at: now) }
        outcome.touched.insert(.sleep)
        settleSleep(since: sleepView(at: now), isPress: false, into: &outcome, at: now)
        settleChapter(into: &outcome, at: now)
        // Gain and speed are set before the first sound.
        if modes.speed != before.modes.speed { outcome.orders.insert(.setSpeed(permille: modes.speed), at: 0) }
        if volume.gain != before.volume.gain { outcome.orders.insert(.setGain(volume.gain), at: 0) }
        outcome.touched.formUnion([.modes, .volume])
        settleLevelling(into: &outcome)
        return outcome
    }

    /// Falls silent because another room goes on from here. The queue is emptied, or with `keeping` stays where it was.
    package mutating func handOver(keeping: Bool, at now: Moment) -> Outcome {
        if keeping, sleep == nil { return pause(at: now) }
        let before = sleepView(at: now)
        var outcome = sleep == nil ? Outcome() : clearSleep()
        if keeping {
            outcome.add(pause(at: now))
            settleSleep(since: before, isPress: false, into: &outcome, at: now)
            return outcome
        }
        outcome.changes = queue.replace(with: [], current: nil)
        sleepPositions = SleepPositions()
        outcome.touched.formUnion([.queue, .now, .sleep])
        startAfresh(into: &outcome)
        halt(at: now, into: &outcome)
        settleChapter(into: &outcome, at: now)
        return outcome
    }

    /// The room that handed over the entries of the edit that undo would revert now; `nil` if that was no handover.
    package var sender: RoomID? { queue.history.undoable?.undo?.sender }

    /// The entries that a room gets back after its handover was undone.
    package struct Given: Equatable, Sendable {
        /// The entries that come back, in their old order.
        package var entries: [QueueEntry]
        /// The entry to go on with there, if the queue is empty by now.
        package var current: EntryID?

        package init(entries: [QueueEntry] = [], current: EntryID? = nil) {
            self.entries = entries
            self.current = current
        }
    }

    /// Undoes a handover: all entries that came with it leave, except those that have gone or play now.
    package mutating func giveBack(by author: String?, at now: Moment) throws(Refusal) -> (Outcome, Given) {
        let came = EntryIndices(queue.history.undoable?.undo?.brought ?? [])
        let before = queue
        let outcome = try undo(givingAway: true, by: author, at: now)
        let stays = EntryIndices(queue.entries.lazy.map(\.id))
        let goes = { (entry: QueueEntry) in came.contains(entry.id) && !stays.contains(entry.id) }
        let rest = before.entries[(before.currentIndex ?? 0)...]
        return (outcome, Given(entries: before.entries.filter(goes), current: rest.first(where: goes)?.id))
    }

    /// Takes back entries whose handover was undone. A room that plays something else by now goes on with that.
    package mutating func takeIn(_ given: Given, by author: String?, at now: Moment) throws(Refusal) -> Outcome {
        var outcome = Outcome()
        outcome.changes = try queue.takeIn(given.entries, current: given.current, by: author, at: now)
        guard !outcome.changes.isEmpty else { return .noop(.same) }
        outcome.touched = [.queue]
        if timeline.entry != queue.current {
            draw(.stopped, fromMs: 0, at: now)
            outcome.touched.formUnion([.now, .timeline])
        }
        settleFollower(into: &outcome)
        return outcome
    }

    /// Called when another player replaces the one that was told things. Only a playing room tells the new player at once; a paused room does so when
    /// play is pressed.
    package mutating func changePlayer(at now: Moment) -> Outcome {
        let position = positionMs(at: now)
        var outcome = Outcome()
        loaded = nil
        unload(into: &outcome)
        (stopTold, stopWithdrawn) = (nil, nil)
        if outputProblem != nil {
            outputProblem = nil
            outcome.touched.insert(.room)
        }
        if isPlaying, let current = queue.current { outcome.add(start(current, fromMs: position, at: now)) }
        settleSleep(since: sleepView(at: now), isPress: false, into: &outcome, at: now)
        return outcome
    }
}

extension QueueEntry {
    fileprivate func copy(by author: String?, at now: Moment, numbers: inout EntryNumbers) -> QueueEntry {
        var copy = QueueEntry(
            id: numbers.take(), uri: uri, tags: tags, addedBy: author ?? addedBy, addedAtMs: now.wallMs, trust: trust, share: share,
            alternatives: alternatives)
        copy.format = format
        return copy
    }
}
