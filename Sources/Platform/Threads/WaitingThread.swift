import Synchronization

/// Asynchronous work for a thread that belongs to a C library and has to wait for the result, such as libmpv's demuxer. The work runs on
/// the waiting thread, so it needs no thread of a pool.
package final class WaitingThread: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var work: Task<Void, Never>?
        var isCancelled = false
    }

    private final class Box<Answer: Sendable>: Sendable {
        let value = Mutex<Answer?>(nil)
    }

    private let state = Mutex(State())
    private let semaphore = Semaphore()

    package init() {}

    /// Runs `body` and returns its result. One thread at a time.
    package func wait<Answer: Sendable>(for body: @escaping @Sendable () async -> Answer) -> Answer {
        let answer = Box<Answer>()
        let work = Task(executorPreference: self) {
            let value = await body()
            answer.value.withLock { $0 = value }
        }
        let isCancelled = state.withLock { state in
            state.work = work
            return state.isCancelled
        }
        if isCancelled { work.cancel() }
        while true {
            semaphore.wait()
            let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
            if let job { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
            if let value = answer.value.withLock({ $0 }) {
                state.withLock { $0.work = nil }
                return value
            }
        }
    }

    /// Cancels the current and all later work; may be called from any thread.
    package func cancel() {
        let work = state.withLock { state in
            state.isCancelled = true
            return state.work
        }
        work?.cancel()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        semaphore.signal()
    }
}
