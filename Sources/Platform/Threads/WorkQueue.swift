package import BatonCore
import Synchronization

/// Blocking jobs, run in order on a limited number of threads.
///
/// A thread is started if a job waits and no thread is idle, and ends after a while without work, so an idle process holds no stacks. The
/// numbers of threads and of waiting jobs are limited; further jobs are refused at once.
package final class WorkQueue: Sendable {
    package struct Limits: Sendable {
        package var threads: Int
        /// Limit of jobs that wait for a thread.
        package var waiting: Int
        /// Time that a thread waits for more work before it ends.
        package var idleMs: Milliseconds
        /// Stack size; `nil` means the system's default.
        package var stackBytes: Int?

        package init(threads: Int, waiting: Int = .max, idleMs: Milliseconds = 10_000, stackBytes: Int? = nil) {
            self.threads = threads
            self.waiting = waiting
            self.idleMs = idleMs
            self.stackBytes = stackBytes
        }
    }

    /// Identifies a job that was added.
    package struct Ticket: Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var jobs: [(number: Int, run: @Sendable () -> Void)] = []
        var numbers = 0
        var threads = 0
        var idle = 0
    }

    private let state = Mutex(State())
    private let semaphore = Semaphore()
    private let limits: Limits
    private let niceness: CInt

    /// A higher `niceness` gives the threads a lower priority.
    package init(_ limits: Limits, niceness: CInt = 0) {
        self.limits = limits
        self.niceness = niceness
    }

    /// Number of threads, working and idle.
    package var threadCount: Int { state.withLock(\.threads) }

    /// `nil` if too many jobs wait, or if there is no thread and the system has none left. Then `run` is not called.
    package func add(_ run: @escaping @Sendable () -> Void) -> Ticket? {
        let added: (ticket: Ticket, needsThread: Bool)? = state.withLock { state in
            guard state.jobs.count < limits.waiting else { return nil }
            state.numbers += 1
            let ticket = Ticket(number: state.numbers)
            state.jobs.append((ticket.number, run))
            guard state.idle < state.jobs.count, state.threads < limits.threads else { return (ticket, false) }
            state.threads += 1
            return (ticket, true)
        }
        guard let added else { return nil }
        if added.needsThread, !OwnThread.tryStart(stackBytes: limits.stackBytes, niceness: niceness, { [self] in work() }) {
            let isAlone = state.withLock { state in
                state.threads -= 1
                return state.threads == 0
            }
            // Another thread takes the job later. Without one it would wait forever.
            if isAlone, withdraw(added.ticket) { return nil }
        }
        semaphore.signal()
        return added.ticket
    }

    /// Removes a job that no thread has started. `false` if one has.
    package func withdraw(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            guard let index = state.jobs.firstIndex(where: { $0.number == ticket.number }) else { return false }
            state.jobs.remove(at: index)
            return true
        }
    }

    private func work() {
        while let run = next() { run() }
    }

    /// The next job; `nil` if this thread is to end.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { $0.idle += 1 }
        while true {
            let isSignalled = semaphore.wait(ms: limits.idleMs)
            let (run, ends) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
                // A job that was added while the wait ended is still run, since `add` has counted this thread as idle.
                let run = state.jobs.isEmpty ? nil : state.jobs.removeFirst().run
                if run != nil || !isSignalled { state.idle -= 1 }
                if run == nil, !isSignalled { state.threads -= 1 }
                return (run, !isSignalled)
            }
            if run != nil || ends { return run }
        }
    }
}
