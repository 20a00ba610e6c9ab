import BatonSeams
import CLinux
import Glibc

/// The alarms of the loop and the timer descriptor that is always set to the earliest of them.
@Loop
struct AlarmTimer {
    private let timer: Int32
    private var queue = AlarmQueue()
    /// What the timer is set to; `.max` while it is off.
    private var armedUs: Int64 = .max

    init(_ timer: Int32) { self.timer = timer }

    var count: Int { queue.count }

    mutating func add(_ deadlineUs: Int64, for loop: EventLoop, _ action: @escaping @Loop () -> Void) -> any Alarm {
        let alarm = queue.add(deadlineUs, for: loop, action)
        arm()
        return alarm
    }

    mutating func noteCancelled() {
        queue.noteCancelled()
        arm()
    }

    mutating func takeDue(_ nowUs: Int64) -> (@Loop () -> Void)? { queue.takeDue(nowUs) }

    /// The timer has run out: reads that, so that it is not ready again.
    mutating func expired() {
        var ticks: UInt64 = 0
        unsafe read(timer, &ticks, 8)
        armedUs = .max
    }

    /// Sets the timer to the earliest alarm, unless it is set to it already.
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
