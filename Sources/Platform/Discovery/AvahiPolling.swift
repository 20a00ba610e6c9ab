import BatonCore
import BatonSeams
import CAvahi
import Glibc

/// The event loop that libavahi needs, built from the reactor's watches and alarms.
///
/// Avahi calls these seven functions, and they call back, on the loop thread only. Avahi gets pointers that own one reference each;
/// `watch_free` and `timeout_free` release it, possibly inside the callback of the freed object itself.
@safe @Loop
final class AvahiPolling {
    private let reactor: any Reactor
    private let callLimit: BusCallLimit
    private var callDepth = 0
    /// True after a call was aborted because the daemon did not answer.
    var isStuck: Bool { wasCut || callLimit.hasCut }
    private var wasCut = false
    private var descriptors: [Int32: SharedDescriptor] = [:]
    /// Avahi uses this address as long as a client lives.
    let api: UnsafeMutablePointer<AvahiPoll>

    init(reactor: any Reactor, callLimitMs: Milliseconds?) {
        self.reactor = reactor
        callLimit = BusCallLimit(limitMs: callLimitMs)
        unsafe api = .allocate(capacity: 1)
        unsafe api.initialize(to: AvahiPoll())
        unsafe api.pointee.userdata = Unmanaged.passUnretained(self).toOpaque()
        offerWatches()
        offerTimeouts()
    }

    isolated deinit {
        callLimit.close()
        for shared in descriptors.values { shared.watch?.cancel() }
        unsafe api.deinitialize(count: 1)
        unsafe api.deallocate()
    }

    /// Runs a call that may wait for the daemon. A daemon that hangs blocks the loop only briefly; then `isStuck` is true and the client is
    /// useless.
    func call<Result>(_ body: () -> Result) -> Result {
        callDepth += 1
        if callDepth == 1 { callLimit.begin() }
        defer {
            callDepth -= 1
            if callDepth == 0, callLimit.end() { wasCut = true }
        }
        return body()
    }

    func forgetStuck() { wasCut = false }

    private func offerWatches() {
        unsafe api.pointee.watch_new = { api, descriptor, events, callback, userdata in
            nonisolated(unsafe) let (polling, callback, userdata) = unsafe (given(given(api).pointee.userdata), given(callback), userdata)
            return unsafe Loop.assumeIsolated {
                let polling = unsafe Unmanaged<AvahiPolling>.fromOpaque(polling).takeUnretainedValue()
                let watch = unsafe AvahiDescriptorWatch(
                    descriptor, for: Readiness(events), callback: callback, userdata: userdata, of: polling)
                polling.add(watch)
                return unsafe OpaquePointer(Unmanaged.passRetained(watch).toOpaque())
            }
        }
        unsafe api.pointee.watch_update = { watch, events in
            nonisolated(unsafe) let watch = unsafe given(watch)
            Loop.assumeIsolated { unsafe AvahiDescriptorWatch.at(watch).change(to: Readiness(events)) }
        }
        unsafe api.pointee.watch_get_events = { watch in
            nonisolated(unsafe) let watch = unsafe given(watch)
            return Loop.assumeIsolated { unsafe AvahiDescriptorWatch.at(watch).happened.avahi }
        }
        unsafe api.pointee.watch_free = { watch in
            nonisolated(unsafe) let watch = unsafe given(watch)
            Loop.assumeIsolated {
                unsafe AvahiDescriptorWatch.at(watch).end()
                unsafe Unmanaged<AvahiDescriptorWatch>.fromOpaque(UnsafeRawPointer(watch)).release()
            }
        }
    }

    private func offerTimeouts() {
        unsafe api.pointee.timeout_new = { api, deadline, callback, userdata in
            nonisolated(unsafe) let (polling, callback, userdata) = unsafe (given(given(api).pointee.userdata), given(callback), userdata)
            let delay = unsafe AvahiTimeoutAlarm.delay(until: deadline)
            return unsafe Loop.assumeIsolated {
                let polling = unsafe Unmanaged<AvahiPolling>.fromOpaque(polling).takeUnretainedValue()
                let timeout = unsafe AvahiTimeoutAlarm(callback, userdata, on: polling.reactor)
                timeout.set(to: delay)
                return unsafe OpaquePointer(Unmanaged.passRetained(timeout).toOpaque())
            }
        }
        unsafe api.pointee.timeout_update = { timeout, deadline in
            nonisolated(unsafe) let timeout = unsafe given(timeout)
            let delay = unsafe AvahiTimeoutAlarm.delay(until: deadline)
            Loop.assumeIsolated { unsafe AvahiTimeoutAlarm.at(timeout).set(to: delay) }
        }
        unsafe api.pointee.timeout_free = { timeout in
            nonisolated(unsafe) let timeout = unsafe given(timeout)
            Loop.assumeIsolated {
                unsafe AvahiTimeoutAlarm.at(timeout).set(to: nil)
                unsafe Unmanaged<AvahiTimeoutAlarm>.fromOpaque(UnsafeRawPointer(timeout)).release()
            }
        }
    }

    // libdbus watches its socket twice, for reading and for writing, but a reactor takes a descriptor only once. So both share one watch.

    private struct SharedDescriptor {
        var sharers: [AvahiDescriptorWatch] = []
        var watch: (any Watch)?
        var interest: Readiness = []
    }

