import BatonSeams
import Glibc
import Synchronization

/// Threads for work that blocks: disks, name look-ups, whatever may wait.
///
/// A task that prefers this executor runs here wherever it is not on the loop. Swift's own pool is
/// left alone on purpose: it may not be blocked, and once it was used a watcher of its own wakes the
/// process every second for the rest of its life. Threads are started when they are first needed
/// and sleep without waking; there are few, since disks do not get faster by being asked more often.
package final class Workshop: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var threads = 0
        var idle = 0
    }

    private let state = Mutex(State())
    private let bell = Bell()
    private let mostThreads: Int
    private let isQuiet: Bool

    /// A quiet one is for work that nobody waits for: everything else on the machine goes first.
    package init(threads: Int = 2, isQuiet: Bool = false) {
        mostThreads = threads
        self.isQuiet = isQuiet
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            guard state.idle < state.jobs.count, state.threads < mostThreads else { return false }
            state.threads += 1
            return true
        }
        if needsThread { OwnThread.start { [self] in work() } }
        bell.ring()
    }

    private func work() {
        // Linux takes this for the calling thread alone. What it starts inherits it.
        if isQuiet { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
        while true {
            state.withLock { $0.idle += 1 }
            bell.wait()
            let job = state.withLock { state in
                state.idle -= 1
                return state.jobs.isEmpty ? nil : state.jobs.removeFirst()
            }
            unsafe job?.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// A semaphore of the system's, at an address of its own for as long as anybody may wait for it.
@safe private final class Bell: Sendable {
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

    func wait() {
        while unsafe sem_wait(semaphore) != 0 {}  // Interrupted by a signal.
    }
}
