package import BatonCore
import BatonSeams
import Synchronization

/// Acts when a call takes longer than its limit.
///
/// It is for calls of a C library that may wait without limit. The calling thread announces start and end; another thread, which otherwise
/// sleeps, calls `expired` when the limit has passed. That thread starts with the first call and ends with `close`.
package final class CallTimer: Sendable {
    private struct State {
        var deadlineMs: Milliseconds?
        var hasExpired = false
        var isClosed = false
        var hasThread = false
    }

    private let state = Mutex(State())
    private let semaphore = Semaphore()
    private let limitMs: Milliseconds
    private let expired: @Sendable () -> Void

    /// `expired` is called with this timer's lock held, so it never runs after `end` has returned. It must not wait and must not call this
    /// timer.
    package init(limitMs: Milliseconds, expired: @escaping @Sendable () -> Void) {
        self.limitMs = limitMs
        self.expired = expired
    }

    package func begin() {
        let needsThread = state.withLock { state in
            state.deadlineMs = Clock.system.nowMs + limitMs
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if needsThread { OwnThread.start { [self] in watch() } }
        semaphore.signal()
    }

    /// Whether the last call took longer than its limit.
    package func end() -> Bool {
        state.withLock { state in
            state.deadlineMs = nil
            defer { state.hasExpired = false }
            return state.hasExpired
        }
    }

    /// Whether the running call has taken longer than its limit.
    package var hasExpired: Bool { state.withLock(\.hasExpired) }

    package func close() {
        state.withLock { $0.isClosed = true }
        semaphore.signal()
    }

    private func watch() {
        while let deadlineMs = state.withLock({ $0.isClosed ? nil : $0.deadlineMs ?? .max }) {
            if deadlineMs == .max { semaphore.wait() } else { _ = semaphore.wait(ms: deadlineMs - Clock.system.nowMs) }
            state.withLock { state in
                guard let deadlineMs = state.deadlineMs, Clock.system.nowMs >= deadlineMs else { return }
                state.deadlineMs = nil
                state.hasExpired = true
                expired()
            }
        }
    }
}
