/// A station's past: a room goes back in what the hub has recorded, and knows how far behind live it is.
///
/// The hub stores the recording; it reports the age of the sound that plays, and how far back the recording goes.

/// A target in a station's past.
package enum RewindTarget: Equatable, Sendable {
    /// Further back by this much, or forward where negative.
    case by(ms: Milliseconds)
    /// The sound received at that time, in milliseconds since 1970.
    case received(atMs: Milliseconds)
    /// The beginning of a title, by its number. The hub replaces it by `place` before a room decides.
    case title(Int)
    /// A position in the recording that was received at that time.
    case position(Int64, atMs: Milliseconds)
    /// The live sound.
    case live
}

/// The point at which reading a station's past begins.
package enum RewindPoint: Equatable, Sendable {
    /// The sound received at that time or later, in milliseconds since 1970.
    case received(atMs: Milliseconds)
    /// A position in the recording, as the hub's store counts it.
    case position(Int64)
}

extension Room {
    /// True when the current entry is a station with a recorded past.
    var hasPast: Bool {
        // Finding the current entry can be slow in a long queue, so it is checked last.
        guard timeline.behindMs != nil || timeline.reachMs != nil, timeline.entry == queue.current else { return false }
        return currentEntry?.tags.kind == .station
    }

    mutating func rewind(_ entry: EntryID?, to target: RewindTarget, at now: Moment) throws(Refusal) -> Outcome {
        if let entry, entry != queue.current { return .noop(.moved) }
        guard let current = queue.currentEntry, current.tags.kind == .station, timeline.state != .stopped else {
            throw Refusal(.invalidState, "No station plays here.")
        }
        guard hasPast else {
            throw Refusal(.invalidState, "Nothing that this station sent is kept, so there is nothing to go back to.")
        }
        let (wanted, point) = try aim(at: target, now)
        if wanted <= lagMs + Self.atLiveMs { return goLive(current.id, isAsked: target == .live, at: now) }
        let most = timeline.reachMs(atUs: now.us) ?? .max
        let behind = min(wanted, most)
        fallBehind(byMs: behind, at: now)
        var outcome = start(
            current.id, fromMs: 0, paused: timeline.state == .paused, past: wanted > most ? nil : point, at: now)
        if wanted > most { outcome.reason = .floor }
        return outcome
    }

    /// The distance of the target from now, and its exact point where a time is not exact enough.
    private func aim(at target: RewindTarget, _ now: Moment) throws(Refusal) -> (behindMs: Milliseconds, point: RewindPoint?) {
        switch target {
        case .by(let ms): return ((timeline.behindMs(atUs: now.us) ?? lagMs).plus(ms), nil)
        case .received(let atMs): return (now.wallMs.minus(atMs), nil)
        case .position(let position, let atMs): return (max(lagMs + Self.atLiveMs + 1, now.wallMs.minus(atMs)), .position(position))
        case .title: throw Refusal(.gone, "This title is not in the buffer any more.")
        case .live: return (0, nil)
        }
    }

    /// A room at the live point plays live, unless it is paused and the person did not ask for live.
    private mutating func goLive(_ entry: EntryID, isAsked: Bool, at now: Moment) -> Outcome {
        guard timeline.behindMs != nil else { return .noop(.same) }
        timeline.behindMs = nil
        var outcome = start(entry, fromMs: 0, paused: timeline.state == .paused && !isAsked, at: now)
        if !isAsked { outcome.reason = .ceiling }
        if timeline.state == .paused { fallBehind(byMs: lagMs, at: now) }
        return outcome
    }

    // MARK: The line

    mutating func fallBehind(byMs behind: Milliseconds, at now: Moment) {
        timeline.positionMs = positionMs(at: now)
        timeline.reachMs = timeline.reachMs(atUs: now.us)
        timeline.atUs = now.us
        timeline.behindMs = behind
    }

    /// The new line continues from the old one.
    mutating func keepPast(of before: Timeline) {
        timeline.behindMs = before.behindMs(atUs: timeline.atUs)
        timeline.reachMs = before.reachMs(atUs: timeline.atUs)
    }

    /// The point from which the station should sound now; `nil` for live.
    func heardPoint(at now: Moment) -> RewindPoint? {
        guard timeline.entry == queue.current, let behind = timeline.behindMs(atUs: now.us) else { return nil }
        return .received(atMs: now.wallMs.minus(behind))
    }

    mutating func past(_ entry: EntryID, ageMs: Milliseconds?, reachMs: Milliseconds?, atUs: Microseconds, at now: Moment) -> Outcome {
        guard entry == loaded, entry == timeline.entry, !isLoading || ageMs == nil, currentEntry?.tags.kind == .station else {
            return .noop(.moved)
        }
        let before = timeline
        // The report was measured at another moment than `timeline.atUs`, so both are brought to that moment.
        let passedMs = Milliseconds(max(0, atUs.minus(timeline.atUs)))
        timeline.reachMs = steady(reachMs.map { $0 - passedMs }, before.reachMs, withinMs: Self.reachToleranceMs)
        if timeline.behindMs == nil {
            lagMs = ageMs ?? lagMs
        } else {
            timeline.behindMs = steady(
                ageMs.map { $0 - passedMs.times(1000 - timeline.rate) / 1000 }, before.behindMs, withinMs: Self.behindToleranceMs)
        }
        guard timeline != before else { return .noop(.same) }
        var outcome = Outcome()
        outcome.touched = [.timeline]
        return outcome
    }

    /// The old value while the new one differs by less than the tolerance, so that remotes are not told of jitter.
    private func steady(_ new: Milliseconds?, _ old: Milliseconds?, withinMs tolerance: Milliseconds) -> Milliseconds? {
        guard let new, let old, new.minus(old).magnitude <= tolerance else { return new.map { max(0, $0) } }
        return old
    }

    /// A distance below this counts as live.
    static let atLiveMs: Milliseconds = 2000
    /// The age is only as exact as the size of one read of the player.
    static let behindToleranceMs: Milliseconds = 6000
    /// The oldest sound is deleted in pieces of a few minutes.
    static let reachToleranceMs: Milliseconds = 60_000

    /// Continues a station at the point where the source room hears it.
    mutating func goOn(where source: Room, into outcome: inout Outcome, at now: Moment) {
        guard let point = source.heardPoint(at: now) else { return }
        timeline.behindMs = source.timeline.behindMs(atUs: now.us)
        timeline.reachMs = source.timeline.reachMs(atUs: now.us)
        lagMs = source.lagMs
        for index in outcome.orders.indices {
            guard case .load(let entry, let uri, let trust, let fromMs, let paused, _) = outcome.orders[index] else { continue }
            outcome.orders[index] = .load(entry, uri, trust, fromMs: fromMs, paused: paused, past: point)
        }
    }

    // MARK: Keeping

    /// The position to store: for a station behind live, the time at which its sound was received.
    package func storedPositionMs(at now: Moment) -> Milliseconds {
        guard currentEntry?.tags.kind == .station else { return positionMs(at: now) }
        return timeline.behindMs(atUs: now.us).map { now.wallMs - $0 } ?? 0
    }

    /// Restores a room whose station was behind live, paused at that point.
    mutating func restorePast(_ storedMs: Milliseconds, at now: Moment) {
        guard currentEntry?.tags.kind == .station, storedMs > Self.earliestMs else { return }
        timeline.state = .paused
        timeline.atUs = now.us
        timeline.behindMs = max(0, now.wallMs - storedMs)
    }

    /// Smaller numbers are positions rather than times since 1970.
    private static let earliestMs = Milliseconds(1 << 40)
}
