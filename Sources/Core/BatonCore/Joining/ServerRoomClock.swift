/// The position of a server's room on this machine's monotonic clock, from the server's messages.
///
/// A message arrives late, because of the network and the server, and never early. So among messages about the same playback the least late one is
/// the most exact, and a later one moves the line back only as fast as two clocks can drift apart. A larger difference is no delay: a person has
/// moved the position.
package struct ServerRoomClock: Equatable, Sendable {
    /// The moment at which the position was 0, or would have been.
    package private(set) var originUs: Double
    /// The position while the room is paused; `nil` while it plays.
    package private(set) var standingMs: Double?
    private var takenUs: Microseconds

    /// Maximum delay of a message.
    package static let mostLateUs = 400_000.0
    /// Twice the usual drift between two clocks.
    private static let driftPerUs = 200e-6
    /// Maximum length of a track.
    private static let mostMs = 366.0 * 86_400_000

    /// A line through the first message about a track. A position that is no number counts as 0.
    package init(positionMs: Double, isPaused: Bool, atUs: Microseconds) {
        let position = Self.bounded(positionMs)
        originUs = Double(atUs) - position * 1000
        standingMs = isPaused ? position : nil
        takenUs = atUs
    }

    /// Takes a later message about the same track. Returns true when the position was moved.
    package mutating func take(positionMs: Double, isPaused: Bool, atUs: Microseconds) -> Bool {
        let position = Self.bounded(positionMs)
        defer { takenUs = max(takenUs, atUs) }
        let candidate = Double(atUs) - position * 1000
        if isPaused {
            let before = self.positionMs(atUs: atUs)
            (standingMs, originUs) = (position, candidate)
            return abs(before - position) * 1000 > Self.mostLateUs
        }
        if let standing = standingMs {
            (standingMs, originUs) = (nil, candidate)
            return abs(standing - position) * 1000 > Self.mostLateUs
        }
        let later = candidate - originUs
        guard abs(later) <= Self.mostLateUs else {
            originUs = candidate
            return true
        }
        originUs += min(later, Self.driftPerUs * Double(max(0, atUs - takenUs)))
        return false
    }

    /// The position at a moment of this machine's clock, never below 0.
    package func positionMs(atUs: Microseconds) -> Double { standingMs ?? max(0, (Double(atUs) - originUs) / 1000) }

    /// The moment at which the room reaches this position.
    package func momentUs(ofMs position: Double) -> Microseconds { Microseconds(originUs + position * 1000) }

    private static func bounded(_ positionMs: Double) -> Double {
        positionMs.isFinite ? min(max(0, positionMs), mostMs) : 0
    }
}
