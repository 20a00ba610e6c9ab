/// What is done when a room is not where the room of the server is that it plays along with.
///
/// Two seconds off it goes there at once, as every client of such a server does. Less is corrected by playing a little faster or
/// slower, which cannot be heard; only what would take too long that way is worth a jump, and that not often.
package struct DriftRule: Equatable, Sendable {
    package enum Step: Equatable, Sendable {
        case none
        case seek
        /// Permille of normal speed.
        case speed(Int)
    }

    /// Permille of normal speed, as it is now.
    package private(set) var speed = 1000
    private var soughtUs: Int64?

    package static let seekMs = 2000.0
    /// At half a percent this takes twenty seconds.
    package static let jumpMs = 100.0
    package static let beginMs = 20.0
    package static let endMs = 4.0
    /// By how much the speed changes, in permille.
    package static let bend = 5
    package static let betweenJumpsUs: Int64 = 10_000_000

    package init() {}

    /// `driftMs` is how far ahead this room is. It is settled when nothing was moved for a while, so that it was measured well.
    package mutating func step(driftMs: Double, isSettled: Bool, atUs: Int64) -> Step {
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

    /// Another track, or it was moved: at normal speed from here.
    package mutating func startOver() { speed = 1000 }

    private mutating func sought(_ atUs: Int64) -> Step {
        soughtUs = atUs
        speed = 1000
        return .seek
    }

    private mutating func bent(_ wanted: Int) -> Step {
        speed = wanted
        return .speed(wanted)
    }
}
