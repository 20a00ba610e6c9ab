/// Time that only grows, for measuring how long something takes.
import Glibc

enum Monotonic {
    static var nowMs: Int64 { milliseconds(CLOCK_MONOTONIC) }

    static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
