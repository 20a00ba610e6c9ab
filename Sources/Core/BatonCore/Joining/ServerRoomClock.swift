/// Where a room of another server is, on this machine's monotonic clock, as its messages tell.
///
/// A message is late, by the network and by what its server does meanwhile, and never early. So of several messages about the same
/// playing the one that was least late is nearest to the truth, and a later one moves the line back only as fast as two clocks can
/// drift apart. What is further off is no delay: somewhere a person has moved the position.
package struct ServerRoomClock: Equatable, Sendable {
    /// At this moment the position was 0, or would have been.
    package private(set) var originUs: Double
    /// While the room stands still.
    package private(set) var standingMs: Double?
    private var takenUs: Int64

    /// Later than this is no message.
    package static let mostLateUs = 400_000.0
    /// Twice what clocks may differ by.
    private static let driftPerUs = 200e-6
    /// No track is longer.
    private static let mostMs = 366.0 * 86_400_000

    package init(positionMs: Double, isPaused: Bool, atUs: Int64) {
        let position = Self.bounded(positionMs)
        originUs = Double(atUs) - position * 1000
        standingMs = isPaused ? position : nil
        takenUs = atUs
    }

    /// Takes what a later message about the same track says. True when the position is another one than before.
    package mutating func take(positionMs: Double, isPaused: Bool, atUs: Int64) -> Bool {
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

    package func positionMs(atUs: Int64) -> Double { standingMs ?? max(0, (Double(atUs) - originUs) / 1000) }

    /// When the room will be at this position.
    package func momentUs(ofMs position: Double) -> Int64 { Int64(originUs + position * 1000) }

    private static func bounded(_ positionMs: Double) -> Double {
        positionMs.isFinite ? min(max(0, positionMs), mostMs) : 0
    }
}
