/// A room without a speaker is heard only by devices that play along. The owner chooses what it does while there are none.
extension Room {
    /// Sets what the room does while no device listens. Switching to `play` does not resume a room that was paused for that reason.
    package mutating func setWhenEmpty(_ rule: WhenEmpty) -> Outcome {
        guard rule != presence.whenEmpty else { return .noop(.same) }
        presence.whenEmpty = rule
        if rule == .play { pausedEmpty = nil }
        var outcome = Outcome()
        outcome.touched = [.presence, .room]
        return outcome
    }

    /// Called when the last device stops listening.
    package mutating func pauseEmpty(at now: Moment, numbers: inout EntryNumbers) throws(Refusal) -> Outcome {
        guard presence.whenEmpty == .pause, isPlaying else { return .noop(.same) }
        let outcome = try apply(.pause, isPress: false, at: now, numbers: &numbers)
        pausedEmpty = queue.current
        return outcome
    }

    /// Called when a device listens again. The room stays paused when it was paused for another reason, or when the entry has changed.
    package mutating func goOnHeard(at now: Moment, numbers: inout EntryNumbers) throws(Refusal) -> Outcome {
        guard let entry = pausedEmpty else { return .noop(.same) }
        pausedEmpty = nil
        guard entry == queue.current, timeline.state == .paused else { return .noop(.same) }
        return try apply(.play(), isPress: false, at: now, numbers: &numbers)
    }
}
