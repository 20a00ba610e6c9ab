/// Corrections of a device that is out of step with the room it plays along with.
///
/// Small differences are corrected by a change of speed too small to be heard as pitch. Only differences that would take too long that way cause a
/// new start, which is heard as a gap. New starts are rare, or a device that cannot keep up would play nothing but gaps.
package struct StepRule: Equatable, Sendable {
    /// A correction that the device carries out.
    package enum Step: Equatable, Sendable {
        /// Go on as before: in step, being corrected already, or not measured.
        case none
        /// Permille of normal speed.
        case speed(Int)
        /// Start anew where the room will be.
        case startAnew
    }

    /// Present speed in permille of normal speed.
    package private(set) var speed = 1000
    /// Number of new starts.
    package private(set) var newStarts = 0
    private var newStartUs: Microseconds?

    /// Beyond this difference two devices side by side are heard as an echo.
    package static let newStartBeyondUs = 60_000.0
    /// Shortest time between two new starts.
    package static let betweenNewStartsUs: Microseconds = 10_000_000
    /// A correction begins beyond `beginUs` and ends within `endUs`.
    package static let beginUs = 1_000.0
    /// A difference below this ends a correction.
    package static let endUs = 300.0
    /// Maximum change of speed in permille.
    package static let mostBend = 5
    /// Microseconds of difference per permille of speed; a difference closes in about two seconds.
    private static let perPermilleUs = 2_000.0

    package init() {}

    /// The next correction. `driftUs` is the lead of the device by `DifferenceMeter`; `nil` while it is not measured.
    package mutating func step(driftUs: Double?, atUs: Microseconds) -> Step {
        guard let driftUs, driftUs.isFinite else { return .none }
        let size = abs(driftUs)
        if size > Self.newStartBeyondUs, newStartUs.map({ atUs - $0 >= Self.betweenNewStartsUs }) ?? true {
            newStartUs = atUs
            newStarts += 1
            speed = 1000
            return .startAnew
        }
        let isCorrecting = speed != 1000
        if isCorrecting ? size <= Self.endUs || (speed < 1000) != (driftUs > 0) : size <= Self.beginUs { return bent(1000) }
        let bend = min(max(Int((size / Self.perPermilleUs).rounded()), 1), Self.mostBend)
        return bent(driftUs > 0 ? 1000 - bend : 1000 + bend)
    }

    /// Returns to normal speed, because another item plays or the player was moved.
    package mutating func startOver() { speed = 1000 }

    private mutating func bent(_ wanted: Int) -> Step {
        guard wanted != speed else { return .none }
        speed = wanted
        return .speed(wanted)
    }
}
