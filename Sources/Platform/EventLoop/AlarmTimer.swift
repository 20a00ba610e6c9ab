import BatonCore
import BatonSeams
import CLinux
import Glibc

/// The alarms of the loop, and the timer descriptor that is set to the earliest one.
@Loop
struct AlarmTimer {
    private let timer: Int32
    private var queue = AlarmQueue()
    /// Time of the armed timer; `.max` while it is off.
    private var armedUs: Microseconds = .max

    init(_ timer: Int32) { self.timer = timer }

    var count: Int { queue.count }

    mutating func add(_ deadlineUs: Microseconds, for loop: EventLoop, _ action: @escaping @Loop () -> Void) -> any Alarm {
        let alarm = queue.add(deadlineUs, for: loop, action)
        arm()
        return alarm
    }

    mutating func noteCancelled() {
        queue.noteCancelled()
        arm()
    }

    mutating func takeDue(_ nowUs: Microseconds) -> (@Loop () -> Void)? { queue.takeDue(nowUs) }

    /// Called when the timer has expired. Reading it makes the descriptor not ready again.
    mutating func expired() {
        var ticks: UInt64 = 0
        unsafe read(timer, &ticks, 8)
        armedUs = .max
    }

    /// Sets the timer to the earliest alarm, unless it already is.
    mutating func arm() {
        let earliest = queue.earliestUs ?? .max
        guard earliest != armedUs else { return }
        armedUs = earliest
        var setting = itimerspec()
        if earliest != .max {
            setting.it_value.tv_sec = Int(earliest / 1_000_000)
            setting.it_value.tv_nsec = max(1, Int(earliest % 1_000_000) * 1_000)
        }
        unsafe timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }
}
