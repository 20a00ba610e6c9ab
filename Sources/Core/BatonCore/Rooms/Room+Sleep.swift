/// The sleep timer of a room.
///
/// The player is told in advance to end inside an entry (`stopAt`), and at the end of an entry nothing follows, so not a sample of what comes next is
/// heard. The hub measures time and calls back at `sleepDueUs`.
extension Room {
    /// The state of a room before a step, for counting the ends that the step passed.
    struct SleepView {
        let entry: EntryID?
        let positionMs: Milliseconds
        let chapters: ChapterList
    }

    @inline(__always)
    func sleepView(at now: Moment) -> SleepView {
        SleepView(entry: queue.current, positionMs: positionMs(at: now), chapters: chapters)
    }

    // MARK: Commands

    mutating func setSleep(_ wish: SleepWish, at now: Moment) throws(Refusal) -> Outcome {
        guard let current = currentEntry else {
            throw Refusal(.invalidState, "There is nothing to fall asleep to: the queue is empty.")
        }
        if wish.end != .time, current.tags.isLive {
            throw Refusal(.invalidState, "A live station has no end. Give the sleep timer minutes instead.")
        }
        var outcome = Outcome()
        endFade(into: &outcome)
        sleep = SleepTimer(wish, anchorMs: positionMs(at: now), at: now)
        outcome.touched.insert(.sleep)
        return outcome
    }

    mutating func clearSleep() -> Outcome {
        var outcome = Outcome()
        endOffer(into: &outcome)
        guard sleep != nil else { return outcome.touched.isEmpty ? .noop(.same) : outcome }
        endFade(into: &outcome)
        sleep = nil
        outcome.touched.insert(.sleep)
        return outcome
    }

    private func endFade(into outcome: inout Outcome) {
        if sleep?.fadedFromMs != nil { outcome.orders.insert(.endFade, at: 0) }
    }

    // MARK: After each step

    /// Counts the ends that were passed, and tells the player where to stop from now on.
    mutating func settleSleep(since before: SleepView, isPress: Bool, into outcome: inout Outcome, at now: Moment) {
        guard sleep != nil || stopTold != nil else { return }
        countEnds(since: before, isPress: isPress, at: now)
        var settled = Outcome()
        if isPress, sleep?.fadedFromMs != nil {
            settled.orders = [.endFade]
            sleep?.extend(at: now)
            settled.touched = [.sleep]
        }
        drawSleep(into: &settled, at: now)
        settleStop(into: &settled, at: now)
        settleFollower(into: &outcome)
        outcome.keepLastFollower()
        guard !settled.orders.isEmpty || !settled.touched.isEmpty else { return }
        // A command that changed nothing else has still changed the timer.
        if outcome.status == .noop { (outcome.status, outcome.reason) = (.applied, nil) }
        outcome.touched.formUnion(settled.touched)
        // These orders come before a seek, which may lead past an earlier stop.
        outcome.orders = settled.orders + outcome.orders
    }

    private mutating func countEnds(since before: SleepView, isPress: Bool, at now: Moment) {
        guard var timer = sleep else { return }
        if before.entry == queue.current {
            timer.pass(timer.ends(in: before.chapters, afterMs: timer.anchorMs, toMs: before.positionMs))
        } else if !isPress {
            // The rest of the previous entry was heard, and its end counts too.
            timer.pass(timer.ends(in: before.chapters, afterMs: timer.anchorMs, toMs: .max) + 1)
        }
        timer.anchorMs = positionMs(at: now)
        sleep = timer
    }

    /// Publishes the remaining time where the published one is wrong by now.
    private mutating func drawSleep(into outcome: inout Outcome, at now: Moment) {
        guard let timer = sleep else { return }
        let rate = timeline.state == .playing ? 1000 : 0
        let leftMs = timer.end == .time ? timer.line.leftMs(atUs: now.us) : listeningMs(to: sleepEndMs, at: now)
        let shownMs = timer.line.leftMs(atUs: now.us)
        let isClose = leftMs == shownMs || (leftMs ?? .max).minus(shownMs ?? 0).magnitude <= SleepTimer.toleranceMs && shownMs != nil
        guard rate != timer.line.rate || !isClose else { return }
        sleep?.line = SleepTimer.Line(leftMs: leftMs, atUs: now.us, rate: rate)
        outcome.touched.insert(.sleep)
    }

