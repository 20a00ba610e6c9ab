/// The questions to one disk, on threads of its own: whoever asks waits for a time, and the thread for as
/// long as the disk does.
///
/// While an answer is overdue nobody else is kept waiting: the disk is silent, and that is said at once. So
/// a disk that never answers again costs as many threads as questions were going on when it fell silent,
/// which are few. A thread that had nothing to do for a while ends.
import BatonSeams
import CLinux
import Glibc
import Synchronization
import Threads

final class DiskLane: Sendable {
    private enum Course { case waiting, begun, givenUp }

    private struct State {
        var line: [(number: Int, run: @Sendable () -> Void)] = []
        /// Of each question that is not over yet.
        var courses: [Int: Course] = [:]
        var numbers = 0
        var threads = 0
        var idle = 0
        /// Given up by whoever asked, and not come back.
        var overdue = 0
    }

    private let state = Mutex(State())
    private let semaphore = Semaphore()
    private let patienceMs: Int64
    /// Called when the last answer that was overdue has come after all.
    private let isBack: @Sendable () -> Void

    private static let mostThreads = 3
    /// How long one waits behind others: until it shows that they are not being served.
    private static let inLineMs: Int64 = 2_000
    private static let stackBytes = 512 << 10
    private let idleMs: Int64

    init(patienceMs: Int64, idleMs: Int64 = 10_000, isBack: @escaping @Sendable () -> Void) {
        self.patienceMs = patienceMs
        self.idleMs = idleMs
        self.isBack = isBack
    }

    /// Throws `silence` when no answer comes in time.
    func ask<Answer: Sendable>(
        orElse silence: () -> SourceFault, _ body: @escaping @Sendable () throws(SourceFault) -> Answer
    ) throws(SourceFault) -> Answer {
        let pending = PendingAnswer<Answer>()
        let asked = begin { number in
            let result: Result<Answer, SourceFault>
            do throws(SourceFault) { result = .success(try body()) } catch { result = .failure(error) }
            pending.result.withLock { $0 = result }
            self.end(number)
            pending.semaphore.ring()
        }
        guard let number = asked else { throw silence() }
        let inLineMs = min(Self.inLineMs, patienceMs)
        if !pending.semaphore.wait(ms: inLineMs) {
            if leaveLine(number) { throw silence() }
            if !pending.semaphore.wait(ms: patienceMs - inLineMs), giveUp(number) { throw silence() }
        }
        // What ended between the two looks at it is there as well.
        guard let result = pending.result.withLock({ $0 }) else { throw silence() }
        return try result.get()
    }

    /// Those that ask the disk, and those that wait to.
    var threadCount: Int { state.withLock(\.threads) }

    /// What the answer is written on.
    private final class PendingAnswer<Answer: Sendable>: Sendable {
        let result = Mutex<Result<Answer, SourceFault>?>(nil)
        let semaphore = Semaphore()
    }

    // MARK: The course of a question

    private func begin(_ run: @escaping @Sendable (Int) -> Void) -> Int? {
        let begun: (number: Int, needsThread: Bool)? = state.withLock { state in
            guard state.overdue == 0 else { return nil }
            state.numbers += 1
            let number = state.numbers
            state.line.append((number, { run(number) }))
            state.courses[number] = .waiting
            guard state.idle < state.line.count, state.threads < Self.mostThreads else { return (number, false) }
            state.threads += 1
            return (number, true)
        }
        guard let begun else { return nil }
        if begun.needsThread, !OwnThread.tryStart(stackBytes: Self.stackBytes, { [self] in work() }) {
            state.withLock { $0.threads -= 1 }
        }
        semaphore.ring()
        return begun.number
    }

    private func leaveLine(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.courses[number] == .waiting else { return false }
            state.courses[number] = nil
            state.line.removeAll { $0.number == number }
            return true
        }
    }

    private func giveUp(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.courses[number] == .begun else { return false }
            state.courses[number] = .givenUp
            state.overdue += 1
            return true
        }
    }

    private func end(_ number: Int) {
        let isLast = state.withLock { state in
            guard state.courses.removeValue(forKey: number) == .givenUp else { return false }
            state.overdue -= 1
            return state.overdue == 0
        }
        if isLast { isBack() }
    }

    private func work() {
        while let run = next() { run() }
    }

    /// `nil` when this thread is to end.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { $0.idle += 1 }
        while true {
            let rang = semaphore.wait(ms: idleMs)
            let (run, ends) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
                // What came in the very moment is done: whoever asked has counted on this thread.
                let first = state.line.isEmpty ? nil : state.line.removeFirst()
                if let first { state.courses[first.number] = .begun }
                if first != nil || !rang { state.idle -= 1 }
                if first == nil, !rang { state.threads -= 1 }
                return (first?.run, !rang)
            }
            if run != nil || ends { return run }
        }
    }
}

/// A semaphore of the system's, at an address of its own for as long as anybody may wait for it.
@safe private final class Semaphore: Sendable {
    // Shared freely: a semaphore is made for that.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func ring() { unsafe sem_post(semaphore) }

    /// `false` when it did not ring in time.
    func wait(ms: Int64) -> Bool {
        var until = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &until)
        let ns = Int64(until.tv_nsec) + max(0, ms) % 1_000 * 1_000_000
        until.tv_sec += Int(max(0, ms) / 1_000 + ns / 1_000_000_000)
        until.tv_nsec = Int(ns % 1_000_000_000)
        while unsafe baton_sem_wait_until(semaphore, &until) != 0 {
            if errno == ETIMEDOUT { return false }
        }
        return true
    }
}
