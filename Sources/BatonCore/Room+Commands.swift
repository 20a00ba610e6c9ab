/// What a room does when it is asked.
extension Room {
    /// Carries out a command, or refuses it and stays exactly as it was.
    package mutating func apply(
        _ command: Command, by author: String? = nil, at now: Moment, numbers: inout EntryNumbers
    ) throws(Refusal) -> Outcome {
        switch command {
        case .play(let entry, let position): return try play(entry, fromMs: position, at: now)
        case .pause: return pause(at: now)
        case .stop: return stop(at: now)
        case .next(let from, let count): return skip(from: from, by: count, at: now)
        case .previous(let from, let restartMs): return previous(from: from, restartMs: restartMs, at: now)
        case .jump(let entry): return try jump(to: entry, fromMs: 0, at: now)
        case .seek(let entry, let toMs): return try seek(entry, toMs: toMs, at: now)
        case .skip(let entry, let byMs): return try seek(entry, toMs: positionMs(at: now) + byMs, at: now)
        case .setLevel(let level): return setLevel(level)
        case .stepLevel(let step): return setLevel(volume.level + step)
        case .setMute(let muted): return setMute(muted)
        case .setModes(let change): return setModes(change, at: now)
        case .add(let items, let place):
            return try add(entries(of: items, by: author, at: now, numbers: &numbers), at: place)
        case .remove(let ids): return remove(ids, at: now)
        case .move(let ids, let place): return try move(ids, to: place)
        case .clear(let base, let keep): return try clear(base: base, keep: keep, at: now)
        case .replace(let base, let items, let start, let position, let play):
            try check(base)
            let new = entries(of: items, by: author, at: now, numbers: &numbers)
            return try replace(with: new, start: start, fromMs: position, play: play, at: now)
        }
    }

    // MARK: Playing

    private mutating func play(_ entry: EntryID?, fromMs position: Int?, at now: Moment) throws(Refusal) -> Outcome {
        if let entry, entry != queue.current || timeline.state == .stopped {
            return try jump(to: entry, fromMs: position ?? 0, at: now)
        }
        guard let current = queue.current else {
            throw Refusal(.invalidState, "There is nothing to play: the queue is empty.")
        }
        if isPlaying {
            guard let position else { return .noop(.same) }
            return try seek(current, toMs: position, at: now)
        }
        problem = nil
        guard loaded == current else { return start(current, fromMs: position ?? timeline.positionMs, at: now) }
        if let position { timeline.positionMs = position }
        var outcome = Outcome()
        if position != nil { outcome.orders.append(.seek(toMs: timeline.positionMs)) }
        outcome.orders.append(.setPaused(false))
        draw(isLoading ? .buffering : .playing, fromMs: timeline.positionMs, at: now)
        outcome.touched = [.timeline, .room]
        return outcome
    }

    private mutating func pause(at now: Moment) -> Outcome {
        guard isPlaying else { return .noop(.same) }
        var outcome = Outcome()
        draw(.paused, fromMs: positionMs(at: now), at: now)
        outcome.orders = [.setPaused(true)]
        outcome.touched = [.timeline]
        return outcome
    }

    private mutating func stop(at now: Moment) -> Outcome {
        guard timeline.state != .stopped else { return .noop(.same) }
        var outcome = Outcome()
        halt(at: now, into: &outcome)
        return outcome
    }

    private mutating func jump(to entry: EntryID, fromMs position: Int, at now: Moment) throws(Refusal) -> Outcome {
        guard queue.contains(entry) else { throw Refusal(.gone, "That entry is no longer in the queue.") }
        failures = 0
        problem = nil
        var outcome = Outcome()
        makeCurrent(entry, into: &outcome)
        outcome.add(start(entry, fromMs: position, at: now))
        return outcome
    }

    private mutating func skip(from: EntryID?, by count: Int, at now: Moment) -> Outcome {
        if let from, from != queue.current { return .noop(.moved) }
        guard queue.current != nil else { return .noop(.same) }
        failures = 0
        problem = nil
        guard let next = queue.entry(ahead: count, wrapping: modes.repeat == .all) else {
            return runOut(at: now)
        }
        return go(to: next.id, at: now)
    }

    private mutating func previous(from: EntryID?, restartMs: Int, at now: Moment) -> Outcome {
        if let from, from != queue.current { return .noop(.moved) }
        guard let current = queue.current else { return .noop(.same) }
        let before = queue.entry(ahead: -1, wrapping: modes.repeat == .all)
        if positionMs(at: now) > restartMs || before == nil { return place(current, toMs: 0, at: now) }
        return go(to: before!.id, at: now)  // `before` is not nil: the line above has left otherwise.
    }

