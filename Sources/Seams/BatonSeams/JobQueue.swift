package import BatonCore
import Glibc
import Synchronization

/// The loop's executor: jobs wait here until the loop thread's next turn.
///
/// It has the only lock outside the edges. The lock guards a few fields and is never held while a job runs or the loop is woken. A turn is bounded in
/// jobs and in time, so that a task which keeps feeding itself cannot starve the sockets.
package final class JobQueue: SerialExecutor, TaskExecutor, Sendable {
    private struct State {
        var jobs = Line()
        var wakePending = false
        var wake: (@Sendable () -> Void)?
        var thread: pthread_t?
        var callbacks = 0
    }

    /// A FIFO queue that does not move the waiting jobs at each step.
    private struct Line {
        private var jobs: [UnownedJob] = []
        private var first = 0
        /// Capacity that stays after a burst of jobs.
        private static let most = 1_024

        var isEmpty: Bool { first == jobs.count }

        mutating func append(_ job: UnownedJob) { jobs.append(job) }

        mutating func popFirst() -> UnownedJob? {
            guard !isEmpty else { return nil }
            defer {
                first += 1
                if isEmpty {
                    jobs.removeAll(keepingCapacity: jobs.count <= Line.most)
                    first = 0
                }
            }
            return jobs[first]
        }
    }

    private let state = Mutex(State())

    /// Number of jobs that one turn runs before the sockets are served again.
    package static let jobsPerTurn = 512
    /// Time limit of one turn; a running job is never interrupted.
    package static let microsecondsPerTurn: Microseconds = 2_000

    /// Makes the calling thread the loop thread. `wake` must be callable from any thread and lead to a later `turn` on this one. Jobs that are
    /// waiting already wake it at once.
    package func adopt(wake: @escaping @Sendable () -> Void) {
        let waiting = state.withLock { state in
            state.thread = pthread_self()
            state.wake = wake
            state.wakePending = !state.jobs.isEmpty
            return state.wakePending
        }
        if waiting { wake() }
    }

    /// True on the loop thread, once there is one.
    package var isCurrent: Bool {
        state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    /// Adds a job from any thread, and wakes the loop unless it is awake already.
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

    /// Runs one callback of the event loop, and then the jobs that it queued, which need no wake. A nested callback leaves them to the outermost one,
    /// so that no job runs in the middle of another.
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

    /// Runs waiting jobs within the limits of a turn, and asks for another turn when some are left.
    package func turn() {
        let endUs = Clock.system.nowUs + Self.microsecondsPerTurn
        var left = Self.jobsPerTurn
        while left > 0, let job = takeFirst() {
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            left -= 1
            if Clock.system.nowUs >= endUs { left = 0 }
        }
        guard left == 0 else { return }
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            state.wakePending = !state.jobs.isEmpty
            return state.wakePending ? state.wake : nil
        }
        wake?()
    }

    /// New jobs need no wake while one runs, because the turn looks again.
    private func takeFirst() -> UnownedJob? {
        state.withLock { state in
            state.wakePending = !state.jobs.isEmpty
            return state.jobs.popFirst()
        }
    }

    /// True when no job waits.
    package var isEmpty: Bool { state.withLock { $0.jobs.isEmpty } }

    /// Traps when the caller is not on the loop thread.
    package func checkIsolated() {
        precondition(isCurrent, "This must run on the loop thread.")
    }

    /// The answer for the runtime, which then need not trap.
    package func isIsolatingCurrentContext() -> Bool? { isCurrent }
}
