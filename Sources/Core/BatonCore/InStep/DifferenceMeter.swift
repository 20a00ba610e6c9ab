/// Measures how far a device is from the room that it plays along with.
///
/// One reading of a player's position can be off by some milliseconds, so the median of several counts. For a while after a start or a change of
/// speed the player does not know its own position, so those readings are ignored.
package struct DifferenceMeter: Equatable, Sendable {
    /// Number of readings for the median.
    private static let looks = 5

    private var differences: [Double] = []
    private var movedUs: Microseconds = 0
    private var settlesUs: Microseconds = 0

    package init() {}

    /// Discards the readings because the player was moved, and ignores new ones for `settlesUs`.
    package mutating func moved(atUs: Microseconds, settlesUs: Microseconds) {
        self.movedUs = atUs
        self.settlesUs = settlesUs
        differences = []
    }

    /// Takes a reading in microseconds, positive when the device is ahead; ignored while the player settles.
    package mutating func take(_ differenceUs: Double, atUs: Microseconds) {
        guard differenceUs.isFinite, atUs.minus(movedUs) >= settlesUs else { return }
        differences = differences.suffix(Self.looks - 1) + [differenceUs]
    }

    /// The lead of the device over the room; `nil` until there are enough readings.
    package var differenceUs: Double? { differences.count == Self.looks ? differences.sorted()[Self.looks / 2] : nil }
}
