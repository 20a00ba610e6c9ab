import BatonSeams
import Glibc
import Synchronization

/// A small event loop for these tests: one thread that runs the loop's jobs, watches descriptors
/// with poll and keeps deadlines. Made once and kept, as the loop's queue has one thread for life.
final class PollReactor: Reactor {
    nonisolated static let shared = PollReactor.started()

    private var watches: [ObjectIdentifier: PollWatch] = [:]
    private var alarms: [ObjectIdentifier: PollAlarm] = [:]
    private nonisolated let bell: (read: Int32, write: Int32)
    /// How often the loop has woken up to do something.
    nonisolated let turns = Atomic(0)

    private nonisolated init(bell: (Int32, Int32)) { self.bell = bell }

    private static nonisolated func started() -> PollReactor {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        let reactor = PollReactor(bell: (ends[0], ends[1]))
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { raw in
                Unmanaged<PollReactor>.fromOpaque(raw!).takeUnretainedValue().run()
                return nil
            }, Unmanaged.passRetained(reactor).toOpaque())
        return reactor
    }

    private nonisolated func run() {
        let bell = self.bell.write
        Loop.jobs.adopt(wake: { _ = [UInt8(1)].withUnsafeBytes { write(bell, $0.baseAddress, 1) } })
        while true {
            let (descriptors, keys, wait) = Loop.assumeIsolated { preparePoll() }
            var polled = descriptors
            let count = poll(&polled, nfds_t(polled.count), wait)
            if count > 0 || wait >= 0 { turns.add(1, ordering: .relaxed) }
            var dust = [UInt8](repeating: 0, count: 64)
            while read(self.bell.read, &dust, 64) > 0 {}
            Loop.jobs.callback { Loop.assumeIsolated { fire(polled, keys) } }
        }
    }

    private func preparePoll() -> ([pollfd], [ObjectIdentifier?], Int32) {
        var descriptors = [pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0)]
        var keys: [ObjectIdentifier?] = [nil]
        for (key, watch) in watches {
            descriptors.append(pollfd(fd: watch.descriptor, events: watch.events, revents: 0))
            keys.append(key)
        }
        guard let first = alarms.values.map(\.dueUs).min() else { return (descriptors, keys, -1) }
        return (descriptors, keys, Int32(max(0, (first - nowUs + 999) / 1000)))
    }

    private func fire(_ polled: [pollfd], _ keys: [ObjectIdentifier?]) {
        for (descriptor, key) in zip(polled, keys) where descriptor.revents != 0 {
            guard let key, let watch = watches[key] else { continue }
            watch.action(Int32(descriptor.revents) & POLLIN != 0 ? .readable : .broken)
        }
        let now = nowUs
        for (key, alarm) in alarms where alarm.dueUs <= now && alarms[key] != nil {
            alarms[key] = nil
            alarm.action()
        }
    }

    var nowUs: Int64 { Self.clockUs() }

    nonisolated static func clockUs() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    func watch(_ descriptor: Int32, for interest: Readiness, _ action: @escaping @Loop (Readiness) -> Void) -> any Watch {
        let watch = PollWatch(descriptor, interest, action) { [weak self] in self?.watches[$0] = nil }
        watches[ObjectIdentifier(watch)] = watch
        return watch
    }

    func after(_ delay: Duration, _ action: @escaping @Loop () -> Void) -> any Alarm {
        let us = delay.components.seconds * 1_000_000 + delay.components.attoseconds / 1_000_000_000_000
        let alarm = PollAlarm(dueUs: nowUs + us, action) { [weak self] in self?.alarms[$0] = nil }
        alarms[ObjectIdentifier(alarm)] = alarm
        return alarm
    }
}

final class PollWatch: Watch {
    let descriptor: Int32
    var events: Int16
    let action: @Loop (Readiness) -> Void
    private let forget: @Loop (ObjectIdentifier) -> Void

    init(
        _ descriptor: Int32, _ interest: Readiness, _ action: @escaping @Loop (Readiness) -> Void,
        _ forget: @escaping @Loop (ObjectIdentifier) -> Void
    ) {
        self.descriptor = descriptor
        self.action = action
        self.forget = forget
        events = 0
        change(to: interest)
    }

    func change(to interest: Readiness) {
        events = Int16((interest.contains(.readable) ? POLLIN : 0) | (interest.contains(.writable) ? POLLOUT : 0))
    }

    func cancel() { forget(ObjectIdentifier(self)) }
}

final class PollAlarm: Alarm {
    let dueUs: Int64
    let action: @Loop () -> Void
    private let forget: @Loop (ObjectIdentifier) -> Void

    init(dueUs: Int64, _ action: @escaping @Loop () -> Void, _ forget: @escaping @Loop (ObjectIdentifier) -> Void) {
        self.dueUs = dueUs
        self.action = action
        self.forget = forget
    }

    func cancel() { forget(ObjectIdentifier(self)) }
}
