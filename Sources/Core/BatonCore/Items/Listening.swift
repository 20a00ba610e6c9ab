/// How long the current entry has been heard, and when that counts as having played it.
///
/// It counts once half of it was heard, or four minutes, whichever is less; what was skipped over was
/// not heard, and what is heard again from its beginning may count again. No timer counts seconds: the
/// room's line says how far it got between two looks.
package struct Listening: Equatable, Sendable {
    private var entry: QueueEntry?
    private var line = Timeline.stopped
    private var lookedUs: Int64 = 0
    /// Nanoseconds of the sound. A rate in permille has no smaller part in a microsecond, so no look cuts anything off.
    private var heardNs: Int64 = 0
    private var isCounted = false
    private var beganUs: Int64 = 0
    /// It plays, and that was not taken note of yet.
    private var hasJustBegun = false
    private var wasSaid = false
    /// When the entry began that was given last.
    package private(set) var playedSinceUs: Int64 = 0

    /// No item needs more than this.
    package static let enoughMs = 240_000
    /// A position before this counts as a new beginning.
    private static let beginningMs = 3000

    package init() {}

    /// Takes the room as it is now. Gives the entry that has just come to count.
    package mutating func look(at room: Room, now: Moment) -> QueueEntry? {
        heardNs = heardNs.plus(movedNs(until: now.us))
        lookedUs = now.us
        let played = isEnough ? entry : nil
        if played != nil {
            isCounted = true
            playedSinceUs = beganUs
        }
        let current = room.currentEntry
        if current?.id != entry?.id || hasBegunAgain(room.timeline, now) {
            heardNs = 0
            isCounted = false
            wasSaid = false
        }
        entry = current
        line = room.timeline
        guard line.state == .playing, current != nil else { return played }
        if !wasSaid {
            beganUs = now.us
            wasSaid = true
            hasJustBegun = true
        }
        return played
    }

    /// The entry that has begun to play since the last time.
    package mutating func takeBegun() -> QueueEntry? {
        defer { hasJustBegun = false }
        return hasJustBegun ? entry : nil
    }

    /// When it will count if nothing happens until then.
    package var dueUs: Int64? {
        guard entry != nil, !isCounted, line.state == .playing, line.rate > 0 else { return nil }
        let leftNs = max(0, thresholdNs.minus(heardNs))
        // Rounded up, so that it has come by then.
        return max(lookedUs, line.atUs) + (leftNs + Int64(line.rate) - 1) / Int64(line.rate)
    }

    private var thresholdNs: Int64 {
        Int64(min(Self.enoughMs, (entry?.tags.durationMs).map { $0 / 2 } ?? Self.enoughMs)).times(1_000_000)
    }

    private var isEnough: Bool { entry != nil && !isCounted && heardNs > 0 && heardNs >= thresholdNs }

    /// The length of sound that was played: twice as much at double speed. A rate is in permille, so its product with microseconds is exact.
    private func movedNs(until nowUs: Int64) -> Int64 {
        guard line.state == .playing, line.rate > 0 else { return 0 }
        return max(0, nowUs - max(lookedUs, line.atUs)).times(Int64(line.rate))
    }

    private func hasBegunAgain(_ new: Timeline, _ now: Moment) -> Bool {
        guard isCounted, new.entry == line.entry else { return false }
        let before = line.positionMs(atUs: now.us)
        return new.positionMs(atUs: now.us) < Self.beginningMs && before > Self.beginningMs * 2
    }
}
