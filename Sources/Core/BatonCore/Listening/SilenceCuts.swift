/// The silences that are cut out of an item, and the conversion between positions with and without them.
///
/// A value. Positions that people and clients see count the whole item; a player counts the shortened one. A margin of each silence stays on both
/// sides, so that no breath and no soft consonant is cut off, and sentences do not run into each other.
package struct SilenceCuts: Equatable, Sendable {
    /// The cuts in milliseconds of the whole item.
    package let cuts: [Range<Milliseconds>]
    /// Total length of the earlier cuts, for each cut.
    private let removed: [Milliseconds]

    /// A shorter silence is not cut.
    package static let leastMs: Milliseconds = 700
    /// The part of a silence that stays on each side.
    package static let marginMs: Milliseconds = 250
    /// Silences this close to each other are merged, because files are analysed in pieces.
    private static let jointMs: Milliseconds = 20

    /// Makes the cuts of silences that are in the order of the item.
    package init(silences: [Range<Milliseconds>]) {
        var merged: [Range<Milliseconds>] = []
        for silence in silences where !silence.isEmpty {
            if let last = merged.last, silence.lowerBound.minus(last.upperBound) <= Self.jointMs {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, silence.upperBound)
            } else {
                merged.append(silence)
            }
        }
        cuts = merged.filter { $0.length >= Self.leastMs }.map { $0.lowerBound + Self.marginMs..<$0.upperBound - Self.marginMs }
        var sum: Milliseconds = 0
        removed = cuts.map { cut in
            defer { sum += cut.length }
            return sum
        }
    }

    /// True when nothing is cut, because no silence is long enough.
    package var isEmpty: Bool { cuts.isEmpty }
    /// Total length of the cuts.
    package var removedMs: Milliseconds { (removed.last ?? 0) + (cuts.last?.length ?? 0) }

    /// The position in the shortened item; a position inside a cut becomes its begin.
    package func leftUs(ofItemUs us: Microseconds) -> Microseconds {
        let index = first { Microseconds(cuts[$0].lowerBound) > us } - 1
        guard index >= 0 else { return us }
        let cut = cuts[index]
        let isInside = us < Microseconds(cut.upperBound)
        return (isInside ? Microseconds(cut.lowerBound) : us.minus(Microseconds(cut.length))) - Microseconds(removed[index])
    }

    /// The position in the whole item; at a cut, the one behind it.
    package func itemUs(ofLeftUs us: Microseconds) -> Microseconds {
        let index = first { Microseconds(cuts[$0].lowerBound - removed[$0]) > us } - 1
        guard index >= 0 else { return us }
        return us.plus(Microseconds(removed[index] + cuts[index].length))
    }

    /// The position in the shortened item, rounded down to milliseconds.
    package func leftMs(ofItemMs ms: Milliseconds) -> Milliseconds { Milliseconds(leftUs(ofItemUs: Microseconds(ms))) }

    /// The index of the first cut that meets a condition which then holds for all later ones.
    private func first(where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, cuts.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Range<Milliseconds> {
    fileprivate var length: Milliseconds { upperBound - lowerBound }
}

extension Room {
    /// Notes that the source plays an entry without its silences, or with them (`nil`).
    package mutating func setCuts(_ cuts: SilenceCuts?, of entry: EntryID) {
        leftOut = leftOut.filter { $0.key == queue.current }
        leftOut[entry] = cuts
    }

    /// The length of sound between two positions of the current entry, without cuts.
    func heardMs(from start: Milliseconds, to end: Milliseconds) -> Milliseconds {
        guard let cuts = queue.current.flatMap({ leftOut[$0] }) else { return end.minus(start) }
        return cuts.leftMs(ofItemMs: end).minus(cuts.leftMs(ofItemMs: start))
    }

    /// True when an entry is loaded and has begun.
    package var isReopenable: Bool {
        loaded != nil && loaded == queue.current && !isLoading && (isPlaying || timeline.state == .paused)
    }

    /// Loads the entry again at its position, because its source has another form of it.
    package mutating func reopen(at now: Moment) -> Outcome {
        guard isReopenable, let entry = loaded else { return .noop(.same) }
        var outcome = start(entry, fromMs: positionMs(at: now), paused: timeline.state == .paused, at: now)
        settleSleep(since: sleepView(at: now), isPress: false, into: &outcome, at: now)
        return outcome
    }
}