    private func add(_ watch: AvahiDescriptorWatch) {
        if descriptors[watch.descriptor] == nil { callLimit.note(watch.descriptor) }
        descriptors[watch.descriptor, default: SharedDescriptor()].sharers.append(watch)
        interestChanged(in: watch.descriptor)
    }

    fileprivate func remove(_ watch: AvahiDescriptorWatch) {
        descriptors[watch.descriptor]?.sharers.removeAll { $0 === watch }
        interestChanged(in: watch.descriptor)
    }

    fileprivate func interestChanged(in descriptor: Int32) {
        guard var shared = descriptors[descriptor] else { return }
        let interest = shared.sharers.reduce(into: Readiness()) { $0.formUnion($1.interest) }
        if interest.isEmpty {
            // A hang-up is reported while the descriptor is watched, and neither sharer would handle it.
            shared.watch?.cancel()
            shared.watch = nil
        } else if let watch = shared.watch {
            if interest != shared.interest { watch.change(to: interest) }
        } else {
            shared.watch = reactor.watch(descriptor, for: interest) { [weak self] in self?.deliver($0, to: descriptor) }
        }
        shared.interest = interest
        descriptors[descriptor] = shared.sharers.isEmpty ? nil : shared
        if shared.sharers.isEmpty { callLimit.forget(descriptor) }
    }

    private func deliver(_ readiness: Readiness, to descriptor: Int32) {
        call { for watch in descriptors[descriptor]?.sharers ?? [] { watch.deliver(readiness) } }
    }
}

/// The object behind an `AvahiWatch`.
@safe @Loop
private final class AvahiDescriptorWatch {
    let descriptor: Int32
    private(set) var interest: Readiness
    private(set) var happened: Readiness = []
    private let callback: AvahiWatchCallback
    private let userdata: UnsafeMutableRawPointer?
    /// Nil once freed, since a callback may free other watches.
    private weak var polling: AvahiPolling?

    init(
        _ descriptor: Int32, for interest: Readiness, callback: AvahiWatchCallback, userdata: UnsafeMutableRawPointer?,
        of polling: AvahiPolling
    ) {
        self.descriptor = descriptor
        self.interest = interest
        unsafe self.callback = unsafe callback
        unsafe self.userdata = userdata
        self.polling = polling
    }

    static func at(_ pointer: OpaquePointer) -> AvahiDescriptorWatch {
        unsafe Unmanaged.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    func change(to interest: Readiness) {
        self.interest = interest
        polling?.interestChanged(in: descriptor)
    }

    func deliver(_ readiness: Readiness) {
        happened = readiness.intersection(interest.union(.broken))
        guard polling != nil, !interest.isEmpty, !happened.isEmpty else { return }
        unsafe callback(OpaquePointer(Unmanaged.passUnretained(self).toOpaque()), descriptor, happened.avahi, userdata)
    }

    func end() {
        polling?.remove(self)
        polling = nil
    }
}

/// The object behind an `AvahiTimeout`.
@safe @Loop
private final class AvahiTimeoutAlarm {
    private let reactor: any Reactor
    private let callback: AvahiTimeoutCallback
    private let userdata: UnsafeMutableRawPointer?
    private var alarm: (any Alarm)?

    init(_ callback: AvahiTimeoutCallback, _ userdata: UnsafeMutableRawPointer?, on reactor: any Reactor) {
        unsafe self.callback = unsafe callback
        unsafe self.userdata = userdata
        self.reactor = reactor
    }

    static func at(_ pointer: OpaquePointer) -> AvahiTimeoutAlarm {
        unsafe Unmanaged.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    /// The delay until a deadline; `nil` if there is none, and the timer is not armed. Avahi gives deadlines as time of day, which may be
    /// changed; the immediate conversion keeps the delay correct.
    nonisolated static func delay(until deadline: UnsafePointer<timeval>?) -> Duration? {
        guard let deadline = unsafe deadline?.pointee else { return nil }
        let deadlineUs = Microseconds(Int64(deadline.tv_sec) * 1_000_000 + Int64(deadline.tv_usec))
        return .microseconds(max(0, deadlineUs - Clock.system.wallUs))
    }

    func set(to delay: Duration?) {
        alarm?.cancel()
        alarm = delay.map { delay in reactor.after(delay) { [weak self] in self?.ring() } }
    }

    private func ring() {
        alarm = nil
        unsafe callback(OpaquePointer(Unmanaged.passUnretained(self).toOpaque()), userdata)
    }
}

/// Avahi's event bits and the reactor's.
extension Readiness {
    fileprivate init(_ events: AvahiWatchEvent) {
        self = []
        if events.rawValue & AVAHI_WATCH_IN.rawValue != 0 { insert(.readable) }
        if events.rawValue & AVAHI_WATCH_OUT.rawValue != 0 { insert(.writable) }
    }

    fileprivate var avahi: AvahiWatchEvent {
        var bits: UInt32 = 0
        if contains(.readable) { bits |= AVAHI_WATCH_IN.rawValue }
        if contains(.writable) { bits |= AVAHI_WATCH_OUT.rawValue }
        if contains(.broken) { bits |= AVAHI_WATCH_HUP.rawValue }
        return AvahiWatchEvent(bits)
    }
}
