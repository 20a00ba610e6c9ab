import BatonCore
import BatonKernel

/// Decides what the encoder of a stream gets next.
///
/// A value. A stream runs on its own clock and follows its room: another entry or a seek is followed at once, and what a room does by itself is foreseen,
/// so that no silence comes between two tracks. Small differences are left alone, since each correction is heard.
struct StreamPlan {
    /// What the room does at the moment.
    struct Sight: Equatable {
        var entry: EntryID?
        var positionMs = 0
        /// `nil` while the length is not known.
        var durationMs: Int?
        /// Permille of normal speed.
        var speed = 1000
        var isPlaying = false
        /// A station: it is heard as it comes, whatever the position says.
        var isLive = false
        /// What the room plays when the entry has ended.
        package var next: EntryID?
    }

    enum Step: Equatable {
        /// The source that the encoder has.
        case goOn
        /// Silence, while the source stays where it is.
        case silence
        /// `isAhead` when the room is not there yet.
        case begin(EntryID, fromMs: Int, isAhead: Bool)
    }

    /// What the encoder has, or was to get; `nil` before the first entry.
    private(set) var entry: EntryID?
    private(set) var atMs = 0
    private var hasEnded = false
    /// The room is still at the entry before.
    private var isAhead = false
    /// The entry has no sound that could be encoded.
    private var isMute = false

    /// A stream is encoded so far ahead of its room.
    static let leadMs = 2_000
    /// Further off than this it is put right.
    static let toleranceMs = 6_000
    /// A track that has just begun is heard from its beginning.
    static let freshMs = 3_000

    mutating func step(_ sight: Sight) -> Step {
        guard let current = sight.entry, sight.isPlaying else { return .silence }
        let wantedMs = sight.positionMs + Self.leadMs
        if isAhead { return stepAhead(sight, current, wantedMs) }
        guard current == entry else {
            return .begin(current, fromMs: sight.positionMs < Self.freshMs ? 0 : wantedMs, isAhead: false)
        }
        if isMute { return .silence }
        let isOff = !sight.isLive && sight.speed == 1000 && abs(atMs - wantedMs) > Self.toleranceMs
        if hasEnded {
            // The room has gone back in the same entry, or repeats it.
            if isOff, !isNearEnd(sight) { return .begin(current, fromMs: wantedMs, isAhead: false) }
            guard let next = sight.next, isNearEnd(sight) else { return .silence }
            return .begin(next, fromMs: 0, isAhead: true)
        }
        return isOff ? .begin(current, fromMs: wantedMs, isAhead: false) : .goOn
    }

    private mutating func stepAhead(_ sight: Sight, _ current: EntryID, _ wantedMs: Int) -> Step {
        // An entry that follows itself has begun anew once its position is small.
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

    /// Of an entry without a length the encoder's own end is believed.
    func isNearEnd(_ sight: Sight) -> Bool {
        guard let durationMs = sight.durationMs else { return true }
        return durationMs - sight.positionMs < Self.toleranceMs
    }

    /// The encoder gets this.
    package mutating func begin(_ entry: EntryID, fromMs: Int, isAhead: Bool) {
        (self.entry, atMs, self.isAhead) = (entry, fromMs, isAhead)
        (hasEnded, isMute) = (false, false)
    }

    mutating func mute() { isMute = true }

    package mutating func note(atMs: Int, hasEnded: Bool) {
        self.atMs = atMs
        self.hasEnded = hasEnded
    }

    /// The encoder was lost, and what follows it has nothing.
    mutating func startOver() { self = StreamPlan() }
}
