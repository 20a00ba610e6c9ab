import Glibc

/// The clocks of the machine. Passed in where time decides something, so that a test can control it.
package struct Clock: Sendable {
    private let monotonicUs: @Sendable () -> Int64
    private let timeOfDayUs: @Sendable () -> Int64

    /// A clock of two functions, for tests and the simulation.
    package init(nowUs: @escaping @Sendable () -> Int64, wallUs: @escaping @Sendable () -> Int64) {
        monotonicUs = nowUs
        timeOfDayUs = wallUs
    }

    /// Microseconds of the kernel's monotonic clock. It cannot be set, and stands still while the machine sleeps.
    package var nowUs: Int64 { monotonicUs() }
    /// Milliseconds of the monotonic clock.
    package var nowMs: Int64 { monotonicUs() / 1_000 }

    /// Time since 1970. A person or NTP may set it by years, so it is shown and stored but measures nothing.
    package var wallUs: Int64 { timeOfDayUs() }
    /// Milliseconds since 1970, which may be set by years like `wallUs`.
    package var wallMs: Int64 { timeOfDayUs() / 1_000 }

    /// The clocks of the kernel, for every program; only tests and the simulation have others.
    package static let system = Clock(nowUs: { monotonicUs() }, wallUs: { read(CLOCK_REALTIME) })

    /// The time of `system` without a call through a closure, because the loop needs it many times for each command.
    package static func monotonicUs() -> Int64 { read(CLOCK_MONOTONIC) }

    /// The wall clock of `system`, likewise.
    package static func wallMs() -> Int64 { read(CLOCK_REALTIME) / 1_000 }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
