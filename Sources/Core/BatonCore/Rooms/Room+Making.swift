/// Entries whose pieces are still being generated. At their turn they are skipped, waited for or preceded by a filler, and they play once they are
/// ready.

/// An entry whose turn came before its piece was generated.
package struct MakingWait: Equatable, Sendable {
    /// The entry whose turn it is.
    package let entry: EntryID
    /// The time on the hub's clock at which the entry is skipped.
    package let untilUs: Microseconds
    /// The item that is to play before the entry, and is being looked up.
    package let filler: ItemURI?
}

extension QueueEntry {
    /// True when there is something to play; a piece that is being generated has no length yet. A piece that could not be generated has a problem: it
    /// is tried at its turn, and fails like any other entry.
    package var isMade: Bool { tags.kind != .generation || tags.durationMs != nil || problem != nil }
}

extension Room {
    /// Time limit for a piece while something else could be played.
    package static let waitUs: Microseconds = 20_000_000
    /// Time limit for a piece when nothing else is left.
    package static let lastWaitUs: Microseconds = 600_000_000
    /// Number of played pieces of endless music, and of fillers, that stay before the current entry for people who go back.
    package static let heardKept = 3
    /// Limit of the search for a ready entry; a hub never generates this many pieces at once.
    private static let mostPassed = 64

    /// The piece that the room waits for now.
    package var wait: MakingWait? {
        guard let awaited, awaited.entry == timeline.entry, timeline.state == .buffering, loaded == nil else { return nil }
        return awaited
    }

    // MARK: Steps

    /// The step `count` entries ahead. Where the room skips unfinished pieces, or `skipping` says so, it leads to the first ready entry behind that;
    /// where there is none, to the unfinished one.
    func madeStep(ahead count: Int, skipping: Bool = false) -> Step? {
        guard let first = step(ahead: count), skipping || modes.unfinished == .skip, !first.entry.isMade else { return step(ahead: count) }
        var passed = [first.entry.id]
        for more in 1..<min(Self.mostPassed, max(2, queue.count)) {
            guard var next = step(ahead: count.plus(more)) else { break }
            if next.entry.isMade {
                next.passed = passed
                return next
            }
            passed.append(next.entry.id)
        }
        return first
    }

    mutating func moveBehindCurrent(_ passed: [EntryID], into outcome: inout Outcome) {
        guard !passed.isEmpty, let current = queue.current, let moves = try? queue.move(passed, to: .after(current)) else { return }
        outcome.changes += moves
        outcome.touched.insert(.queue)
    }

    // MARK: Waiting

    /// Waits instead of loading the entry. A paused room begins to wait when it is played.
    mutating func beginWait(for item: QueueEntry, paused: Bool, at now: Moment) -> Outcome {
        var outcome = Outcome()
        unload(into: &outcome)
        draw(paused ? .paused : .buffering, fromMs: 0, at: now)
        outcome.touched = [.now, .timeline]
        guard !paused else { return outcome }
        let isLast = madeStep(ahead: 1, skipping: true)?.entry.isMade != true
        awaited = MakingWait(
            entry: item.id, untilUs: now.us + (isLast ? Self.lastWaitUs : Self.waitUs),
            // After a filler failed, none is tried until something else has played.
            filler: failures + passed == 0 ? modes.unfinished.filler : nil)
        problem = "Waits for “\(item.tags.title)”, which is being made."
        outcome.touched.insert(.room)
        return outcome
    }

    mutating func endWait(into outcome: inout Outcome) {
        guard wait != nil else { return }
        awaited = nil
        problem = nil
        outcome.touched.insert(.room)
    }

    /// Applies a changed rule for unfinished pieces to the current wait.
    mutating func waitAnew(into outcome: inout Outcome, at now: Moment) {
        if let entry = wait?.entry { outcome.add(start(entry, fromMs: 0, at: now)) }
    }

    /// Called by the owner of the room when the time of `wait` has come.
    package mutating func endWaiting(at now: Moment) -> Outcome {
        guard let wait, now.us >= wait.untilUs else { return .noop(.same) }
        return passOver(wait.entry, "It is not finished yet.", at: now)
    }

