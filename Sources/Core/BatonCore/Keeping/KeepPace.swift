/// How fast tracks that are to be kept may come, all together.
///
/// A value. Each piece books its share of the time, one behind the other, and the next piece may come when the booked time is over. Time
/// in which nothing came is not made up for, so what was slow for a while does not hurry later.
package struct KeepPace: Sendable {
    /// 0: as fast as they come.
    package var bytesPerSecond: Int64
    private var bookedUs = Int64.min / 2

    package init(bytesPerSecond: Int64 = 0) { self.bytesPerSecond = bytesPerSecond }

    /// When the piece after this one may come; the time of this one began at `sinceUs`.
    package mutating func book(_ bytes: Int64, sinceUs: Int64) -> Int64 {
        guard bytesPerSecond > 0, bytes > 0 else { return sinceUs }
        let (rest, whole) = ((bytes % bytesPerSecond), bytes / bytesPerSecond)
        bookedUs = max(bookedUs, sinceUs) + whole * 1_000_000 + Int64(Double(rest) / Double(bytesPerSecond) * 1_000_000)
        return bookedUs
    }
}
