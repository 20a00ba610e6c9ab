import BatonCore
import BatonSeams
import EventLoop

/// Times of a connection's last activity, and its next check.
struct LineDeadlines {
    /// Times at which the peer last sent a line and last accepted bytes.
    var heardUs: Microseconds
    var movedUs: Microseconds
    /// Time by which a closing connection has to be gone.
    var closingUs: Microseconds = .max

    init(nowUs: Microseconds) {
        heardUs = nowUs
        movedUs = nowUs
    }

    /// Time of the next check, `.max` for never. `idle` is `nil` while the peer may be silent.
    func nextUs(isClosing: Bool, isSending: Bool, stalled: Duration, idle: Duration?) -> Microseconds {
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
    private var dueUs: Microseconds = .max

    /// Rings at the deadline, unless an earlier ring is due already.
    func set(_ deadlineUs: Microseconds, on loop: EventLoop, _ ring: @escaping @Loop () -> Void) {
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
