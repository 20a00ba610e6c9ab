import Glibc
import Synchronization

/// The loop's executor: jobs wait here until the loop thread's next turn.
///
/// The only lock outside an edge. It guards two fields and is never held while a job runs or the
/// loop is woken. A turn is bounded in jobs and in time, so that a task which keeps feeding itself
/// cannot starve the sockets.
package final class JobQueue: SerialExecutor, TaskExecutor, Sendable {
    private struct State {
        var jobs = Line()
        var wakePending = false
        var wake: (@Sendable () -> Void)?
        var thread: pthread_t?
        var callbacks = 0
    }

    /// First in, first out, without moving what waits at each step.
    private struct Line {
        private var jobs: [UnownedJob] = []
        private var first = 0
        /// Room that is kept; a burst of jobs may have needed more.
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

    /// How many jobs one turn runs before the sockets are served again.
    package static let jobsPerTurn = 512
    /// And for how long at most; one job is never interrupted.
    package static let microsecondsPerTurn: Int64 = 2_000

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

    /// Runs what waits, within a turn's bounds; asks to be called again when something is left.
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

    /// While a job runs, more may come without a wake: the turn looks again.
    private func takeFirst() -> UnownedJob? {
        state.withLock { state in
            state.wakePending = !state.jobs.isEmpty
            return state.jobs.popFirst()
        }
    }

    package var isEmpty: Bool { state.withLock { $0.jobs.isEmpty } }

    package func checkIsolated() {
        precondition(isCurrent, "This must run on the loop thread.")
    }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }
}
