/// Requests to one disk, on threads of their own. The caller waits for a limited time; the thread waits for the disk.
///
/// While an answer is overdue, further requests are refused at once. So a disk that never answers again costs only the few threads that
/// were waiting when it stopped.
import BatonCore
import BatonSeams
import Synchronization
import Threads

final class DiskQuestions: Sendable {
    private struct State {
        /// Requests that are not finished.
        var open: Set<Int> = []
        /// Open requests whose caller has stopped waiting.
        var overdue: Set<Int> = []
        var numbers = 0
    }

    private let state = Mutex(State())
    private let queue: WorkQueue
    private let patienceMs: Milliseconds
    /// Called when the last overdue answer has arrived.
    private let isBack: @Sendable () -> Void

    private static let mostThreads = 3
    /// Time limit for waiting behind other requests, after which those are evidently not answered.
    private static let inLineMs: Milliseconds = 2_000
    private static let stackBytes = 512 << 10

    init(patienceMs: Milliseconds, idleMs: Milliseconds = 10_000, isBack: @escaping @Sendable () -> Void) {
        self.patienceMs = patienceMs
        self.isBack = isBack
        queue = WorkQueue(WorkQueue.Limits(threads: Self.mostThreads, idleMs: idleMs, stackBytes: Self.stackBytes))
    }

    /// Throws `silence` if no answer comes in time.
    func ask<Answer: Sendable>(
        orElse silence: () -> SourceFault, _ body: @escaping @Sendable () throws(SourceFault) -> Answer
    ) throws(SourceFault) -> Answer {
        guard let number = begin() else { throw silence() }
        let pending = PendingAnswer<Answer>()
        let ticket = queue.add { [self] in
            let result: Result<Answer, SourceFault>
            do throws(SourceFault) { result = .success(try body()) } catch { result = .failure(error) }
            pending.result.withLock { $0 = result }
            end(number)
            pending.semaphore.signal()
        }
        guard let ticket else {
            end(number)
            throw silence()
        }
        let inLineMs = min(Self.inLineMs, patienceMs)
        if !pending.semaphore.wait(ms: inLineMs) {
            if queue.withdraw(ticket) {
                end(number)
                throw silence()
            }
            if !pending.semaphore.wait(ms: patienceMs - inLineMs), giveUp(number) { throw silence() }
        }
        // The answer may have arrived between the end of the wait and `giveUp`.
        guard let result = pending.result.withLock({ $0 }) else { throw silence() }
        return try result.get()
    }

    /// Number of threads, working and idle.
    var threadCount: Int { queue.threadCount }

    /// An answer that is passed from the thread to the caller.
    private final class PendingAnswer<Answer: Sendable>: Sendable {
        let result = Mutex<Result<Answer, SourceFault>?>(nil)
        let semaphore = Semaphore()
    }

    /// `nil` while an answer is overdue.
    private func begin() -> Int? {
        state.withLock { state in
            guard state.overdue.isEmpty else { return nil }
            state.numbers += 1
            state.open.insert(state.numbers)
            return state.numbers
        }
    }

    /// `false` if the answer has arrived in the meantime.
    private func giveUp(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.open.contains(number) else { return false }
            state.overdue.insert(number)
            return true
        }
    }

    private func end(_ number: Int) {
        let isLast = state.withLock { state in
            state.open.remove(number)
            return state.overdue.remove(number) != nil && state.overdue.isEmpty
        }
        if isLast { isBack() }
    }
}
