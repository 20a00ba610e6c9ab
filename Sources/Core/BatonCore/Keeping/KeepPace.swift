/// The rate limit for fetching tracks to keep, for all of them together.
///
/// A value. Each chunk books its share of time after the one before, and the next chunk may come when that time is over. Idle time is not made up
/// for, so a slow phase does not cause a faster one.
package struct KeepPace: Sendable {
    /// Bytes per second; 0 for no limit.
    package var bytesPerSecond: Int64
    private var bookedUs = Microseconds.min / 2

    /// A pace with nothing booked, so the first chunk may come at once.
    package init(bytesPerSecond: Int64 = 0) { self.bytesPerSecond = bytesPerSecond }

    /// Books the time for a chunk that began at `sinceUs`, and returns when the next one may come.
    package mutating func book(_ bytes: Int64, sinceUs: Microseconds) -> Microseconds {
        guard bytesPerSecond > 0, bytes > 0 else { return sinceUs }
        let (rest, whole) = ((bytes % bytesPerSecond), bytes / bytesPerSecond)
        let part = Microseconds(Double(rest) / Double(bytesPerSecond) * 1_000_000)
        bookedUs = max(bookedUs, sinceUs) + Microseconds(whole * 1_000_000) + part
        return bookedUs
    }
}
