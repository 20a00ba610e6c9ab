import BatonSeams
import Foundation
import Testing

/// The loop of these tests: one thread for the whole process that polls, rings and runs `Loop`'s jobs.
@Loop
final class TestReactor: Reactor {
    static let shared = TestReactor()

    private var watches: [TestWatch] = []
    private var alarms: [TestAlarm] = []

    var nowUs: Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1000) }

    func watch(_ descriptor: Int32, for interest: Readiness, _ action: @escaping @Loop (Readiness) -> Void) -> any Watch {
        let watch = TestWatch(descriptor, interest, action)
        precondition(!watches.contains { $0.isLive && $0.descriptor == descriptor }, "An event loop takes a descriptor once.")
        watches.append(watch)
        return watch
    }

    func after(_ delay: Duration, _ action: @escaping @Loop () -> Void) -> any Alarm {
        let alarm = TestAlarm(due: nowUs + Int64(delay / .microseconds(1)), action)
        alarms.append(alarm)
        return alarm
    }

    /// Begins the thread, once; jobs that came earlier have waited.
    nonisolated static func start() { _ = thread }

    private nonisolated static let thread: Void = {
        var wake: [Int32] = [0, 0]
        precondition(pipe(&wake) == 0)
        let (out, into) = (wake[0], wake[1])
        Thread.detachNewThread {
            Loop.jobs.adopt { _ = write(into, "!", 1) }
            while true {
                var polled = Loop.assumeIsolated { shared.polled() } + [pollfd(fd: out, events: Int16(POLLIN), revents: 0)]
                poll(&polled, nfds_t(polled.count), Loop.assumeIsolated { shared.patience })
                var bytes: [UInt8] = [0, 0, 0, 0]
                if polled.last!.revents != 0 { _ = read(out, &bytes, bytes.count) }
                Loop.jobs.callback { Loop.assumeIsolated { shared.turn(polled) } }
            }
        }
    }()

    private func polled() -> [pollfd] {
        watches.removeAll { !$0.isLive }
        return watches.map { pollfd(fd: $0.descriptor, events: $0.interest.poll, revents: 0) }
    }

    private var patience: Int32 {
        alarms.removeAll { !$0.isLive }
        guard let next = alarms.map(\.due).min() else { return -1 }
        return Int32(clamping: max(0, (next - nowUs + 999) / 1000))
    }

    private func turn(_ polled: [pollfd]) {
        for (watch, polled) in zip(watches, polled) where watch.isLive && polled.revents != 0 {
            watch.action(Readiness(poll: polled.revents))
        }
        for alarm in alarms where alarm.isLive && alarm.due <= nowUs {
            alarm.cancel()
            alarm.action()
        }
    }
}

@Loop
private final class TestWatch: Watch {
    let descriptor: Int32
    let action: @Loop (Readiness) -> Void
    private(set) var interest: Readiness
    private(set) var isLive = true

    init(_ descriptor: Int32, _ interest: Readiness, _ action: @escaping @Loop (Readiness) -> Void) {
        self.descriptor = descriptor
        self.interest = interest
        self.action = action
    }

    func change(to interest: Readiness) { self.interest = interest }
    func cancel() { isLive = false }
}

@Loop
private final class TestAlarm: Alarm {
    let due: Int64
    let action: @Loop () -> Void
    private(set) var isLive = true

    init(due: Int64, _ action: @escaping @Loop () -> Void) {
        self.due = due
        self.action = action
    }

    func cancel() { isLive = false }
}

extension Readiness {
    fileprivate var poll: Int16 {
        (contains(.readable) ? Int16(POLLIN) : 0) | (contains(.writable) ? Int16(POLLOUT) : 0)
    }

    fileprivate init(poll events: Int16) {
        self = []
        if events & Int16(POLLIN) != 0 { insert(.readable) }
        if events & Int16(POLLOUT) != 0 { insert(.writable) }
        if events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { insert(.broken) }
    }
}

/// Has the loop running before the first test that lives on it.
struct WithALoop: SuiteTrait, TestScoping {
    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        TestReactor.start()
        try await function()
    }
}
