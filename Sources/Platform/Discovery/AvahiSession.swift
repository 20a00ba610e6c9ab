import BatonCore
import BatonSeams
import CAvahi

/// A connection to avahi-daemon that reconnects after any failure of the daemon or the bus.
///
/// Avahi calls back on the loop thread, inside its own functions and even inside `avahi_client_new`. So callbacks only schedule `settle`,
/// which runs a turn later, reads the current state, and may free anything. Groups and browsers belong to the client and end with it; their
/// owners drop them in `onLoss`. Every message to Avahi waits for the daemon's answer, which takes a fraction of a millisecond;
/// `BusCallLimit` aborts calls to a daemon that hangs.
@safe @Loop
final class AvahiSession {
    enum State: Equatable {
        case stopped
        /// The client was just created; its state is unknown.
        case connecting
        /// There is no system bus to speak through; retried later.
        case noBus
        /// The bus is there but avahi-daemon is not; its start will be noticed.
        case waiting
        /// The daemon is still settling its own host name.
        case registering
        case running
        /// The reason why Avahi refused; retried later.
        case failed(String)
    }

    private(set) var state = State.stopped
    private(set) var client: OpaquePointer?
    /// Called when the client is gone, with all groups and browsers created from it.
    var onLoss: @Loop () -> Void = {}
    /// Called after possible changes, outside all callbacks of Avahi.
    var onChange: @Loop () -> Void = {}

    private let polling: AvahiPolling
    private let reactor: any Reactor
    private let log: Log
    private let pace: RetryPace
    private var outage = Outage()
    private var look: (any Alarm)?
    private var retry: (any Alarm)?

    init(reactor: any Reactor, log: Log, pace: RetryPace, callLimitMs: Milliseconds? = nil) {
        self.reactor = reactor
        self.log = log
        self.pace = pace
        polling = AvahiPolling(reactor: reactor, callLimitMs: callLimitMs)
    }

    isolated deinit {
        look?.cancel()
        retry?.cancel()
        if let client = unsafe client { unsafe baton_avahi_client_free(client) }
    }

    func start() {
        if state == .stopped { connect() }
    }

    func stop() {
        close()
        retry?.cancel()
        retry = nil
        outage = Outage()
        state = .stopped
    }

    /// Schedules `settle`; called by Avahi's callbacks.
    func lookAgain() {
        if look == nil { look = reactor.after(.zero) { [weak self] in self?.settle() } }
    }

    /// Drops this client and tries a new one later.
    func fail(_ sentence: String) {
        let sentence = polling.isStuck ? Self.stuck : sentence
        close()
        tryAgainLater(.failed(sentence), sentence)
    }

    /// Avahi's text for the last refusal.
    var refusal: String {
        guard let client = unsafe client else { return "Avahi is not connected." }
        return "Avahi says: \(Self.text(of: unsafe baton_avahi_client_errno(client)))."
    }

    static func text(of status: Int32) -> String { unsafe String(cString: baton_avahi_strerror(status)) }

    private func connect() {
        let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
        var status: Int32 = 0
        polling.forgetStuck()
        let made = unsafe polling.call {
            unsafe baton_avahi_client_new(
                polling.api, AVAHI_CLIENT_NO_FAIL,
                { _, _, owner in
                    nonisolated(unsafe) let owner = unsafe given(owner)
                    Loop.assumeIsolated { unsafe Unmanaged<AvahiSession>.fromOpaque(owner).takeUnretainedValue().lookAgain() }
                }, owner, &status)
        }
        if let made = unsafe made {
            unsafe client = made
            state = .connecting
            lookAgain()
        } else if polling.isStuck {
            tryAgainLater(.failed(Self.stuck), Self.stuck)
        } else if status == AVAHI_ERR_DBUS_ERROR || status == AVAHI_ERR_NO_DAEMON {
            tryAgainLater(.noBus, "There is no system bus, so Avahi cannot be reached and hubs do not find each other.")
        } else {
            let sentence = "Avahi refuses the connection: \(Self.text(of: status))."
            tryAgainLater(.failed(sentence), sentence)
        }
    }

    private static let stuck = "avahi-daemon runs and does not answer; restart it, for hubs to find each other."

    private func settle() {
        look = nil
        talk { consider() }
    }

    /// Runs calls to the daemon, and drops the client if the daemon hangs.
    func talk(_ body: () -> Void) {
        polling.call(body)
        if polling.isStuck, unsafe client != nil { fail(Self.stuck) }
    }

    private func consider() {
        guard !polling.isStuck, let client = unsafe client else { return }
        switch unsafe baton_avahi_client_get_state(client) {
        case AVAHI_CLIENT_S_RUNNING: setState(.running)
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: setState(.registering)
        case AVAHI_CLIENT_CONNECTING: setState(.waiting)
        default: lost(because: unsafe baton_avahi_client_errno(client))
        }
    }

    private func setState(_ now: State) {
        state = now
        switch now {
        case .waiting: complain("avahi-daemon is not running; hubs find each other as soon as it does.")
        case .running: recovered()
        default: break
        }
        onChange()
    }

    private func lost(because status: Int32) {
        guard status == AVAHI_ERR_DISCONNECTED else { return fail("Avahi gave up: \(Self.text(of: status)).") }
        // The daemon or the bus ended. A new client finds out which, and waits for the daemon.
        close()
        state = .waiting
        retry?.cancel()
        retry = reactor.after(.milliseconds(50)) { [weak self] in self?.connect() }
        onChange()
    }

    private func close() {
        look?.cancel()
        look = nil
        guard let client = unsafe client else { return }
        unsafe self.client = nil
        polling.call { unsafe baton_avahi_client_free(client) }
        onLoss()
    }

    private func tryAgainLater(_ now: State, _ sentence: String) {
        state = now
        complain(sentence)
        retry?.cancel()
        retry = reactor.after(outage.nextDelay(isLate: polling.isStuck, pace)) { [weak self] in self?.connect() }
        onChange()
    }

    /// A repeated failure is logged when it starts and when it ends.
    private func complain(_ sentence: String) {
        if !outage.isLogged { log(.warning, sentence) }
        outage.isLogged = true
    }

    private func recovered() {
        if outage.isLogged { log(.notice, "Avahi answers again.") }
        outage = Outage()
    }
}

/// The failed attempts since the daemon last answered.
struct Outage {
    /// True once the log has a line about them.
    var isLogged = false
    private var failures = 0
    private var hadLateCall = false

    /// Counts a failed attempt, and returns the delay before the next one. On a busy machine the first aborted call may only have been late,
    /// so it is tried again soon; each attempt with a daemon that hangs holds the loop, so all others wait longer.
    mutating func nextDelay(isLate: Bool, _ pace: RetryPace) -> Duration {
        if isLate, !hadLateCall {
            hadLateCall = true
            return pace.afterLateCall
        }
        failures += 1
        return pace.delay(after: failures - 1)
    }
}

/// Delays between attempts whose success no event announces.
package struct RetryPace: Sendable {
    package var first: Duration
    package var most: Duration
    /// The delay after the first call that took too long.
    package var afterLateCall: Duration

    package init(first: Duration = .seconds(30), most: Duration = .seconds(300), afterLateCall: Duration = .seconds(1)) {
        self.first = first
        self.most = most
        self.afterLateCall = afterLateCall
    }

    /// The delay doubles after each failure.
    package func delay(after failures: Int) -> Duration { min(first * (1 << min(failures, 16)), most) }
}
