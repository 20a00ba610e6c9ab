/// Threads for tasks that block: disks, name look-ups, sources that wait for a server.
///
/// A task that prefers this executor runs here wherever it is not on the loop. Swift's own pool is
/// not used: it must not be blocked, and once it was used a watcher of its own wakes the
/// process every second for the rest of its life. Few threads are enough, since disks do not answer faster when they are
/// asked more at once.
package final class BlockingPool: TaskExecutor {
    private let queue: WorkQueue

    /// A quiet pool is for background work: all other programs of the machine go first. A thread that had
    /// nothing to do for `idleMs` ends, and gives its stack back.
    package init(threads: Int = 2, isQuiet: Bool = false, idleMs: Int64 = 10_000) {
        queue = WorkQueue(WorkQueue.Limits(threads: threads, idleMs: idleMs), niceness: isQuiet ? OwnThread.quietness : 0)
    }

    /// Threads that work, and those that wait for work.
    package var threadCount: Int { queue.threadCount }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let ticket = queue.add { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        // An executor must run each job it is given.
        precondition(ticket != nil, "The system gives no more threads.")
    }
}
