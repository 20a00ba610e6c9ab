import BatonCore
import BatonKernel

/// Decides the next source for the encoder of a stream.
///
/// A value. A stream runs on its own clock and follows its room. Another entry or a seek is followed at once, and the end of
/// an entry is predicted, so that there is no silence between two tracks. Small differences are ignored, since each
/// correction is audible.
struct StreamPlan {
    /// The current state of the room.
    struct Sight: Equatable {
        var entry: EntryID?
        var positionMs: Milliseconds = 0
        /// The length; `nil` while it is unknown.
        var durationMs: Milliseconds?
        /// Speed in permille of normal.
        var speed = 1000
        var isPlaying = false
        /// True for a station, which is played live at any position.
        var isLive = false
        /// The entry that plays when this one has ended.
        var next: EntryID?
    }

    enum Step: Equatable {
        /// The encoder continues its source.
        case goOn
        /// Silence, while the source keeps its position.
        case silence
        /// A new source. `isAhead` is true when the room has not reached it yet.
        case begin(EntryID, fromMs: Milliseconds, isAhead: Bool)
    }

    /// The encoder's current or ordered entry; `nil` before the first one.
    private(set) var entry: EntryID?
    private(set) var atMs: Milliseconds = 0
    private var hasEnded = false
    /// True while the room is still at the previous entry.
    private var isAhead = false
    /// True when the entry has no decodable sound.
    private var isMute = false

    /// Time by which a stream is ahead of its room.
    static let leadMs: Milliseconds = 2_000
    /// Difference above which the stream is corrected.
    static let toleranceMs: Milliseconds = 6_000
    /// Position up to which a new track starts from its beginning.
    static let freshMs: Milliseconds = 3_000

    mutating func step(_ sight: Sight) -> Step {
        guard let current = sight.entry, sight.isPlaying else { return .silence }
        let wantedMs = sight.positionMs + Self.leadMs
        if isAhead { return stepAhead(in: sight, after: current, wantedMs: wantedMs) }
        guard current == entry else {
            return .begin(current, fromMs: sight.positionMs < Self.freshMs ? 0 : wantedMs, isAhead: false)
        }
        if isMute { return .silence }
        let isOff = !sight.isLive && sight.speed == 1000 && (atMs - wantedMs).magnitude > Self.toleranceMs
        if hasEnded {
            // The room has gone back in the same entry, or repeats it.
            if isOff, !isNearEnd(sight) { return .begin(current, fromMs: wantedMs, isAhead: false) }
            guard let next = sight.next, isNearEnd(sight) else { return .silence }
            return .begin(next, fromMs: 0, isAhead: true)
        }
        return isOff ? .begin(current, fromMs: wantedMs, isAhead: false) : .goOn
    }

    private mutating func stepAhead(in sight: Sight, after current: EntryID, wantedMs: Milliseconds) -> Step {
        // An entry that follows itself has restarted once its position is small.
        let hasFollowed = current == entry && sight.positionMs < Self.toleranceMs
        if hasFollowed {
            isAhead = false
            return isMute || hasEnded ? .silence : .goOn
        }
        guard sight.next == entry, isNearEnd(sight) else {
            isAhead = false
            return .begin(current, fromMs: wantedMs, isAhead: false)
        }
        return isMute || hasEnded ? .silence : .goOn
    }

    /// True near the end of the entry. Without a length the encoder's own end decides.
    func isNearEnd(_ sight: Sight) -> Bool {
        guard let durationMs = sight.durationMs else { return true }
        return durationMs - sight.positionMs < Self.toleranceMs
    }

    /// Notes the source that the encoder gets.
    mutating func begin(_ entry: EntryID, fromMs: Milliseconds, isAhead: Bool) {
        (self.entry, atMs, self.isAhead) = (entry, fromMs, isAhead)
        (hasEnded, isMute) = (false, false)
    }

    mutating func mute() { isMute = true }

    mutating func note(atMs: Milliseconds, hasEnded: Bool) {
        self.atMs = atMs
        self.hasEnded = hasEnded
    }

    /// Resets the plan for a new encoder after the old one failed.
    mutating func startOver() { self = StreamPlan() }
}
