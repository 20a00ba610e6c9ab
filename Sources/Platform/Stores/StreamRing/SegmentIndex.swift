/// The position of each stretch of sound on disk, its reception time, and its titles. A value, which the owner of the past guards. A stretch
/// has some 8 KiB, so two hours at 128 kbit/s take half a MiB here.
import BatonCore
import BatonSeams

struct SegmentIndex {
    struct Stretch: Equatable {
        var at: Int64
        var count: Int32
        /// The checksum from its record, until it was compared with the sound; `nil` if this run wrote it.
        var sum: UInt32?
        /// The first position of its segment.
        var segment: Int64
        /// Offset of its sound in the segment.
        var offset: Int64
        var timeMs: Milliseconds

        var end: Int64 { at + Int64(count) }
    }

    private(set) var stretches: [Stretch] = []
    private(set) var titles: [StreamTitle] = []
    private var entries: [(at: Int64, head: [UInt8])] = []

    /// Delay after the previous sound above which there is a gap.
    private static let gapMs: Milliseconds = 5000
    private static let mostTitles = 4096
    private static let mostEntries = 8192

    var positions: Range<Int64> { (stretches.first?.at ?? 0)..<(stretches.last?.end ?? 0) }

    mutating func add(_ stretch: Stretch) { stretches.append(stretch) }

    /// Records the result of a checksum. A damaged stretch is removed, which leaves a gap.
    mutating func checked(_ stretch: Stretch, isWhole: Bool) {
        let found = stretches.firstPlace { $0.end > stretch.at }
        guard found < stretches.count, stretches[found] == stretch else { return }
        if isWhole { stretches[found].sum = nil } else { stretches.remove(at: found) }
    }

    mutating func add(_ title: StreamTitle) {
        guard titles.last?.text != title.text else { return }
        titles.append(title)
        if titles.count > Self.mostTitles { titles.removeFirst(Self.mostTitles / 4) }
    }

    mutating func addEntry(at position: Int64, head: [UInt8]) {
        // Equal heads share their bytes; in a segment, a repeated head is written as empty.
        let last = entries.last?.head
        entries.append((position, head.isEmpty || last == head ? last ?? head : head))
        if entries.count > Self.mostEntries { entries.removeFirst(Self.mostEntries / 4) }
    }

    /// Segments whose newest sound was received before this time. The last segment may still be written.
    func segments(before timeMs: Milliseconds) -> [Int64] {
        var newest: [Int64: Milliseconds] = [:]
        for stretch in stretches { newest[stretch.segment] = max(newest[stretch.segment] ?? 0, stretch.timeMs) }
        return newest.filter { $0.value < timeMs && $0.key != stretches.last?.segment }.keys.sorted()
    }

    /// Removes the stretches of a deleted segment, and everything before the rest.
    mutating func drop(segment: Int64) {
        stretches.removeAll { $0.segment == segment }
        let start = positions.lowerBound
        // The last title before the rest applies at its beginning.
        if let first = titles.lastIndex(where: { $0.at <= start }), first > 0 { titles.removeFirst(first) }
        entries.removeAll { $0.at < start }
    }

    /// The first stretch that ends after this position.
    func stretch(at position: Int64) -> Stretch? {
        let found = stretches.firstPlace { $0.end > position }
        return found < stretches.count ? stretches[found] : nil
    }

    func timeMs(at position: Int64) -> Milliseconds? {
        guard let stretch = stretch(at: position), position >= stretch.at else { return nil }
        return stretch.timeMs
    }

    func title(at position: Int64) -> String? { titles.last { $0.at <= position }?.text }

    func nextTitle(after position: Int64) -> Int64? { titles.first { $0.at > position }?.at }

    /// The first position that was received at this time or later, at which a decoder may start; `nil` after the end.
    func entry(atMs timeMs: Milliseconds) -> (at: Int64, head: [UInt8])? {
        let found = stretches.firstPlace { $0.timeMs >= timeMs }
        guard found < stretches.count else { return nil }
        return entry(from: stretches[found].at)
    }

    func entry(from position: Int64) -> (at: Int64, head: [UInt8])? {
        guard !entries.isEmpty else { return stretch(at: position).map { (max(position, $0.at), []) } }
        let entry = entries.firstPlace { $0.at >= position }
        return entry < entries.count ? entries[entry] : nil
    }

    func gaps() -> [StreamGap] {
        zip(stretches, stretches.dropFirst()).compactMap { before, after in
            guard after.at != before.end || after.timeMs - before.timeMs > Self.gapMs else { return nil }
            return StreamGap(at: after.at, timesMs: min(before.timeMs, after.timeMs)..<after.timeMs)
        }
    }
}

extension Array {
    /// The index of the first element that fulfils the condition, if all later ones do too.
    fileprivate func firstPlace(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
