package import BatonCore

/// Threads for tasks that block: disks, name look-ups, sources that wait for a server.
///
/// A task that prefers this executor runs here whenever it is not on the loop. Swift's own pool is not used, because it must not be
/// blocked, and because after its first use a watcher of it wakes the process every second. A few threads are enough, since disks do not
/// answer faster when they get more requests at once.
package final class BlockingPool: TaskExecutor {
    private let queue: WorkQueue

    /// A quiet pool is for background work and yields to all other programs. A thread without work for `idleMs` ends and frees its stack.
    package init(threads: Int = 2, isQuiet: Bool = false, idleMs: Milliseconds = 10_000) {
        queue = WorkQueue(WorkQueue.Limits(threads: threads, idleMs: idleMs), niceness: isQuiet ? OwnThread.quietness : 0)
    }

    /// Number of threads, working and idle.
    package var threadCount: Int { queue.threadCount }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let ticket = queue.add { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        // An executor must run every job.
        precondition(ticket != nil, "The system gives no more threads.")
    }
}
