/// Carries out the commands of a room.
extension Room {
    /// Carries out a command, or refuses it and leaves the room unchanged. `isPress` is true when a person has pressed a button.
    package mutating func apply(
        _ command: Command, by author: String? = nil, isPress: Bool = true, at now: Moment, numbers: inout EntryNumbers
    ) throws(Refusal) -> Outcome {
        let before = sleepView(at: now)
        var outcome = try decide(command, by: author, at: now, numbers: &numbers)
        settleRendering(into: &outcome, at: now)
        if isPress { notePress(command, into: &outcome, at: now) }
        if isPlaying { pausedEmpty = nil }
        settleSleep(since: before, isPress: isPress, into: &outcome, at: now)
        settleChapter(into: &outcome, at: now)
        settleLevelling(into: &outcome)
        return outcome
    }

    private mutating func decide(
        _ command: Command, by author: String?, at now: Moment, numbers: inout EntryNumbers
    ) throws(Refusal) -> Outcome {
        switch command {
        case .play(let entry, let position): return try play(entry, fromMs: position, at: now)
        case .pause: return pause(at: now)
        case .stop: return stop(at: now)
        case .next(let from, let count): return skip(from: from, by: count, at: now)
        case .previous(let from, let restartMs): return previous(from: from, restartMs: restartMs, at: now)
        case .jump(let entry): return try jump(to: entry, at: now)
        case .seek(let entry, let toMs): return try seek(entry, toMs: toMs, at: now)
        case .skip(let entry, let byMs) where hasPast: return try rewind(entry, to: .by(ms: Milliseconds.zero.minus(byMs)), at: now)
        case .chapter(let entry, let target): return try go(to: target, entry, at: now)
        case .rewind(let entry, let target): return try rewind(entry, to: target, at: now)
        case .skip(let entry, let byMs): return try seek(entry, toMs: positionMs(at: now).plus(byMs), at: now)
        case .setLevel(let level): return setLevel(level)
        case .stepLevel(let step): return setLevel(volume.level.plus(step))
        case .setMute(let muted): return setMute(muted)
        case .setModes(let change): return setModes(change, at: now)
        case .setSpeech(let raisesVoice, let trims): return setModes(ModeChange(raisesVoice: raisesVoice, trims: trims), at: now)
        case .setSleep(let wish): return try setSleep(wish, at: now)
        case .clearSleep: return clearSleep()
        case .add(let items, let place):
            var next = numbers
            let outcome = try add(entries(of: items, by: author, at: now, numbers: &next), at: place, by: author, now)
            numbers = next
            return outcome
        case .remove(let ids): return remove(ids, by: author, at: now)
        case .move(let ids, let place): return try move(ids, to: place, by: author, at: now)
        case .clear(let base, let keep): return try clear(base: base, keep: keep, by: author, at: now)
        case .replace(let base, let items, let start, let position, let play):
            try check(base)
            var next = numbers
            let new = entries(of: items, by: author, at: now, numbers: &next)
            let outcome = try replace(with: new, start: start, fromMs: position, play: play, by: author, at: now)
            numbers = next
            return outcome
        case .shuffle(let base): return try shuffle(base: base, by: author, at: now)
        case .undo: return try undo(by: author, at: now)
        }
    }

    // MARK: Playing

    private mutating func play(_ entry: EntryID?, fromMs position: Milliseconds?, at now: Moment) throws(Refusal) -> Outcome {
        if let entry, entry != queue.current || timeline.state == .stopped {
            return try jump(to: entry, fromMs: position, at: now)
        }
        guard let current = queue.current else {
            throw Refusal(.invalidState, "There is nothing to play: the queue is empty.", cause: .queueEmpty)
        }
        if isPlaying {
            guard let position else { return .noop(.same) }
            return try seek(current, toMs: position, at: now)
        }
        let position = position ?? goOnMs(at: now)
        if let position { resumption.fromMs = position }
        var outcome = Outcome()
        startAfresh(into: &outcome)
        guard loaded == current else {
            outcome.add(start(current, fromMs: position ?? timeline.positionMs, at: now))
            return outcome
        }
        if let position, let bounded = queue.currentEntry?.bounded(position) {
            timeline.positionMs = bounded
            outcome.orders.append(.seek(toMs: bounded))
        }
        outcome.orders.append(.setPaused(false))
        draw(isLoading || isWaiting ? .buffering : .playing, fromMs: timeline.positionMs, at: now)
        outcome.touched.insert(.timeline)
        return outcome
    }

    /// The position to resume at: a little back after a pause, the place in the book after a stop, `nil` for exactly where it was.
    private func goOnMs(at now: Moment) -> Milliseconds? {
        guard timeline.state == .stopped, timeline.positionMs == 0, let entry = currentEntry else {
            return resumption.positionMs(pausedIn: timeline.positionMs, at: now.steadyMs)
        }
        return beginsInside(entry) ? beginningMs(of: entry, at: now) : nil
    }

    mutating func pause(at now: Moment) -> Outcome {
        guard isPlaying else { return .noop(.same) }
        var outcome = Outcome()
        endWait(into: &outcome)
        if hasPast, timeline.behindMs == nil { fallBehind(byMs: lagMs, at: now) }
        draw(.paused, fromMs: positionMs(at: now), at: now)
        outcome.orders = [.setPaused(true)]
        outcome.touched.insert(.timeline)
        return outcome
    }

    private mutating func stop(at now: Moment) -> Outcome {
        guard timeline.state != .stopped else { return .noop(.same) }
        var outcome = Outcome()
        halt(at: now, into: &outcome)
        return outcome
    }