    /// Goes on to the next ready entry; the unfinished entry moves behind that.
    private mutating func passOver(_ entry: EntryID, _ reason: String, at now: Moment) -> Outcome {
        var outcome = Outcome()
        endWait(into: &outcome)
        let title = queue.currentEntry?.tags.title ?? ""
        guard !repeatsCurrent, var step = madeStep(ahead: 1, skipping: true), step.entry.isMade, step.entry.id != entry else {
            problem = "Stopped before “\(title)”. \(reason)"
            halt(at: now, into: &outcome)
            return outcome
        }
        if queue.currentEntry?.isMade == false { step.passed.insert(entry, at: 0) }
        problem = "“\(title)” was passed over. \(reason)"
        skipped = entry
        outcome.add(go(step, at: now))
        return outcome
    }

    /// Inserts the item that was found for `wait.filler` before the entry and plays it.
    package mutating func fill(_ item: NewEntry, before entry: EntryID, at now: Moment, numbers: inout EntryNumbers) throws(Refusal)
        -> Outcome
    {
        guard wait?.entry == entry, wait?.filler != nil, let index = queue.currentIndex else { return .noop(.moved) }
        var next = numbers
        let filler = entries(of: [item], by: nil, at: now, numbers: &next)
        var outcome = Outcome()
        let anchor = index > 0 ? queue.entries[index - 1].id : nil
        let heard = queue.entries[..<index].map(\.id).filter(fillers.contains)
        outcome.changes = try queue.insert(filler, at: .after(anchor))
        outcome.changes += leave(heard, keeping: Self.heardKept - 1)
        fillers = fillers.filter(queue.contains) + filler.map(\.id)
        numbers = next
        outcome.touched = [.queue]
        endWait(into: &outcome)
        makeCurrent(filler[0].id, into: &outcome)
        outcome.add(start(filler[0].id, fromMs: 0, at: now))
        return outcome
    }

    // MARK: What was heard

    /// Appends the next piece of endless music, and removes the oldest pieces that have played.
    package mutating func append(
        _ piece: NewEntry, retiring isHeard: (QueueEntry) -> Bool, at now: Moment, numbers: inout EntryNumbers
    ) throws(Refusal) -> Outcome {
        var outcome = try apply(.add([piece], at: .end), at: now, numbers: &numbers)
        let heard = queue.entries.prefix(queue.currentIndex ?? 0).filter(isHeard).map(\.id)
        outcome.changes += leave(heard, keeping: Self.heardKept)
        return outcome
    }

    /// Removes these played entries except the newest `count`.
    private mutating func leave(_ heard: [EntryID], keeping count: Int) -> [QueueChange] {
        let gone = Array(heard.dropLast(count))
        guard !gone.isEmpty else { return [] }
        return queue.remove(gone).changes + [.forgotten(gone)]
    }

    // MARK: What becomes of pieces

    /// Updates the tags of a queued item, as when a piece is ready. A room that waits for it plays it.
    package mutating func describe(_ uri: ItemURI, _ tags: Tags, at now: Moment) -> Outcome {
        var outcome = Outcome()
        let isAwaited = wait != nil && currentEntry?.uri == uri
        for entry in queue.entries where entry.uri == uri {
            if let change = queue.describe(entry.id, tags, format: entry.format) { outcome.changes.append(change) }
            outcome.touched.formUnion(entry.id == queue.current ? [.now, .queue, .timeline] : [.queue])
        }
        if isAwaited, let current = queue.current { outcome.add(start(current, fromMs: timeline.positionMs, at: now)) }
        settleFollower(into: &outcome)
        return outcome
    }

    /// Notes why the piece could not be generated; without a reason it is being generated again.
    package mutating func note(_ uri: ItemURI, _ reason: String?, at now: Moment) -> Outcome {
        var outcome = Outcome.noop(.same)
        for entry in queue.entries where entry.uri == uri && entry.tags.durationMs == nil && queue.note(reason, on: entry.id) {
            outcome = Outcome()
            if entry.id == queue.current { outcome.touched.insert(.now) }
        }
        guard outcome.status == .applied else { return outcome }
        if let reason, let wait, currentEntry?.uri == uri { outcome.add(passOver(wait.entry, reason, at: now)) }
        settleFollower(into: &outcome)
        return outcome
    }
}
