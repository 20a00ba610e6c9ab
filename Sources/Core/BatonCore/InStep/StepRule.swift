/// What a device does when it is not where the room is that it plays along with.
///
/// A little is corrected by speed, so little that it cannot be heard as a change of pitch. Only what would take too long that way is worth a
/// new start, which is heard as a gap, and that not often: a device that cannot keep up would be all gaps.
package struct StepRule: Equatable, Sendable {
    package enum Step: Equatable, Sendable {
        case none
        /// Permille of normal speed.
        case speed(Int)
        /// Begin anew where the room will be.
        case startAnew
    }

    /// Permille of normal speed, as it is now.
    package private(set) var speed = 1000
    /// How often it began anew.
    package private(set) var newStarts = 0
    private var newStartUs: Int64?

    /// Two devices side by side are heard as an echo beyond it.
    package static let newStartBeyondUs = 60_000.0
    package static let betweenNewStartsUs: Int64 = 10_000_000
    /// A correction begins beyond the first and ends within the second.
    package static let beginUs = 1_000.0
    package static let endUs = 300.0
    /// By how much the speed changes at most, in permille.
    package static let mostBend = 5
    /// A difference is to be closed in about two seconds.
    private static let perPermilleUs = 2_000.0

    package init() {}

    /// `driftUs` is how far ahead the device is, as `DifferenceMeter` measured it; `nil` while it was not measured well.
    package mutating func step(driftUs: Double?, atUs: Int64) -> Step {
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

    /// Another item, or it was moved: at normal speed from here.
    package mutating func startOver() { speed = 1000 }

    private mutating func bent(_ wanted: Int) -> Step {
        guard wanted != speed else { return .none }
        speed = wanted
        return .speed(wanted)
    }
}
