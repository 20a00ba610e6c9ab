import Configuration
import Glibc

/// This machine's clocks: the monotonic one, which the hub's is compared to, and the time of day.
enum Clock {
    @Sendable
    static func nowUs() -> Int64 { us(CLOCK_MONOTONIC) }

    /// When this program was started, or a little later: that is when somebody pressed the button.
    ///
    /// The kernel knows it in ticks; and a program began at least as long ago as it has been computing.
    static func startUs() -> Int64 {
        let started = nowUs() - us(CLOCK_PROCESS_CPUTIME_ID)
        let fields = (SmallFile.firstLine(of: "/proc/self/stat") ?? "").split(separator: ")").last?.split(separator: " ") ?? []
        let perSecond = Int64(sysconf(Int32(_SC_CLK_TCK)))
        guard fields.count > startField, let ticks = Int64(fields[startField]), perSecond > 0 else { return started }
        let sinceBoot = (ticks + 1) * 1_000_000 / perSecond
        return min(started, sinceBoot - (us(CLOCK_BOOTTIME) - nowUs()))
    }

    /// Counted behind the program's name, which may hold anything.
    private static let startField = 19

    private static func us(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    static func wallMs() -> Int64 { us(CLOCK_REALTIME) / 1000 }
}
