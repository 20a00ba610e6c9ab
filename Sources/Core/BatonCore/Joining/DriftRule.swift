/// Corrections of a room that is out of step with the server's room it plays along with.
///
/// A difference of two seconds causes a seek at once, as in every client of such a server. Smaller ones are corrected by a change of speed too small
/// to be heard. Only differences that would take too long that way cause a seek too, and those seeks are rare.
package struct DriftRule: Equatable, Sendable {
    /// A correction that the hub carries out in the room.
    package enum Step: Equatable, Sendable {
        /// Go on as before: in step, being corrected already, or not settled.
        case none
        /// Jump to the server's position, which is heard.
        case seek
        /// Permille of normal speed.
        case speed(Int)
    }

    /// Present speed in permille of normal speed.
    package private(set) var speed = 1000
    private var soughtUs: Microseconds?

    /// Differences from this on cause a seek at once, even a short time after the last one.
    package static let seekMs = 2000.0
    /// Differences above this cause a seek; at half a percent of speed this one takes twenty seconds to correct.
    package static let jumpMs = 100.0
    /// Differences above this begin a change of speed.
    package static let beginMs = 20.0
    /// A difference within this ends the change of speed.
    package static let endMs = 4.0
    /// The change of speed in permille.
    package static let bend = 5
    /// Shortest time between two seeks for differences below `seekMs`.
    package static let betweenJumpsUs: Microseconds = 10_000_000

    package init() {}

    /// The next correction. `driftMs` is the lead of this room; it is reliable when `isSettled`, since nothing was moved for a while.
    package mutating func step(driftMs: Double, isSettled: Bool, atUs: Microseconds) -> Step {
        guard driftMs.isFinite else { return .none }
        let size = abs(driftMs)
        if size >= Self.seekMs { return sought(atUs) }
        guard isSettled else { return .none }
        if size > Self.jumpMs, soughtUs.map({ atUs - $0 >= Self.betweenJumpsUs }) ?? true { return sought(atUs) }
        if speed == 1000 {
            guard size > Self.beginMs else { return .none }
            return bent(driftMs > 0 ? 1000 - Self.bend : 1000 + Self.bend)
        }
        let isCorrecting = (speed < 1000) == (driftMs > 0)
        return size <= Self.endMs || !isCorrecting ? bent(1000) : .none
    }

    /// Returns to normal speed, because another track plays or the position was moved.
    package mutating func startOver() { speed = 1000 }

    private mutating func sought(_ atUs: Microseconds) -> Step {
        soughtUs = atUs
        speed = 1000
        return .seek
    }

    private mutating func bent(_ wanted: Int) -> Step {
        speed = wanted
        return .speed(wanted)
    }
}
