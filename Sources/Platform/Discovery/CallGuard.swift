import BatonSeams
import CLinux
import Glibc
import Synchronization
import Threads

/// Keeps libavahi from holding the loop. Its calls wait for avahi-daemon's answer, 25 seconds if need
/// be, and a daemon that is stopped or hangs gives none. A thread of its own, asleep otherwise, looks
/// after the call that runs: one that takes too long loses its connection to the bus, and so returns
/// at once with an error.
///
/// Lifetime: a descriptor is noted and forgotten on the loop by `AvahiPolling`, and forgotten before
/// libdbus closes it, so what is shut down here is open and ours. The thread ends with `close`.
final class CallGuard: Sendable {
    private struct State {
        var descriptors: [Int32] = []
        var deadlineMs: Int64?
        var wasCut = false
        var isOver = false
        var hasThread = false
    }

    /// A thousand times what a call takes, and less than a person notices.
    static let patienceMs: Int64 = 200

    private let state = Mutex(State())
    private let wakeEvent = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    deinit { Glibc.close(wakeEvent) }

    func note(_ descriptor: Int32) { state.withLock { $0.descriptors.append(descriptor) } }

    func forget(_ descriptor: Int32) { state.withLock { $0.descriptors.removeAll { $0 == descriptor } } }

    func begin() {
        let needsThread = state.withLock { state in
            state.deadlineMs = Self.nowMs + Self.patienceMs
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if needsThread { OwnThread.start { [self] in watch() } }
        ring()
    }

    /// Says whether the call that began last was cut short.
    func end() -> Bool {
        state.withLock { state in
            state.deadlineMs = nil
            defer { state.wasCut = false }
            return state.wasCut
        }
    }

    /// So does this, while the call still runs.
    var hasCut: Bool { state.withLock { $0.wasCut } }

    func close() {
        state.withLock { $0.isOver = true }
        ring()
    }

    // MARK: The thread

    private func watch() {
        while let waitMs = state.withLock({ $0.isOver ? nil : Self.wait(until: $0.deadlineMs) }) {
            var rung = pollfd(fd: wakeEvent, events: Int16(POLLIN), revents: 0)
            unsafe poll(&rung, 1, waitMs)
            var count: UInt64 = 0
            unsafe read(wakeEvent, &count, 8)
            state.withLock { state in
                guard let deadlineMs = state.deadlineMs, Self.nowMs >= deadlineMs else { return }
                for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
                state.deadlineMs = nil
                state.wasCut = true
            }
        }
    }

    private static func wait(until deadlineMs: Int64?) -> Int32 {
        deadlineMs.map { Int32(clamping: max(0, $0 - nowMs)) } ?? -1
    }

    private func ring() {
        var one: UInt64 = 1
        unsafe write(wakeEvent, &one, 8)
    }

    private static var nowMs: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
