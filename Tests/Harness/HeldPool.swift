import BatonSeams
import Synchronization

/// Threads that can stand still, as those of a disk that does not answer: then jobs wait until they are let go. They run on the loop.
package final class HeldPool: TaskExecutor {
    private struct State {
        var isHeld = false
        var jobs: [UnownedJob] = []
    }

    private let state = Mutex(State())

    package init() {}

    package func hold() { state.withLock { $0.isHeld = true } }

    /// Jobs that wait to be let go.
    package var heldCount: Int { state.withLock { $0.jobs.count } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isHeld = state.withLock { state in
            if state.isHeld { state.jobs.append(job) }
            return state.isHeld
        }
        if !isHeld { Loop.jobs.enqueue(ExecutorJob(job)) }
    }

    /// From now on jobs run as they come.
    package func letGo() {
        let jobs = state.withLock { state in
            state.isHeld = false
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { Loop.jobs.enqueue(ExecutorJob(job)) }
    }
}
