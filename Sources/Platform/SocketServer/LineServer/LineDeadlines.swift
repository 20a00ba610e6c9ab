import BatonSeams
import EventLoop

/// Times of a connection's last activity, and its next check.
struct LineDeadlines {
    /// Times at which the peer last sent a line and last accepted bytes.
    var heardUs: Int64
    var movedUs: Int64
    /// Time by which a closing connection has to be gone.
    var closingUs: Int64 = .max

    init(nowUs: Int64) {
        heardUs = nowUs
        movedUs = nowUs
    }

    /// Time of the next check, `.max` for never. `idle` is `nil` while the peer may be silent.
    func nextUs(isClosing: Bool, isSending: Bool, stalled: Duration, idle: Duration?) -> Int64 {
        if isClosing { return closingUs }
        if isSending { return movedUs + stalled.us }
        // A peer that has just taken a long answer is not idle.
        return idle.map { max(heardUs, movedUs) + $0.us } ?? .max
    }
}

/// One alarm for a moving deadline. Moving it later costs nothing: the owner checks again when the alarm rings.
@Loop
final class DeadlineAlarm {
    private var alarm: (any Alarm)?
    private var dueUs: Int64 = .max

    /// Rings at the deadline, unless an earlier ring is due already.
    func set(_ deadlineUs: Int64, on loop: EventLoop, _ ring: @escaping @Loop () -> Void) {
        guard deadlineUs < dueUs else { return }
        alarm?.cancel()
        dueUs = deadlineUs
        alarm = loop.after(.microseconds(max(0, deadlineUs - loop.nowUs))) { [weak self] in
            self?.dueUs = .max
            ring()
        }
    }

    func cancel() { alarm?.cancel() }
}