    private mutating func seek(_ entry: EntryID?, toMs wanted: Int, at now: Moment) throws(Refusal) -> Outcome {
        if let entry, entry != queue.current { return .noop(.moved) }
        guard let current = queue.currentEntry else {
            throw Refusal(.invalidState, "Nothing is playing, so there is nowhere to seek.")
        }
        if current.tags.kind == .station {
            throw Refusal(.invalidState, "A live station has no position to seek to.")
        }
        let end = current.tags.durationMs ?? .max
        var outcome = place(current.id, toMs: max(0, min(wanted, end)), at: now)
        outcome.reason = wanted < 0 ? .floor : wanted > end ? .ceiling : nil
        return outcome
    }

    /// Moves the position inside the current entry. A room that is not playing only remembers it.
    private mutating func place(_ entry: EntryID, toMs position: Int, at now: Moment) -> Outcome {
        var outcome = Outcome()
        if loaded == entry { outcome.orders = [.seek(toMs: position)] }
        draw(timeline.state, fromMs: position, at: now)
        outcome.touched = [.timeline]
        return outcome
    }

    // MARK: Volume and modes

    private mutating func setLevel(_ wanted: Int) -> Outcome {
        let before = volume
        let bound = volume.set(to: wanted)
        if volume.level > 0 { volume.muted = false }  // Whoever turns the knob wants to hear it.
        return afterVolume(before, bound)
    }

    private mutating func setMute(_ muted: Bool) -> Outcome {
        let before = volume
        volume.muted = muted
        return afterVolume(before, nil)
    }

    private func afterVolume(_ before: VolumeRail, _ bound: VolumeRail.Bound?) -> Outcome {
        let reason: Outcome.Reason? = bound == .ceiling ? .ceiling : bound == .floor ? .floor : nil
        guard volume != before else { return .noop(reason ?? .same) }
        var outcome = Outcome()
        outcome.reason = reason
        outcome.orders = [.setGain(volume.gain)]
        outcome.touched = [.volume]
        return outcome
    }

    private mutating func setModes(_ change: ModeChange, at now: Moment) -> Outcome {
        let before = modes
        modes.repeat = change.repeat ?? modes.repeat
        modes.shuffle = change.shuffle ?? modes.shuffle
        modes.speed = change.speed ?? modes.speed
        guard modes != before else { return .noop(.same) }
        var outcome = Outcome()
        outcome.touched = [.modes]
        if modes.speed != before.speed {
            outcome.orders.append(.setSpeed(permille: modes.speed))
            draw(timeline.state, fromMs: positionMs(at: now), at: now)
            outcome.touched.insert(.timeline)
        }
        settleFollower(into: &outcome)
        return outcome
    }

    // MARK: Queue

    private func entries(
        of items: [NewEntry], by author: String?, at now: Moment, numbers: inout EntryNumbers
    ) -> [QueueEntry] {
        items.map {
            QueueEntry(id: numbers.take(), uri: $0.uri, tags: $0.tags, addedBy: author, addedAtMs: now.wallMs)
        }
    }

    private mutating func add(_ new: [QueueEntry], at place: Place) throws(Refusal) -> Outcome {
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

    private mutating func remove(_ ids: [EntryID], at now: Moment) -> Outcome {
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

    private mutating func move(_ ids: [EntryID], to place: Place) throws(Refusal) -> Outcome {
        let changes = try queue.move(ids, to: place)
        guard !changes.isEmpty else { return .noop(.same) }
        var outcome = Outcome()
        outcome.changes = changes
        outcome.touched = [.queue]
        settleFollower(into: &outcome)
        return outcome
    }

    private mutating func clear(base: Int?, keep: Keep, at now: Moment) throws(Refusal) -> Outcome {
        try check(base)
        let before = queue.current
        let changes = queue.clear(keeping: keep)
        guard !changes.isEmpty else { return .noop(.same) }
        var outcome = Outcome()
        outcome.changes = changes
        outcome.touched = [.queue]
        problem = nil
        if queue.current != before {
            outcome.touched.formUnion([.now, .timeline])
            halt(at: now, into: &outcome)
        }
        settleFollower(into: &outcome)
        return outcome
    }

    private mutating func replace(
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
        outcome.added = new.map(\.id)
        outcome.touched = [.queue, .now, .timeline]
        failures = 0
        problem = nil
        if play, let current {
            outcome.add(start(current, fromMs: position, at: now))
        } else {
            halt(at: now, into: &outcome)
            timeline.positionMs = position
        }
        return outcome
    }

    private func check(_ base: Int?) throws(Refusal) {
        guard let base, base != queue.revision else { return }
        throw Refusal(.queueConflict, "The queue has changed since you saw it. Look again and repeat the command.")
    }
}
