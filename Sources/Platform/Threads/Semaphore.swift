package import BatonCore
import BatonSeams
import CLinux
import Glibc

/// A semaphore of the system: a thread waits until another thread signals, or until a time has passed.
///
/// It has a fixed address, which POSIX requires, and lives as long as a thread refers to it.
@safe package final class Semaphore: Sendable {
    // Shared between threads on purpose: POSIX makes every call on a semaphore thread-safe.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    package func signal() { unsafe sem_post(semaphore) }

    package func wait() {
        while unsafe sem_wait(semaphore) != 0 {}
    }

    /// `false` if no signal came in time, measured by the monotonic clock.
    package func wait(ms: Milliseconds) -> Bool {
        let untilUs = Clock.system.nowUs + Microseconds(max(0, ms))
        let (seconds, part) = untilUs.count.quotientAndRemainder(dividingBy: 1_000_000)
        var until = timespec(tv_sec: Int(seconds), tv_nsec: Int(part * 1_000))
        while unsafe baton_sem_wait_until(semaphore, &until) != 0 {
            if errno == ETIMEDOUT { return false }
        }
        return true
    }
}
