/// Which silences of an item are left out while it plays, and where a moment of the item is in what is left.
///
/// A value. Positions that people and clients see count the whole item; a player counts what is left of it. Of each pause a part stays at
/// both sides, so that no breath and no soft consonant is cut off, and sentences do not run into each other.
package struct SilenceCuts: Equatable, Sendable {
    /// In ms of the item.
    package let cuts: [Range<Int>]
    /// How much was left out before each of them.
    private let removed: [Int]

    /// A shorter silence stays as it is.
    package static let leastMs = 700
    /// So much of a silence stays at each of its sides.
    package static let marginMs = 250
    /// Pieces of a silence that are no further apart are one: files are looked through in pieces.
    private static let jointMs = 20

    /// `silences` in the order of the item.
    package init(silences: [Range<Int>]) {
        var merged: [Range<Int>] = []
        for silence in silences where !silence.isEmpty {
            if let last = merged.last, silence.lowerBound.minus(last.upperBound) <= Self.jointMs {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, silence.upperBound)
            } else {
                merged.append(silence)
            }
        }
        cuts = merged.filter { $0.count >= Self.leastMs }.map { $0.lowerBound + Self.marginMs..<$0.upperBound - Self.marginMs }
        var sum = 0
        removed = cuts.map { cut in
            defer { sum += cut.count }
            return sum
        }
    }

    package var isEmpty: Bool { cuts.isEmpty }
    package var removedMs: Int { (removed.last ?? 0) + (cuts.last?.count ?? 0) }

    /// Where a moment of the item is in what is left; one inside a cut is where that begins.
    package func leftUs(ofItemUs us: Int) -> Int {
        let index = first { cuts[$0].lowerBound * 1000 > us } - 1
        guard index >= 0 else { return us }
        let cut = cuts[index]
        return (us < cut.upperBound * 1000 ? cut.lowerBound * 1000 : us.minus(cut.count * 1000)) - removed[index] * 1000
    }

    /// Which moment of the item is heard there; where something was left out, the one behind it.
    package func itemUs(ofLeftUs us: Int) -> Int {
        let index = first { (cuts[$0].lowerBound - removed[$0]) * 1000 > us } - 1
        guard index >= 0 else { return us }
        return us.plus((removed[index] + cuts[index].count) * 1000)
    }

    package func leftMs(ofItemMs ms: Int) -> Int { leftUs(ofItemUs: ms.times(1000)) / 1000 }

    /// The index of the first cut for which this holds, as it then does for all behind it.
    private func first(where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, cuts.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Room {
    /// The source plays an entry without its silences, or with them again (`nil`).
    package mutating func setCuts(_ cuts: SilenceCuts?, of entry: EntryID) {
        leftOut = leftOut.filter { $0.key == queue.current }
        leftOut[entry] = cuts
    }

    /// What is heard between two positions of the current entry, in ms of the sound itself.
    func heardMs(from start: Int, to end: Int) -> Int {
        guard let cuts = queue.current.flatMap({ leftOut[$0] }) else { return end.minus(start) }
        return cuts.leftMs(ofItemMs: end).minus(cuts.leftMs(ofItemMs: start))
    }

    /// Whether something is loaded and has begun.
    package var isReopenable: Bool {
        loaded != nil && loaded == queue.current && !isLoading && (isPlaying || timeline.state == .paused)
    }

    /// What is loaded is there in another form now: it goes on from there where it is.
    package mutating func reopen(at now: Moment) -> Outcome {
        guard isReopenable, let entry = loaded else { return .noop(.same) }
        var outcome = start(entry, fromMs: positionMs(at: now), paused: timeline.state == .paused, at: now)
        settleSleep(since: sleepView(at: now), isPress: false, into: &outcome, at: now)
        return outcome
    }
}
