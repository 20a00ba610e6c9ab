/// How a room gets from one entry to the next, and what it tells its player on the way.
extension Room {
    /// Draws a new line from here on.
    mutating func draw(_ state: Timeline.State, fromMs position: Int, at now: Moment) {
        timeline = Timeline(
            entry: queue.current, positionMs: max(0, position), atUs: now.us,
            rate: state == .playing ? modes.speed : 0, state: state)
    }

    mutating func makeCurrent(_ entry: EntryID?, into outcome: inout Outcome) {
        guard let change = queue.makeCurrent(entry) else { return }
        outcome.changes.append(change)
        outcome.touched.formUnion([.now, .timeline, .queue])
    }

    /// Has the player load an entry that is already current, and play it.
    mutating func start(_ entry: EntryID, fromMs position: Int, paused: Bool = false, at now: Moment) -> Outcome {
        var outcome = Outcome()
        guard let item = queue.currentEntry, item.id == entry else { return outcome }
        loaded = entry
        followed = nil
        isLoading = true
        outcome.orders = [.load(entry, item.uri, fromMs: position, paused: paused)]
        draw(paused ? .paused : .buffering, fromMs: position, at: now)
        outcome.touched = [.now, .timeline, .room]
        settleFollower(into: &outcome)
        return outcome
    }

    /// Makes another entry current and goes on as before: playing, paused or stopped.
    mutating func go(to entry: EntryID, at now: Moment) -> Outcome {
        var outcome = Outcome()
        let state = timeline.state
        makeCurrent(entry, into: &outcome)
        switch state {
        case .playing, .buffering: outcome.add(start(entry, fromMs: 0, at: now))
        case .paused where loaded != nil: outcome.add(start(entry, fromMs: 0, paused: true, at: now))
        case .paused, .stopped:
            draw(.stopped, fromMs: 0, at: now)
            outcome.touched.formUnion([.now, .timeline])
        }
        return outcome
    }

    /// The queue has been played through: the room stops at its head, ready to play it again.
    mutating func runOut(at now: Moment) -> Outcome {
        var outcome = Outcome()
        makeCurrent(queue.entries.first?.id, into: &outcome)
        halt(at: now, into: &outcome)
        outcome.touched.formUnion([.now, .timeline])
        return outcome
    }

    /// Stops, and forgets the position.
    mutating func halt(at now: Moment, into outcome: inout Outcome) {
        if loaded != nil { outcome.orders.append(.stop) }
        loaded = nil
        followed = nil
        isLoading = false
        draw(.stopped, fromMs: 0, at: now)
        outcome.touched.formUnion([.timeline])
    }

    /// Tells the player what comes behind the loaded entry, when that is no longer what it was told.
    mutating func settleFollower(into outcome: inout Outcome) {
        guard loaded != nil, loaded == queue.current else { return }
        let next = upcoming
        guard next?.id != followed else { return }
        followed = next?.id
        outcome.orders.append(next.map { .follow($0.id, $0.uri) } ?? .followWithNothing)
    }
}

extension Outcome {
    /// What came of a second step, behind this one.
    mutating func add(_ later: Outcome) {
        touched.formUnion(later.touched)
        orders += later.orders
        changes += later.changes
        added += later.added
    }
}
