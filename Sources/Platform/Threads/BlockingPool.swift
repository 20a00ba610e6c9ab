import CLinux
import Glibc
import Synchronization

/// Threads for work that blocks: disks, name look-ups, whatever may wait.
///
/// A task that prefers this executor runs here wherever it is not on the loop. Swift's own pool is
/// left alone on purpose: it may not be blocked, and once it was used a watcher of its own wakes the
/// process every second for the rest of its life. Threads are started when they are needed and end when
/// there was nothing for them for a while; there are few, since disks do not get faster by being asked more often.
package final class BlockingPool: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var threads = 0
        var idle = 0
    }

    private let state = Mutex(State())
    private let semaphore = Semaphore()
    private let mostThreads: Int
    private let isQuiet: Bool
    private let idleMs: Int64

    /// A quiet one is for work that nobody waits for: everything else on the machine goes first. A thread that had
    /// nothing to do for `idleMs` ends, and gives its stack back.
    package init(threads: Int = 2, isQuiet: Bool = false, idleMs: Int64 = 10_000) {
        mostThreads = threads
        self.isQuiet = isQuiet
        self.idleMs = idleMs
    }

    /// Those that work, and those that wait for work.
    package var threadCount: Int { state.withLock(\.threads) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            guard state.idle < state.jobs.count, state.threads < mostThreads else { return false }
            state.threads += 1
            return true
        }
        if needsThread { OwnThread.start { [self] in work() } }
        semaphore.ring()
    }

    private func work() {
        // Linux takes this for the calling thread alone. What it starts inherits it.
        if isQuiet { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
        while let job = next() { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// `nil` when this thread is to end.
    private func next() -> UnownedJob? {
        state.withLock { $0.idle += 1 }
        while true {
            let rang = semaphore.wait(ms: idleMs)
            let (job, ends) = state.withLock { state -> (UnownedJob?, Bool) in
                // What came in the very moment is done: whoever brought it has counted on this thread.
                let job = state.jobs.isEmpty ? nil : state.jobs.removeFirst()
                if job != nil || !rang { state.idle -= 1 }
                if job == nil, !rang { state.threads -= 1 }
                return (job, !rang)
            }
            if job != nil || ends { return job }
        }
    }
}

/// A semaphore of the system's, at an address of its own for as long as anybody may wait for it.
@safe private final class Semaphore: Sendable {
    // Shared freely: a semaphore is made for that.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func ring() { unsafe sem_post(semaphore) }

    /// `false` when it did not ring in time.
    func wait(ms: Int64) -> Bool {
        var until = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &until)
        let ns = Int64(until.tv_nsec) + ms % 1_000 * 1_000_000
        until.tv_sec += Int(ms / 1_000 + ns / 1_000_000_000)
        until.tv_nsec = Int(ns % 1_000_000_000)
        while unsafe baton_sem_wait_until(semaphore, &until) != 0 {
            if errno == ETIMEDOUT { return false }
        }
        return true
    }
}
