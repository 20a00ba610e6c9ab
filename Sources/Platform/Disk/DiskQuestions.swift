/// The questions to one disk, on threads of their own: the caller waits for a limited time, and the thread for as
/// long as the disk does.
///
/// While an answer is overdue, further questions are refused at once: the disk does not answer. So
/// a disk that never answers again costs as many threads as questions were under way when it stopped,
/// which are few.
import BatonSeams
import Synchronization
import Threads

final class DiskQuestions: Sendable {
    private struct State {
        /// Questions that are not over yet.
        var open: Set<Int> = []
        /// Of those, the ones whose caller has stopped waiting.
        var overdue: Set<Int> = []
        var numbers = 0
    }

    private let state = Mutex(State())
    private let queue: WorkQueue
    private let patienceMs: Int64
    /// Called when the last answer that was overdue has come after all.
    private let isBack: @Sendable () -> Void

    private static let mostThreads = 3
    /// Time limit for waiting behind other questions: by then it shows that they are not being answered.
    private static let inLineMs: Int64 = 2_000
    private static let stackBytes = 512 << 10

    init(patienceMs: Int64, idleMs: Int64 = 10_000, isBack: @escaping @Sendable () -> Void) {
        self.patienceMs = patienceMs
        self.isBack = isBack
        queue = WorkQueue(WorkQueue.Limits(threads: Self.mostThreads, idleMs: idleMs, stackBytes: Self.stackBytes))
    }

    /// Throws `silence` when no answer comes in time.
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
        // An answer that came between the end of the wait and `giveUp` is there as well.
        guard let result = pending.result.withLock({ $0 }) else { throw silence() }
        return try result.get()
    }

    /// Threads that ask the disk, and those that wait for a question.
    var threadCount: Int { queue.threadCount }

    /// Where the thread leaves the answer for the caller.
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

    /// `false` when the answer has come meanwhile.
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
