/// Measures how far a device is from the room that it plays along with.
///
/// One look at the position of a player can be off by some milliseconds, so the middle one of several counts. After a start or another
/// speed the player does not know its own position for a while, and what it says then is left out.
package struct DifferenceMeter: Equatable, Sendable {
    /// Of so many looks the middle one counts.
    private static let looks = 5

    private var differences: [Double] = []
    private var movedUs: Int64 = 0
    private var settlesUs: Int64 = 0

    package init() {}

    /// The player was moved at this moment, and does not count for so long.
    package mutating func moved(atUs: Int64, settlesUs: Int64) {
        self.movedUs = atUs
        self.settlesUs = settlesUs
        differences = []
    }

    package mutating func take(_ differenceUs: Double, atUs: Int64) {
        guard differenceUs.isFinite, atUs.minus(movedUs) >= settlesUs else { return }
        differences = differences.suffix(Self.looks - 1) + [differenceUs]
    }

    /// How far ahead the device is; `nil` until it was measured well.
    package var differenceUs: Double? { differences.count == Self.looks ? differences.sorted()[Self.looks / 2] : nil }
}
