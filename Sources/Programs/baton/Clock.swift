import BatonCore
import Configuration
import Glibc

/// This machine's clocks: the monotonic one, which is compared with the hub's, and the time of day.
enum Clock {
    @Sendable
    static func nowUs() -> Microseconds { us(CLOCK_MONOTONIC) }

    /// The start of this program, shortly after a person entered the command.
    ///
    /// The kernel counts it in coarse ticks. The processor time used so far gives a second bound: the program started
    /// at least that long ago.
    static func startUs() -> Microseconds {
        let started = nowUs() - us(CLOCK_PROCESS_CPUTIME_ID)
        let fields = (SmallFile.firstLine(of: "/proc/self/stat") ?? "").split(separator: ")").last?.split(separator: " ") ?? []
        let perSecond = Int64(sysconf(Int32(_SC_CLK_TCK)))
        guard fields.count > startField, let ticks = Int64(fields[startField]), perSecond > 0 else { return started }
        let sinceBoot = Microseconds((ticks + 1) * 1_000_000 / perSecond)
        return min(started, sinceBoot - (us(CLOCK_BOOTTIME) - nowUs()))
    }

    /// Index of the start time, counted from the end of the program's name, which may contain any character.
    private static let startField = 19

    private static func us(_ clock: clockid_t) -> Microseconds {
        var time = timespec()
        clock_gettime(clock, &time)
        return Microseconds(Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    static func wallMs() -> Milliseconds { Milliseconds(us(CLOCK_REALTIME)) }
}
