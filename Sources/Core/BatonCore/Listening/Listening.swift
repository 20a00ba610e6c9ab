/// Measures how long the current entry has been heard, and decides when it counts as played.
///
/// It counts after half of it or four minutes, whichever is less. Skipped parts do not count; hearing the entry from its beginning again may count
/// again. No timer counts seconds: the room's line says how far it got between two looks.
package struct Listening: Equatable, Sendable {
    private var entry: QueueEntry?
    private var line = Timeline.stopped
    private var lookedUs: Microseconds = 0
    /// Nanoseconds of sound. Permille of a microsecond are whole nanoseconds, so nothing is rounded off.
    private var heardNs: Int64 = 0
    private var isCounted = false
    private var beganUs: Microseconds = 0
    /// True when the entry has begun to play and `takeBegun` has not returned it yet.
    private var hasJustBegun = false
    private var wasSaid = false
    /// The time at which the last counted entry began.
    package private(set) var playedSinceUs: Microseconds = 0

    /// The longest listening time that any item needs.
    package static let enoughMs: Milliseconds = 240_000
    /// A position before this counts as a new beginning.
    private static let beginningMs: Milliseconds = 3000

    /// A measurement of a room that has played nothing.
    package init() {}

    /// Compares with the current entry and the line of a room, which is not passed as a whole, since that would copy it. Returns the entry that has
    /// just begun to count as played.
    package mutating func look(at current: QueueEntry?, on new: Timeline, now: Moment) -> QueueEntry? {
        heardNs = heardNs.plus(movedNs(until: now.us))
        lookedUs = now.us
        let played = isEnough ? entry : nil
        if played != nil {
            isCounted = true
            playedSinceUs = beganUs
        }
        if current?.id != entry?.id || hasBegunAgain(new, now) {
            heardNs = 0
            isCounted = false
            wasSaid = false
        }
        entry = current
        line = new
        guard line.state == .playing, current != nil else { return played }
        if !wasSaid {
            beganUs = now.us
            wasSaid = true
            hasJustBegun = true
        }
        return played
    }

    /// The entry that has begun to play since the last call.
    package mutating func takeBegun() -> QueueEntry? {
        defer { hasJustBegun = false }
        return hasJustBegun ? entry : nil
    }

    /// The time at which it will count if nothing happens until then.
    package var dueUs: Microseconds? {
        guard entry != nil, !isCounted, line.state == .playing, line.rate > 0 else { return nil }
        let leftNs = max(0, thresholdNs.minus(heardNs))
        // Rounded up, so that the threshold is reached by then.
        let leftUs = Microseconds((leftNs + Int64(line.rate) - 1) / Int64(line.rate))
        return max(lookedUs, line.atUs) + leftUs
    }

    private var thresholdNs: Int64 {
        let halfMs: Milliseconds? = (entry?.tags.durationMs).map { $0 / 2 }
        return min(Self.enoughMs, halfMs ?? Self.enoughMs).count.times(1_000_000)
    }

    private var isEnough: Bool { entry != nil && !isCounted && heardNs > 0 && heardNs >= thresholdNs }

    /// The length of sound that was played: twice as much at double speed. Permille times microseconds are whole nanoseconds, so this is exact.
    private func movedNs(until nowUs: Microseconds) -> Int64 {
        guard line.state == .playing, line.rate > 0 else { return 0 }
        return max(0, nowUs - max(lookedUs, line.atUs)).count.times(Int64(line.rate))
    }

    private func hasBegunAgain(_ new: Timeline, _ now: Moment) -> Bool {
        guard isCounted, new.entry == line.entry else { return false }
        let before = line.positionMs(atUs: now.us)
        return new.positionMs(atUs: now.us) < Self.beginningMs && before > Self.beginningMs * 2
    }
}
