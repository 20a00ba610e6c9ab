/// The resume position of a spoken entry after a pause: a little further back, the longer the pause was.
///
/// A value. It never goes back before `fromMs`: a person who sought a place wants to hear from there, and a second pause without listening in between
/// must not go back again.
package struct Resumption: Equatable, Sendable {
    /// The position where listening began last: the start of the entry, the target of a seek, or the place of resuming.
    package var fromMs: Milliseconds
    /// The time of the pause on the steady clock; `nil` unless the room is paused in a spoken entry.
    package var pausedAtMs: Milliseconds?

    package init(fromMs: Milliseconds = 0, pausedAtMs: Milliseconds? = nil) {
        self.fromMs = fromMs
        self.pausedAtMs = pausedAtMs
    }

    /// Amounts to go back, each for pauses below a length.
    private static let steps: [(belowMs: Milliseconds, backMs: Milliseconds)] = [
        (10_000, 0), (60_000, 3_000), (3_600_000, 10_000), (86_400_000, 20_000), (.max, 30_000),
    ]

    /// The amount to go back after a pause: nothing below 10 seconds, at most half a minute.
    package static func backMs(afterPauseOf pauseMs: Milliseconds) -> Milliseconds {
        steps.first { pauseMs < $0.belowMs }?.backMs ?? 30_000
    }

    /// The resume position; `nil` where the room resumes exactly where it was.
    package func positionMs(pausedIn position: Milliseconds, at steadyMs: Milliseconds) -> Milliseconds? {
        guard let pausedAtMs else { return nil }
        let earliest = position.minus(Self.backMs(afterPauseOf: steadyMs.minus(pausedAtMs)))
        let target = max(0, fromMs, earliest)
        return target < position ? target : nil
    }
}

extension Room {
    /// Whether what plays is speech: its kind says so, or its file names chapters, as books do.
    @inline(__always)
    package var isSpoken: Bool {
        // An entry is dear to copy, and this is asked after each step.
        guard let here = queue.currentIndex else { return false }
        return queue.entries[here].tags.kind.isSpoken || chapters.count > 1
    }

    /// Notes the start of an entry, and the begin and end of pauses.
    mutating func notePause(since before: Timeline, at now: Moment) {
        if before.entry != timeline.entry { resumption = Resumption(fromMs: timeline.positionMs) }
        guard timeline.state == .paused else { return resumption.pausedAtMs = nil }
        if before.state != .paused, isSpoken { resumption.pausedAtMs = now.steadyMs }
    }
}
