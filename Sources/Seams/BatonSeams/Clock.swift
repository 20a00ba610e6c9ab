package import BatonCore
import Glibc

/// The clocks of the machine. Passed in where time decides something, so that a test can control it.
package struct Clock: Sendable {
    private let monotonicUs: @Sendable () -> Microseconds
    private let timeOfDayUs: @Sendable () -> Microseconds

    /// A clock of two functions, for tests and the simulation.
    package init(nowUs: @escaping @Sendable () -> Microseconds, wallUs: @escaping @Sendable () -> Microseconds) {
        monotonicUs = nowUs
        timeOfDayUs = wallUs
    }

    /// Microseconds of the kernel's monotonic clock. It cannot be set, and stands still while the machine sleeps.
    package var nowUs: Microseconds { monotonicUs() }
    /// Milliseconds of the monotonic clock.
    package var nowMs: Milliseconds { Milliseconds(monotonicUs()) }

    /// Time since 1970. A person or NTP may set it by years, so it is shown and stored but measures nothing.
    package var wallUs: Microseconds { timeOfDayUs() }
    /// Milliseconds since 1970, which may be set by years like `wallUs`.
    package var wallMs: Milliseconds { Milliseconds(timeOfDayUs()) }

    /// The clocks of the kernel, for every program; only tests and the simulation have others.
    package static let system = Clock(nowUs: { monotonicUs() }, wallUs: { read(CLOCK_REALTIME) })

    /// The time of `system` without a call through a closure, because the loop needs it many times for each command.
    package static func monotonicUs() -> Microseconds { read(CLOCK_MONOTONIC) }

    /// The wall clock of `system`, likewise.
    package static func wallMs() -> Milliseconds { Milliseconds(read(CLOCK_REALTIME)) }

    private static func read(_ clock: clockid_t) -> Microseconds {
        var time = timespec()
        clock_gettime(clock, &time)
        return Microseconds(count: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
