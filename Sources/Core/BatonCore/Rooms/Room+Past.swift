/// A station's past: a room goes back in what the hub has received, and knows how far behind it is.
///
/// Which sound is still there is the hub's business; it reports how old the sound is that is heard, and how far back its past goes.

/// Where to in a station's past.
package enum PastTarget: Equatable, Sendable {
    /// So much further back, or forward where negative.
    case by(ms: Int)
    /// To what was received then, in milliseconds since 1970.
    case received(atMs: Int64)
    /// To the beginning of a title, by its number. The hub replaces it by `place` before a room decides.
    case title(Int)
    /// To a place that was received then.
    case place(Int64, atMs: Int64)
    /// To what comes now.
    case live
}

/// Where a reader of a station's past begins.
package enum PastPoint: Equatable, Sendable {
    /// With what was received then or later, in milliseconds since 1970.
    case received(atMs: Int64)
    case place(Int64)
}

extension Room {
    /// The current entry is a station, and something of its past is kept.
    var hasPast: Bool {
        // The current entry may be a long walk away, so it is looked at last.
        guard timeline.behindMs != nil || timeline.reachMs != nil, timeline.entry == queue.current else { return false }
        return currentEntry?.tags.kind == .station
    }

    mutating func rewind(_ entry: EntryID?, to target: PastTarget, at now: Moment) throws(Refusal) -> Outcome {
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

    /// How far behind the target is, and where exactly when it is more than a time.
    private func aim(at target: PastTarget, _ now: Moment) throws(Refusal) -> (behindMs: Int, point: PastPoint?) {
        switch target {
        case .by(let ms): return ((timeline.behindMs(atUs: now.us) ?? lagMs).plus(ms), nil)
        case .received(let atMs): return (Int(now.wallMs.minus(atMs)), nil)
        case .place(let place, let atMs): return (max(lagMs + Self.atLiveMs + 1, Int(now.wallMs.minus(atMs))), .place(place))
        case .title: throw Refusal(.gone, "This title is not in the buffer any more.")
        case .live: return (0, nil)
        }
    }

    /// What is live is what plays, also in a room that was paused.
    private mutating func goLive(_ entry: EntryID, isAsked: Bool, at now: Moment) -> Outcome {
        guard timeline.behindMs != nil else { return .noop(.same) }
        timeline.behindMs = nil
        var outcome = start(entry, fromMs: 0, paused: timeline.state == .paused && !isAsked, at: now)
        if !isAsked { outcome.reason = .ceiling }
        if timeline.state == .paused { fallBehind(byMs: lagMs, at: now) }
        return outcome
    }

    // MARK: The line

    mutating func fallBehind(byMs behind: Int, at now: Moment) {
        timeline.positionMs = positionMs(at: now)
        timeline.reachMs = timeline.reachMs(atUs: now.us)
        timeline.atUs = now.us
        timeline.behindMs = behind
    }

    /// The new line goes on from the old one.
    mutating func keepPast(of before: Timeline) {
        timeline.behindMs = before.behindMs(atUs: timeline.atUs)
        timeline.reachMs = before.reachMs(atUs: timeline.atUs)
    }

    /// Where the sound begins that is to be heard now; `nil` for what comes now.
    func heardPoint(at now: Moment) -> PastPoint? {
        guard timeline.entry == queue.current, let behind = timeline.behindMs(atUs: now.us) else { return nil }
        return .received(atMs: now.wallMs.minus(Int64(behind)))
    }

    mutating func past(_ entry: EntryID, ageMs: Int?, reachMs: Int?, atUs: Int64, at now: Moment) -> Outcome {
        guard entry == loaded, entry == timeline.entry, !isLoading || ageMs == nil, currentEntry?.tags.kind == .station else {
            return .noop(.moved)
        }
        let before = timeline
        // Measured at another moment than the line was drawn.
        let passedMs = Int(max(0, atUs.minus(timeline.atUs)) / 1000)
        timeline.reachMs = told(reachMs.map { $0 - passedMs }, before.reachMs, withinMs: Self.reachToleranceMs)
        if timeline.behindMs == nil {
            lagMs = ageMs ?? lagMs
        } else {
            timeline.behindMs = told(
                ageMs.map { $0 - passedMs.times(1000 - timeline.rate) / 1000 }, before.behindMs, withinMs: Self.behindToleranceMs)
        }
        guard timeline != before else { return .noop(.same) }
        var outcome = Outcome()
        outcome.touched = [.timeline]
        return outcome
    }

    /// What was told stays while it is near enough.
    private func told(_ new: Int?, _ old: Int?, withinMs tolerance: Int) -> Int? {
        guard let new, let old, abs(new.minus(old)) <= tolerance else { return new.map { max(0, $0) } }
        return old
    }

    /// Nearer than this is live.
    static let atLiveMs = 2000
    /// The age of sound is measured in what a player reads at once.
    static let behindToleranceMs = 6000
    /// The oldest sound is removed in pieces of a few minutes.
    static let reachToleranceMs = 60_000

    /// What another room hears of a station is heard here from there on.
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

    /// What is kept as the position: of a station that is behind, when its sound was received.
    package func keptPositionMs(at now: Moment) -> Int {
        guard currentEntry?.tags.kind == .station else { return positionMs(at: now) }
        return timeline.behindMs(atUs: now.us).map { Int(now.wallMs) - $0 } ?? 0
    }

    /// A room whose station was behind is paused there.
    mutating func recallPast(_ keptMs: Int, at now: Moment) {
        guard currentEntry?.tags.kind == .station, keptMs > Self.earliestMs else { return }
        timeline.state = .paused
        timeline.atUs = now.us
        timeline.behindMs = max(0, Int(now.wallMs) - keptMs)
    }

    /// Smaller numbers are lengths, and no times since 1970.
    private static let earliestMs = 1 << 40
}
