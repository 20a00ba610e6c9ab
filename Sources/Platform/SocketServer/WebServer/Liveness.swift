import BatonSeams

/// The time at which the peer of a WebSocket was heard last, and whether it was pinged since. A value; the time is an argument.
struct Liveness: Equatable {
    enum Check: Equatable {
        /// Nothing is due before this time.
        case wait(untilUs: Int64)
        /// A ping is due, and the end of the connection at this time.
        case ping(endUs: Int64)
        case tooSilent
    }

    private(set) var heardUs: Int64
    private var isPinged = false

    init(atUs nowUs: Int64) { heardUs = nowUs }

    mutating func heard(atUs nowUs: Int64) { (heardUs, isPinged) = (nowUs, false) }

    mutating func pinged() { isPinged = true }

    func pingDueUs(within patience: Patience) -> Int64 { heardUs + Int64(patience.pingMs) * 1000 }

    func check(atUs nowUs: Int64, within patience: Patience) -> Check {
        let endUs = heardUs + Int64(patience.endMs) * 1000
        if nowUs > endUs { return .tooSilent }
        if isPinged { return .wait(untilUs: endUs) }
        let dueUs = pingDueUs(within: patience)
        return nowUs < dueUs ? .wait(untilUs: dueUs) : .ping(endUs: endUs)
    }
}
