/// Steps from one entry to the next, and the orders to the player on the way.
extension Room {
    /// Starts a new timeline here and now.
    mutating func draw(_ state: Timeline.State, fromMs position: Milliseconds, at now: Moment) {
        let before = timeline
        timeline = Timeline(
            entry: queue.current, positionMs: max(0, position), atUs: now.us,
            rate: state == .playing ? modes.speed : 0, state: state)
        notePause(since: before, at: now)
        if state != .stopped, before.entry == timeline.entry { keepPast(of: before) }
    }

    /// A step through the queue. A step past the end of a shuffled queue carries the order of the pass that begins there.
    struct Step {
        let entry: QueueEntry
        var pass: [EntryID]?
        /// Skipped entries whose pieces are being generated; they move behind this one.
        var passed: [EntryID] = []
    }

    /// True when the current entry is followed by itself.
    var repeatsCurrent: Bool {
        modes.single != .off && modes.repeat && modes.consume == .off || queue.currentEntry?.isLoop == true
    }

    /// True when the room pauses at the beginning of the next entry as the current one ends.
    package var pausesAfterCurrent: Bool { modes.single != .off && !modes.repeat && queue.currentEntry?.isLoop != true }

    /// The step that the room takes by itself when the current entry ends.
    var nextStep: Step? { repeatsCurrent ? queue.currentEntry.map { Step(entry: $0) } : madeStep(ahead: 1) }

    func step(ahead count: Int) -> Step? {
        // An entry that leaves the queue does not follow itself.
        let wraps = modes.repeat && (modes.consume == .off || queue.count > 1)
        guard let here = queue.currentIndex else { return nil }
        let beyond = count.minus(queue.count - here)
        guard wraps, modes.shuffle, beyond >= 0 else { return queue.entry(ahead: count, wrapping: wraps).map { Step(entry: $0) } }
        let pass = queue.pass(by: seed)
        guard let at = queue.index(of: pass[beyond % pass.count]) else { return nil }
        return Step(entry: queue.entries[at], pass: pass)
    }

    /// Makes the entry of a step current. `leaving` says that the one before was left by its end, or by `next`.
    mutating func take(_ step: Step, leaving: Bool = false, at now: Moment, into outcome: inout Outcome) {
        let left = queue.current
        if let pass = step.pass {
            outcome.changes += queue.beginPass(pass)
            drawSeed(at: now)
        }
        makeCurrent(step.entry.id, into: &outcome)
        if leaving, left != queue.current { consume(left, into: &outcome) }
        moveBehindCurrent(step.passed, into: &outcome)
    }

    /// Draws a new seed for each shuffle. The old seed is mixed in, so that even a stopped clock gives another order.
    mutating func drawSeed(at now: Moment) {
        var generator = SeededGenerator(seed ^ now.random)
        seed = generator.next()
    }

    mutating func makeCurrent(_ entry: EntryID, into outcome: inout Outcome) {
        guard let change = queue.makeCurrent(entry) else { return }
        outcome.changes.append(change)
        outcome.touched.formUnion([.now, .timeline, .queue])
    }

    /// Makes the player load an entry that is already current, and play it.
    mutating func start(
        _ entry: EntryID, fromMs position: Milliseconds, paused: Bool = false, past: RewindPoint? = nil, at now: Moment
    ) -> Outcome {
        var outcome = Outcome()
        guard let item = queue.currentEntry, item.id == entry else { return outcome }
        endWait(into: &outcome)
        guard item.isMade else {
            outcome.add(beginWait(for: item, paused: paused, at: now))
            return outcome
        }
        let position = item.bounded(position)
        beginsTwice = loaded == entry && (isLoading || beginsTwice)
        loaded = entry
        followed = nil
        withdrawn = []
        isLoading = true
        isWaiting = false
        beganAtMs = position
        outcome.orders = [.load(entry, item.uri, item.trust, fromMs: position, paused: paused, past: past ?? heardPoint(at: now))]
        draw(paused ? .paused : .buffering, fromMs: position, at: now)
        outcome.touched.formUnion([.now, .timeline])
        settleFollower(into: &outcome)
        return outcome
    }