    private mutating func jump(to entry: EntryID, fromMs named: Milliseconds? = nil, at now: Moment) throws(Refusal) -> Outcome {
        guard let index = queue.index(of: entry) else { throw Refusal(.gone, "That entry is no longer in the queue.") }
        let position = named ?? beginningMs(of: queue.entries[index], at: now)
        var outcome = Outcome()
        startAfresh(into: &outcome)
        timeline.behindMs = nil
        makeCurrent(entry, into: &outcome)
        resumption.fromMs = position
        outcome.add(start(entry, fromMs: position, at: now))
        return outcome
    }

    private mutating func skip(from: EntryID?, by count: Int, at now: Moment) -> Outcome {
        if let from, from != queue.current { return .noop(.moved) }
        guard queue.current != nil, count > 0 else { return .noop(.same) }
        var outcome = Outcome()
        startAfresh(into: &outcome)
        var presses = count
        // Each press takes an entry out of the queue, so they are carried out one by one.
        while presses > 1, modes.consume != .off, timeline.state != .stopped, let step = madeStep(ahead: 1) {
            take(step, leaving: true, at: now, into: &outcome)
            presses -= 1
        }
        guard let step = madeStep(ahead: presses) else {
            let rest = presses.minus(queue.count - (queue.currentIndex ?? 0))
            outcome.add(runOut(at: now))
            // Further presses lead through the stopped queue, round and round.
            if rest > 0, !queue.isEmpty { outcome.add(go(Step(entry: queue.entries[rest % queue.count]), at: now)) }
            return outcome
        }
        outcome.add(go(step, leaving: true, at: now))
        return outcome
    }

    private mutating func previous(from: EntryID?, restartMs: Milliseconds, at now: Moment) -> Outcome {
        if let from, from != queue.current { return .noop(.moved) }
        guard let current = queue.currentEntry else { return .noop(.same) }
        // A live station has no beginning to go back to.
        let restarts = current.tags.kind != .station && positionMs(at: now) > restartMs
        if !restarts, let before = queue.entry(ahead: -1, wrapping: modes.repeat) {
            var outcome = Outcome()
            startAfresh(into: &outcome)
            outcome.add(go(Step(entry: before), at: now))
            return outcome
        }
        return current.tags.kind == .station || positionMs(at: now) == 0 ? .noop(.same) : place(current.id, toMs: 0, at: now)
    }

    private mutating func seek(_ entry: EntryID?, toMs wanted: Milliseconds, at now: Moment) throws(Refusal) -> Outcome {
        if let entry, entry != queue.current { return .noop(.moved) }
        guard let current = queue.currentEntry else {
            throw Refusal(.invalidState, "Nothing is playing, so there is nowhere to seek.")
        }
        if current.tags.kind == .station {
            throw Refusal(.invalidState, "A live station has no position to seek to.", cause: .isLive)
        }
        let end = current.tags.durationMs ?? .max
        var outcome = place(current.id, toMs: max(0, min(wanted, end)), at: now)
        outcome.reason = wanted < 0 ? .floor : wanted > end ? .ceiling : nil
        return outcome
    }

    /// Moves the position inside the current entry. A room that is not playing only stores it, and one that was stopped is paused there.
    mutating func place(_ entry: EntryID, toMs position: Milliseconds, at now: Moment) -> Outcome {
        var outcome = Outcome()
        if loaded == entry { outcome.orders = [.seek(toMs: position)] }
        resumption.fromMs = position
        draw(timeline.state == .stopped ? .standing(atMs: position) : timeline.state, fromMs: position, at: now)
        outcome.touched = [.timeline]
        return outcome
    }

    // MARK: Volume and modes

    private mutating func setLevel(_ wanted: Int) -> Outcome {
        let before = volume
        let bound = volume.set(to: wanted)
        if volume.level > 0 { volume.muted = false }  // A person who changes the volume wants to hear the music.
        return afterVolume(before, bound)
    }

    private mutating func setMute(_ muted: Bool) -> Outcome {
        let before = volume
        volume.muted = muted
        return afterVolume(before, nil)
    }

    private func afterVolume(_ before: VolumeRail, _ bound: VolumeRail.Bound?) -> Outcome {
        let reason: Outcome.Reason? = bound == .ceiling ? .ceiling : bound == .floor ? .floor : nil
        var outcome = Outcome()
        outcome.reason = reason
        // The answer names the limit that was reached, even when the room was there already.
        guard volume != before else { return reason == nil ? .noop(.same) : outcome }
        outcome.orders = [.setGain(volume.gain)]
        outcome.touched = [.volume]
        return outcome
    }

    private mutating func setModes(_ change: ModeChange, at now: Moment) -> Outcome {
        let before = modes
        let wanted = change.speed ?? modes.speed
        modes.take(change)
        if change.speed != nil { keepSpeed() }
        guard modes != before else { return .noop(.same) }
        var outcome = Outcome()
        outcome.reason = wanted > modes.speed ? .ceiling : wanted < modes.speed ? .floor : nil
        outcome.touched = [.modes]
        if modes.shuffle != before.shuffle {
            drawSeed(at: now)
            outcome.changes = modes.shuffle ? queue.beginShuffle(by: seed) : queue.endShuffle()
            drawSeed(at: now)
            outcome.touched.insert(.queue)
        }
        if modes.speed != before.speed {
            outcome.orders.append(.setSpeed(permille: modes.speed))
            draw(timeline.state, fromMs: positionMs(at: now), at: now)
            outcome.touched.insert(.timeline)
        }
        if modes.unfinished != before.unfinished { waitAnew(into: &outcome, at: now) }
        settleFollower(into: &outcome)
        return outcome
    }
}
