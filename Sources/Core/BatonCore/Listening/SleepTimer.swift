/// What a sleep timer waits for.
public enum SleepEnd: String, Sendable, CaseIterable {
    /// So much listening.
    case time
    /// The end of a track or of a chapter, this one or one of the next.
    case track, chapter
    /// The end of the last entry.
    case queue
}

/// A sleep timer as it is asked for, and as it is kept.
public struct SleepWish: Equatable, Sendable {
    public var end: SleepEnd
    /// Milliseconds of listening for `time`; how many ends for `track` and `chapter`; nothing for `queue`.
    public var amount: Int
    /// How long the sound grows quieter before the end; 0 is not at all.
    public var fadeMs: Int

    public init(_ end: SleepEnd, amount: Int = 1, fadeMs: Int = 0) {
        self.end = end
        self.amount = amount
        self.fadeMs = fadeMs
    }

    package static let timeRange = 1000...86_400_000
    package static let countRange = 1...1000
    package static let fadeRange = 0...120_000
}

/// A room's sleep timer while it runs.
///
/// A value. It counts listening: while the room is paused or waits for data, the time that is left stays. Where an end was asked for,
/// the ends that are still to come are counted from `anchorMs`, so that a seek counts anew from where it led.
package struct SleepTimer: Equatable, Sendable {
    package let end: SleepEnd
    /// For `track` and `chapter`: how many ends are still to come behind `anchorMs`. The last of them is where the room falls silent.
    package internal(set) var count: Int
    /// The position in the current entry from which `count` counts.
    var anchorMs: Int
    package let fadeMs: Int
    /// What is left, as it is shown.
    package internal(set) var line: Line
    /// Where the sound began to grow quieter, while it does.
    package internal(set) var fadedFromMs: Int?

    /// The time that is left, as a line in the hub's monotonic time.
    package struct Line: Equatable, Sendable {
        /// `nil` while it is not known, as of an entry without a length.
        package var leftMs: Int?
        package var atUs: Int64
        /// Permille: 1000 while it grows less, 0 while it stays.
        package var rate: Int

        package func leftMs(atUs nowUs: Int64) -> Int? {
            leftMs.map { max(0, $0.minus(Int(max(0, nowUs.minus(atUs)) / 1000).times(rate) / 1000)) }
        }
    }

    /// A press during the fade gives so much more listening, or one more end.
    package static let extensionMs = 600_000
    /// A line that is shown is drawn anew when it is further off than this.
    static let toleranceMs = 1000

    init(_ wish: SleepWish, anchorMs: Int, at now: Moment) {
        end = wish.end
        count = wish.end == .track || wish.end == .chapter ? max(1, wish.amount) : 1
        self.anchorMs = anchorMs
        fadeMs = wish.fadeMs
        line = Line(leftMs: wish.end == .time ? wish.amount : nil, atUs: now.us, rate: 0)
    }

    /// As it is kept.
    package func wish(at now: Moment) -> SleepWish {
        SleepWish(end, amount: end == .time ? line.leftMs(atUs: now.us) ?? 0 : count, fadeMs: fadeMs)
    }

    /// So many ends were passed by listening. The last one is never passed: a room falls silent there.
    mutating func pass(_ ends: Int) { count = max(1, count - ends) }

    /// A person has pressed something while the sound was growing quieter.
    mutating func extend(at now: Moment) {
        fadedFromMs = nil
        if end == .time { line = Line(leftMs: Self.extensionMs, atUs: now.us, rate: line.rate) } else { count += 1 }
    }
}