    /// Goes to another entry and keeps the state: playing, paused or stopped. `pauses` ends playing there.
    mutating func go(_ step: Step, leaving: Bool = false, pauses: Bool = false, at now: Moment) -> Outcome {
        var outcome = Outcome()
        let beginning = beginningMs(of: step.entry, at: now)
        take(step, leaving: leaving, at: now, into: &outcome)
        timeline.behindMs = nil
        switch timeline.state {
        case .playing, .buffering: outcome.add(start(step.entry.id, fromMs: beginning, paused: pauses, at: now))
        case .paused: outcome.add(start(step.entry.id, fromMs: beginning, paused: true, at: now))
        case .stopped:
            draw(.stopped, fromMs: 0, at: now)
            outcome.touched.formUnion([.now, .timeline])
        }
        return outcome
    }

    /// Removes an entry that was left, if the modes say so. This is no edit of a person, so undo ignores it.
    private mutating func consume(_ entry: EntryID?, into outcome: inout Outcome) {
        guard modes.consume != .off, timeline.state != .stopped, let entry else { return }
        let changes = queue.remove([entry]).changes
        guard !changes.isEmpty else { return }
        outcome.changes += changes + [.forgotten([entry])]
        outcome.touched.insert(.queue)
        guard modes.consume == .once else { return }
        modes.consume = .off
        outcome.touched.insert(.modes)
    }

    /// Ends `single` where it was to take effect once.
    mutating func endSingle(into outcome: inout Outcome) {
        guard modes.single == .once else { return }
        modes.single = .off
        outcome.touched.insert(.modes)
    }

    /// Forgets earlier failures, because an entry played to its end or a person has given a command.
    mutating func startAfresh(into outcome: inout Outcome) {
        failures = 0
        passed = 0
        guard problem != nil else { return }
        problem = nil
        outcome.touched.insert(.room)
    }

    /// Called when the queue has been played through: the room stops at its first entry, ready to play again. `wasLeft` is false where the last
    /// entry could not be played.
    mutating func runOut(wasLeft: Bool = true, at now: Moment) -> Outcome {
        var outcome = Outcome()
        if wasLeft { consume(queue.current, into: &outcome) }
        if let head = queue.entries.first { makeCurrent(head.id, into: &outcome) }
        halt(at: now, into: &outcome)
        outcome.touched.formUnion([.now, .timeline])
        return outcome
    }

    /// Stops, and resets the position.
    mutating func halt(at now: Moment, into outcome: inout Outcome) {
        endWait(into: &outcome)
        if sleep != nil { outcome.add(clearSleep()) }
        unload(into: &outcome)
        draw(.stopped, fromMs: 0, at: now)
        outcome.touched.formUnion([.timeline])
    }

    /// Leaves the player with nothing to play.
    mutating func unload(into outcome: inout Outcome) {
        if loaded != nil { outcome.orders.append(.stop) }
        loaded = nil
        followed = nil
        withdrawn = []
        isLoading = false
        isWaiting = false
    }

    /// Tells the player what follows the loaded entry, when that differs from what it was told.
    mutating func settleFollower(into outcome: inout Outcome) {
        guard loaded != nil, loaded == queue.current else { return }
        let next = sleepsInEntry || isJoined || pausesAfterCurrent ? nil : upcoming.flatMap { $0.isMade && !beginsInside($0) ? $0 : nil }
        guard next?.id != followed else { return }
        if let followed { withdrawn = withdrawn.suffix(Self.withdrawnAtMost - 1) + [followed] }
        followed = next?.id
        outcome.orders.append(next.map { .follow($0.id, $0.uri, $0.trust) } ?? .followWithNothing)
    }
}

extension QueueEntry {
    /// The nearest position inside the entry; 0 for a station.
    func bounded(_ positionMs: Milliseconds) -> Milliseconds {
        tags.kind == .station ? 0 : max(0, min(positionMs, tags.durationMs ?? .max))
    }
}

extension Outcome {
    /// Appends the outcome of a second step.
    package mutating func add(_ later: Outcome) {
        touched.formUnion(later.touched)
        orders += later.orders
        changes += later.changes
        added += later.added
        isOwners = isOwners || later.isOwners
    }
}
