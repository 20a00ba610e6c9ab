/// The lead with which a track is started to be in step with a server's room: it is loaded paused at a position that the room reaches later, and
/// released at that moment. Both times are learned from earlier starts.
package struct StartLead: Equatable, Sendable {
    /// Time from the order until the track is ready to start.
    package private(set) var loadUs: Microseconds = 250_000
    /// Time from the release until the track is heard.
    package private(set) var soundUs: Microseconds = 0

    private static let loadRange: ClosedRange<Microseconds> = 120_000...3_000_000
    private static let soundRange: ClosedRange<Microseconds> = 0...500_000

    /// A lead that has learned nothing yet: a quarter of a second to load, and no delay of the sound.
    package init() {}

    /// The lead for the next start.
    package var leadUs: Microseconds { loadUs + loadUs / 3 + soundUs }

    /// Learns the time that a track took to load.
    package mutating func loaded(afterUs: Microseconds) {
        let bounded = Self.bounded(afterUs, Self.loadRange)
        // A longer time counts at once, a shorter one gradually.
        loadUs = bounded > loadUs ? bounded : loadUs - (loadUs - bounded) / 4
    }

    /// Learns from a track that was released in time and was heard this much behind its room (negative: ahead).
    package mutating func heard(behindMs: Double) {
        guard behindMs.isFinite, abs(behindMs) < 1000 else { return }
        soundUs = Self.bounded(soundUs + Microseconds(behindMs * 500), Self.soundRange)
    }

    private static func bounded(_ value: Microseconds, _ range: ClosedRange<Microseconds>) -> Microseconds {
        min(max(value, range.lowerBound), range.upperBound)
    }
}
