/// The kind of end that a sleep timer waits for.
public enum SleepEnd: String, Sendable, CaseIterable {
    /// An amount of listening.
    case time
    /// The end of a track or a chapter, the current one or a later one.
    case track, chapter
    /// The end of the last entry.
    case queue
}

/// A sleep timer as requested and as stored.
public struct SleepWish: Equatable, Sendable {
    /// The kind of end, which decides the meaning of `amount`.
    public var end: SleepEnd
    /// Milliseconds of listening for `time`; number of ends for `track` and `chapter`; unused for `queue`.
    public var amount: Int
    /// Length of the fade before the end; 0 turns it off.
    public var fadeMs: Milliseconds

    /// A wish; by default for the next end of its kind, and without a fade.
    public init(_ end: SleepEnd, amount: Int = 1, fadeMs: Milliseconds = 0) {
        self.end = end
        self.amount = amount
        self.fadeMs = fadeMs
    }

    /// Allowed amounts for `time`: a second to a day.
    package static let timeRange = 1000...86_400_000
    /// Allowed amounts for `track` and `chapter`.
    package static let countRange = 1...1000
    /// Allowed lengths of the fade.
    package static let fadeRange: ClosedRange<Milliseconds> = 0...120_000
}

/// The running sleep timer of a room.
///
/// A value. It counts listening: the remaining time stands still while the room is paused or buffers. Ends are counted from `anchorMs`, so that a
/// seek restarts the count at its target.
package struct SleepTimer: Equatable, Sendable {
    /// The kind of end that the room falls silent at.
    package let end: SleepEnd
    /// Number of ends still to come behind `anchorMs`, for `track` and `chapter`. The room falls silent at the last one.
    package internal(set) var count: Int
    /// The position in the current entry from which `count` counts.
    var anchorMs: Milliseconds
    /// Length of the fade before the end; 0 for none.
    package let fadeMs: Milliseconds
    /// The remaining time that clients see.
    package internal(set) var line: Line
    /// The position where the fade began; `nil` before it.
    package internal(set) var fadedFromMs: Milliseconds?

    /// The remaining time, as a line in the hub's monotonic time.
    package struct Line: Equatable, Sendable {
        /// The remaining time; `nil` while it is unknown, as for an entry without a length.
        package var leftMs: Milliseconds?
        /// The moment on the hub's clock at which `leftMs` was true.
        package var atUs: Microseconds
        /// Permille: 1000 while the time runs, 0 while it stands still.
        package var rate: Int

        /// The remaining time at a moment, never below 0.
        package func leftMs(atUs nowUs: Microseconds) -> Milliseconds? {
            leftMs.map { max(0, $0.minus(Milliseconds(max(0, nowUs.minus(atUs))).times(rate) / 1000)) }
        }
    }

    /// The additional listening time after a press during the fade; other timers get one more end.
    package static let extensionMs: Milliseconds = 600_000
    /// The shown line is replaced when it is off by more than this.
    static let toleranceMs: Milliseconds = 1000

    init(_ wish: SleepWish, anchorMs: Milliseconds, at now: Moment) {
        end = wish.end
        count = wish.end == .track || wish.end == .chapter ? max(1, wish.amount) : 1
        self.anchorMs = anchorMs
        fadeMs = wish.fadeMs
        line = Line(leftMs: wish.end == .time ? Milliseconds(wish.amount) : nil, atUs: now.us, rate: 0)
    }

    /// The timer in stored form.
    package func wish(at now: Moment) -> SleepWish {
        SleepWish(end, amount: end == .time ? Int(line.leftMs(atUs: now.us) ?? 0) : count, fadeMs: fadeMs)
    }

    /// Counts ends that were passed by listening. The last one is never passed, because the room falls silent there.
    mutating func pass(_ ends: Int) { count = max(1, count - ends) }

    /// Extends the timer because a person pressed a button during the fade.
    mutating func extend(at now: Moment) {
        fadedFromMs = nil
        if end == .time { line = Line(leftMs: Self.extensionMs, atUs: now.us, rate: line.rate) } else { count += 1 }
    }
}
