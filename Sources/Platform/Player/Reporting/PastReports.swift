import BatonCore
import BatonSeams

/// The age of a station's sound as it was reported last, and the measurements since then. A value; the time is an argument.
struct PastReports: Equatable {
    private static let betweenUs: Microseconds = 1_000_000
    private static let settledBetweenUs: Microseconds = 10_000_000
    private static let nearMs: Milliseconds = 5000
    private static let nearUs: Microseconds = 60_000_000
    /// Number of measurements that confirm a change, since bytes are read in large pieces.
    private static let enough = 3

    private var order: Int?
    private var askedUs = Microseconds.min / 2
    private(set) var ageMs: Milliseconds?
    private var oldestUs: Microseconds = 0
    /// Number of measurements in a row that differed.
    private var others = 0

    /// Whether a measurement is due, which then counts as begun. The age changes only with the movement, which starts another line; while one
    /// line holds, rare measurements suffice. For each one, libmpv returns the whole state of its cache.
    mutating func beginIfDue(of order: Int, atUs now: Microseconds, isSettled: Bool) -> Bool {
        if self.order != order {
            self = PastReports()
            self.order = order
        }
        guard now - askedUs >= (isSettled && ageMs != nil && others == 0 ? Self.settledBetweenUs : Self.betweenUs) else { return false }
        askedUs = now
        return true
    }

    /// Takes a measurement; true if it is to be reported.
    mutating func take(ageMs: Milliseconds, reachMs: Milliseconds, of order: Int, atUs now: Microseconds) -> Bool {
        guard self.order == order else { return false }
        let oldestUs = now - Microseconds(reachMs)
        let isNear = self.ageMs.map { ($0 - ageMs).magnitude < Self.nearMs } ?? false
        others = isNear ? 0 : others + 1
        guard self.ageMs == nil || others >= Self.enough || (oldestUs - self.oldestUs).magnitude > Self.nearUs else { return false }
        if !isNear { self.ageMs = ageMs }
        self.oldestUs = oldestUs
        others = 0
        return true
    }
}
