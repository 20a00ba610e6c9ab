import Glibc

/// Measures the processor time of each callback of the loop.
///
/// Wall time comes from the vdso and is read at every callback. Processor time is a system call, so a sample is stored, and renewed after a
/// callback if it is older than a millisecond: a sleeping loop makes no call, and no callback waits for one. So the figure for one callback
/// is at most a millisecond too high, and never higher than its wall time.
struct Watchdog {
    /// Time above which a callback is logged.
    static let limitNs: Int64 = 5_000_000
    private static let sampleAgeNs: Int64 = 1_000_000

    private var startedNs: Int64 = 0
    private var sampledNs: Int64 = 0
    private var sampledCPUNs: Int64 = 0
    /// Number of callbacks above the limit.
    private(set) var slow = 0

    static func now(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    mutating func begin() {
        startedNs = Self.now(CLOCK_MONOTONIC)
    }

    /// The processor time of the last callback, if it was above the limit.
    mutating func end() -> Int64? {
        let endedNs = Self.now(CLOCK_MONOTONIC)
        let wall = endedNs - startedNs
        defer { sample(endedNs) }
        guard wall > Self.limitNs else { return nil }
        let spent = min(Self.now(CLOCK_THREAD_CPUTIME_ID) - sampledCPUNs, wall)
        guard spent > Self.limitNs else { return nil }
        slow += 1
        return spent
    }

    private mutating func sample(_ nowNs: Int64) {
        guard nowNs - sampledNs > Self.sampleAgeNs else { return }
        sampledNs = nowNs
        sampledCPUNs = Self.now(CLOCK_THREAD_CPUTIME_ID)
    }
}
