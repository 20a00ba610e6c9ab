import Glibc
import Synchronization

/// The loop's executor: jobs wait here until the loop thread's next turn.
///
/// The only lock outside an edge. It guards two fields and is never held while a job runs or the
/// loop is woken. A turn runs a bounded number of jobs, so that a task which keeps feeding itself
/// cannot starve the sockets.
package final class JobQueue: SerialExecutor, TaskExecutor, Sendable {
    private struct State {
        var jobs: [UnownedJob] = []
        var wakePending = false
        var wake: (@Sendable () -> Void)?
        var thread: pthread_t?
        var callbacks = 0
    }

    private let state = Mutex(State())

    /// How many jobs one turn runs before the sockets are served again.
    package static let jobsPerTurn = 512

    /// Makes the calling thread the loop thread. `wake` must be callable from any thread and must
    /// lead to a later `turn` on this one; jobs that came before are announced at once.
    package func adopt(wake: @escaping @Sendable () -> Void) {
        let waiting = state.withLock { state in
            state.thread = pthread_self()
            state.wake = wake
            state.wakePending = !state.jobs.isEmpty
            return state.wakePending
        }
        if waiting { wake() }
    }

    package var isCurrent: Bool {
        state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let wake: (@Sendable () -> Void)? = state.withLock { state in
            state.jobs.append(job)
            guard !state.wakePending else { return nil }
            state.wakePending = true
            return state.wake
        }
        wake?()
    }

    /// Runs one callback of the event loop and then what it queued, which needs no wake. A callback
    /// inside a callback leaves the queue to the outermost one: no job runs in the middle of another.
    package func callback<Result>(_ body: () throws -> Result) rethrows -> Result {
        state.withLock { state in
            state.callbacks += 1
            state.wakePending = true
        }
        defer {
            let depth = state.withLock { state in
                state.callbacks -= 1
                return state.callbacks
            }
            if depth == 0 { turn() }
        }
        return try body()
    }

    /// Runs what waits, at most `jobsPerTurn`; asks to be called again when something is left.
    package func turn() {
        var left = Self.jobsPerTurn
        while left > 0 {
            let batch = state.withLock { state in
                let batch = state.jobs.prefix(left)
                state.jobs.removeFirst(batch.count)
                // While a job runs, more may come without a wake: this turn looks again.
                state.wakePending = !batch.isEmpty
                return batch
            }
            if batch.isEmpty { return }
            left -= batch.count
            for job in batch {
                job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
        }
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            state.wakePending = !state.jobs.isEmpty
            return state.wakePending ? state.wake : nil
        }
        wake?()
    }

    package var isEmpty: Bool { state.withLock { $0.jobs.isEmpty } }

    package func checkIsolated() {
        precondition(isCurrent, "This must run on the loop thread.")
    }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }
}