    /// Tells the player where the loaded entry ends, when that differs from what it was told.
    private mutating func settleStop(into outcome: inout Outcome, at now: Moment) {
        let stop = loaded.flatMap { entry in
            entry == queue.current ? sleepStopMs.map { PlayerStop(entry: entry, atMs: $0) } : nil
        }
        guard stop != stopTold else { return }
        stopWithdrawn = stopTold
        stopTold = stop
        outcome.orders.append(.stopAt(stop))
    }

    // MARK: Where it ends

    /// The end inside the current entry at which the room falls silent; `nil` when that is the entry's own end or later.
    private var sleepStopMs: Milliseconds? {
        guard let timer = sleep, timer.end == .chapter else { return nil }
        let ends = chapters.ends(afterMs: timer.anchorMs)
        return ends.count < timer.count ? nil : ends[ends.startIndex + timer.count - 1].startMs
    }

    /// True when the player has to end with the current entry, at its end or before it.
    var sleepsInEntry: Bool { sleepStopMs != nil || sleepsAfterEntry }

    /// True when the room falls silent after the current entry.
    private var sleepsAfterEntry: Bool {
        guard let timer = sleep else { return false }
        switch timer.end {
        case .time: return false
        case .track: return timer.count == 1
        case .chapter: return chapters.ends(afterMs: timer.anchorMs).count + 1 == timer.count
        case .queue: return queue.entry(ahead: 1, wrapping: false) == nil
        }
    }

    /// The position at which the room falls silent, if that is in the current entry.
    private var sleepEndMs: Milliseconds? { sleepStopMs ?? (sleepsAfterEntry ? currentEntry?.tags.durationMs : nil) }

    private func listeningMs(to end: Milliseconds?, at now: Moment) -> Milliseconds? {
        end.map { max(0, heardMs(from: positionMs(at: now), to: $0)).times(1000) / max(1, modes.speed) }
    }

    // MARK: When it is due

    /// The time of the next check of the timer, if nothing happens until then.
    package var sleepDueUs: Microseconds? {
        guard let timer = sleep, timeline.state == .playing, let endUs = sleepEndUs(of: timer) else { return nil }
        if timer.fadeMs > 0, timer.fadedFromMs == nil { return endUs - Microseconds(timer.fadeMs) }
        switch timer.end {
        case .time: return endUs
        // The player ends there by itself. If it does not, the room pauses it a moment later.
        case .chapter where sleepStopMs != nil: return endUs + Self.stopGraceUs
        default: return nil
        }
    }

    private static let stopGraceUs: Microseconds = 300_000

    private func sleepEndUs(of timer: SleepTimer) -> Microseconds? {
        if timer.end == .time { return timer.line.leftMs.map { timer.line.atUs + Microseconds($0) } }
        guard let end = sleepEndMs, timeline.rate > 0 else { return nil }
        return timeline.atUs + Microseconds(heardMs(from: timeline.positionMs, to: end)).times(1000) / timeline.rate
    }

    /// Called at `sleepDueUs`: begins the fade, or pauses the room.
    package mutating func sleepIsDue(at now: Moment) -> Outcome {
        guard let timer = sleep, let dueUs = sleepDueUs, dueUs <= now.us, let endUs = sleepEndUs(of: timer) else { return .noop(.same) }
        guard timer.fadeMs > 0, timer.fadedFromMs == nil else { return fallAsleep(at: now) }
        let position = positionMs(at: now)
        sleep?.fadedFromMs = position
        var outcome = Outcome()
        outcome.orders = [.fade(overMs: Milliseconds(max(0, endUs - now.us)))]
        return outcome
    }

