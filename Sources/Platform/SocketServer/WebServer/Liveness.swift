import BatonCore
import BatonSeams

/// The time at which the peer of a WebSocket was heard last, and whether it was pinged since. A value; the time is an argument.
struct Liveness: Equatable {
    enum Check: Equatable {
        /// Nothing is due before this time.
        case wait(untilUs: Microseconds)
        /// A ping is due, and the end of the connection at this time.
        case ping(endUs: Microseconds)
        case tooSilent
    }

    private(set) var heardUs: Microseconds
    private var isPinged = false

    init(atUs nowUs: Microseconds) { heardUs = nowUs }

    mutating func heard(atUs nowUs: Microseconds) { (heardUs, isPinged) = (nowUs, false) }

    mutating func pinged() { isPinged = true }

    func pingDueUs(within patience: Patience) -> Microseconds { heardUs + patience.pingUs }

    func check(atUs nowUs: Microseconds, within patience: Patience) -> Check {
        let endUs = heardUs + patience.endUs
        if nowUs > endUs { return .tooSilent }
        if isPinged { return .wait(untilUs: endUs) }
        let dueUs = pingDueUs(within: patience)
        return nowUs < dueUs ? .wait(untilUs: dueUs) : .ping(endUs: endUs)
    }
}
