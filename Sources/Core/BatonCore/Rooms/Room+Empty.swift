/// A room without a speaker is heard by devices that play along. What it does while there is none is the owner's choice.
extension Room {
    package mutating func setWhenEmpty(_ rule: WhenEmpty) -> Outcome {
        guard rule != presence.whenEmpty else { return .noop(.same) }
        presence.whenEmpty = rule
        if rule == .play { pausedEmpty = nil }
        var outcome = Outcome()
        outcome.touched = [.presence, .room]
        return outcome
    }

    /// No one listens any more.
    package mutating func pauseEmpty(at now: Moment, numbers: inout EntryNumbers) throws(Refusal) -> Outcome {
        guard presence.whenEmpty == .pause, isPlaying else { return .noop(.same) }
        let outcome = try apply(.pause, isPress: false, at: now, numbers: &numbers)
        pausedEmpty = queue.current
        return outcome
    }

    /// A device listens again. What was paused meanwhile for another reason, or is another entry, stays as it is.
    package mutating func goOnHeard(at now: Moment, numbers: inout EntryNumbers) throws(Refusal) -> Outcome {
        guard let entry = pausedEmpty else { return .noop(.same) }
        pausedEmpty = nil
        guard entry == queue.current, timeline.state == .paused else { return .noop(.same) }
        return try apply(.play(), isPress: false, at: now, numbers: &numbers)
    }
}
