/// How far ahead of a server's room a track is begun, so that it sounds at its moment: it is loaded paused at a position that the
/// room reaches only then, and let go when it does. Both times are learned from the starts before.
package struct StartLead: Equatable, Sendable {
    /// From the order until the track could begin.
    package private(set) var loadUs: Int64 = 250_000
    /// From letting it go until it is heard.
    package private(set) var soundUs: Int64 = 0

    private static let loadRange: ClosedRange<Int64> = 120_000...3_000_000
    private static let soundRange: ClosedRange<Int64> = 0...500_000

    package init() {}

    /// How far ahead the next one begins.
    package var leadUs: Int64 { loadUs + loadUs / 3 + soundUs }

    /// A track was ready to begin so long after it was ordered.
    package mutating func loaded(afterUs: Int64) {
        let bounded = Self.bounded(afterUs, Self.loadRange)
        // A slow one is believed at once, a quick one by and by.
        loadUs = bounded > loadUs ? bounded : loadUs - (loadUs - bounded) / 4
    }

    /// A track that was let go in time was heard so much behind (negative: ahead of) its room.
    package mutating func heard(behindMs: Double) {
        guard behindMs.isFinite, abs(behindMs) < 1000 else { return }
        soundUs = Self.bounded(soundUs + Int64(behindMs * 500), Self.soundRange)
    }

    private static func bounded(_ value: Int64, _ range: ClosedRange<Int64>) -> Int64 {
        min(max(value, range.lowerBound), range.upperBound)
    }
}