    private mutating func fallAsleep(at now: Moment) -> Outcome {
        guard let timer = sleep else { return .noop(.same) }
        let back = timer.fadedFromMs ?? sleepStopMs
        var outcome = pause(at: now)
        if let back, let current = currentEntry, !current.tags.isLive {
            outcome.orders.append(.seek(toMs: back))
            draw(.paused, fromMs: back, at: now)
        }
        // The sound is paused by now, so restoring the loudness is not heard.
        if timer.fadedFromMs != nil { outcome.orders.append(.endFade) }
        sleep = nil
        noteAsleep(at: pointHeard(at: now), now)
        outcome.touched.insert(.sleep)
        settleFollower(into: &outcome)
        settleStop(into: &outcome, at: now)
        settleChapter(into: &outcome, at: now)
        return outcome
    }

    /// The player had read up to an earlier stop before it heard that this stop was withdrawn, so it continues from there.
    mutating func goOnBehindStop(at now: Moment) -> Outcome? {
        guard let stop = stopWithdrawn, stop.entry == loaded, isNear(stop.atMs, at: now) else { return nil }
        stopWithdrawn = nil
        return start(stop.entry, fromMs: stop.atMs, at: now)
    }

    private func isNear(_ end: Milliseconds, at now: Moment) -> Bool {
        end.minus(positionMs(at: now)).magnitude < Self.nearEndMs.times(2)
    }

    /// The player has run dry where the timer wanted it to. The room waits there, or at the beginning of the next entry, or where the fade began. The
    /// player still sounds for a moment, so it gets no order.
    mutating func fallAsleepAtEnd(at now: Moment) -> Outcome? {
        guard let timer = sleep else { return nil }
        guard let stop = sleepStopMs ?? (sleepsAfterEntry ? currentEntry?.tags.durationMs ?? .max : nil) else { return nil }
        // Running out of bytes is not the end of the chapter.
        guard sleepStopMs == nil || isNear(stop, at: now) else { return nil }
        var outcome = Outcome()
        startAfresh(into: &outcome)
        noteAsleep(at: pointHeard(at: now), now)
        let isInside = sleepStopMs != nil
        if !isInside { endings.note(loaded) }
        sleep = nil
        loaded = nil
        followed = nil
        withdrawn = []
        (stopTold, stopWithdrawn) = (nil, nil)
        if let back = timer.fadedFromMs {
            draw(.paused, fromMs: back, at: now)
        } else if isInside {
            draw(.paused, fromMs: stop, at: now)
        } else if let step = timer.end == .queue ? nil : nextStep {
            if pausesAfterCurrent { endSingle(into: &outcome) }
            take(step, leaving: true, at: now, into: &outcome)
            draw(.stopped, fromMs: 0, at: now)
        } else {
            outcome.add(runOut(at: now))
        }
        outcome.touched.formUnion([.now, .timeline, .sleep])
        return outcome
    }
}

/// The position at which the player ends an entry before its own end.
package struct PlayerStop: Equatable, Sendable {
    /// The entry that is to end early.
    package var entry: EntryID
    /// The position at which it ends.
    package var atMs: Milliseconds

    package init(entry: EntryID, atMs: Milliseconds) {
        self.entry = entry
        self.atMs = atMs
    }
}

extension Outcome {
    /// Keeps only the last order about the follower: a step to another entry names one before the ends are counted.
    fileprivate mutating func keepLastFollower() {
        guard let last = orders.lastIndex(where: \.namesFollower) else { return }
        orders = orders.enumerated().filter { !$0.element.namesFollower || $0.offset == last }.map(\.element)
    }
}

extension PlayerOrder {
    fileprivate var namesFollower: Bool {
        switch self {
        case .follow, .followWithNothing: true
        default: false
        }
    }
}

extension SleepTimer {
    /// Number of ends between two positions of an entry, without its own end. Only chapters end inside an entry.
    fileprivate func ends(in chapters: ChapterList, afterMs from: Milliseconds, toMs to: Milliseconds) -> Int {
        guard end == .chapter, to > from else { return 0 }
        return chapters.ends(afterMs: from).count - chapters.ends(afterMs: to).count
    }
}
