/// The chapters of the current entry: which one plays, and how a person gets to another.
extension Room {
    /// The number of the chapter that plays, from 0; `nil` where there are none.
    @inline(__always)
    package func chapterIndex(at now: Moment) -> Int? { chapters.index(atMs: positionMs(at: now)) }

    /// A chapter of the current entry by its index, from 0; `nil` where there is none.
    package func chapter(_ index: Int) -> Chapter? { chapters.chapter(index, durationMs: currentEntry?.tags.durationMs) }

    mutating func go(to target: ChapterTarget, _ entry: EntryID?, at now: Moment) throws(Refusal) -> Outcome {
        if let entry, entry != queue.current { return .noop(.moved) }
        guard let here = chapterIndex(at: now), let current = chapter(here) else {
            throw Refusal(.invalidState, "What plays has no chapters.")
        }
        let wanted: Int
        switch target {
        case .number(let number): wanted = number - 1
        case .by(let steps):
            // Like `previous` for entries, one step back goes to the beginning of this chapter, or within its first seconds to the chapter before.
            let isInside = steps < 0 && positionMs(at: now) - current.startMs > Self.chapterRestartMs
            wanted = here.plus(steps) + (isInside ? 1 : 0)
        }
        let index = max(0, min(wanted, chapters.count - 1))
        guard let chapter = chapter(index) else { return .noop(.same) }
        // After the last chapter there is nothing to go to.
        if wanted > index, index == here { return .noop(.ceiling) }
        var outcome = place(entry ?? queue.current!, toMs: chapter.startMs, at: now)
        outcome.reason = wanted < 0 ? .floor : wanted > index ? .ceiling : nil
        return outcome
    }

    private static let chapterRestartMs: Milliseconds = 3000

    // MARK: What is shown

    /// The chapter that clients were told.
    package var shownChapter: Int? { shown.entry == queue.current ? shown.index : nil }

    /// Notes which chapter plays after a step, and publishes it when it has changed.
    mutating func settleChapter(into outcome: inout Outcome, at now: Moment) {
        let heard = ShownChapter(entry: queue.current, index: chapterIndex(at: now), count: chapters.count)
        guard heard != shown else { return }
        let isNews = heard.index != nil || shown.index != nil
        shown = heard
        guard isNews else { return }
        if outcome.status == .noop { (outcome.status, outcome.reason) = (.applied, nil) }
        outcome.touched.insert(.book)
    }

    /// The time at which the next chapter begins, if nothing happens until then.
    package var chapterDueUs: Microseconds? {
        guard timeline.state == .playing, timeline.rate > 0, let index = shown.index, shown.entry == queue.current,
            let next = chapter(index + 1)
        else { return nil }
        // Rounded up to whole milliseconds, as positions are: a moment earlier the chapter before would still be current.
        let passedMs = (next.startMs.minus(timeline.positionMs).times(1000) + Milliseconds(timeline.rate) - 1) / timeline.rate
        return timeline.atUs + Microseconds(passedMs)
    }

    /// Called at `chapterDueUs`.
    package mutating func chapterIsDue(at now: Moment) -> Outcome {
        var outcome = Outcome.noop(.same)
        settleChapter(into: &outcome, at: now)
        return outcome
    }
}

/// The chapter that a person wants to go to.
package enum ChapterTarget: Equatable, Sendable {
    /// Counted from 1.
    case number(Int)
    /// Steps forward, or back where negative.
    case by(Int)
}

/// The chapter that clients were told.
struct ShownChapter: Equatable, Sendable {
    var entry: EntryID?
    var index: Int?
    var count = 0
}
