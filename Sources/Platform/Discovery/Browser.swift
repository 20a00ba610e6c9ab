package import BatonCore
package import BatonSeams
import CAvahi

/// Finds the hubs on the local network and follows their changes.
///
/// Avahi's callbacks copy their arguments into `inbox`. It is processed a turn later, outside of the callbacks, where resolvers may be
/// created and freed. A hub seen on several links is one hub with several addresses. A restart of the daemon loses no hub: hubs stay until
/// the new daemon has had time to search and did not find them.
@safe @Loop
package final class Browser {
    package enum Event: Equatable, Sendable {
        /// A hub appeared, or something about it changed.
        case found(HubRecord)
        /// The hub of this name is gone.
        case lost(String)
    }

    package enum State: Equatable, Sendable {
        case idle
        /// There is no system bus to reach Avahi through; retried from time to time.
        case noBus
        /// avahi-daemon is not running; browsing starts when it does.
        case waiting
        case browsing
        /// The reason for the failure, for people; retried from time to time.
        case failed(String)
    }

    package private(set) var state = State.idle {
        didSet { if state != oldValue { onState(state) } }
    }
    /// Called after each change of `state`.
    package var onState: @Loop (State) -> Void = { _ in }

    /// Limit that no home reaches. Further hubs are ignored, so that a hostile network cannot fill memory.
    package static let mostSightings = 256

    /// Time in which a new daemon finds existing hubs.
    private static let timeToLookAround = Duration.seconds(4)

    enum Sight {
        case appeared(Sighting.Key)
        case vanished(Sighting.Key)
        case resolved(Sighting, Sighting.Resolution?)
        case allForNow
        case broke
    }

    private let session: AvahiSession
    private let reactor: any Reactor
    private var report: @Loop (Event) -> Void = { _ in }
    private var browser: OpaquePointer?
    private var inbox: [Sight] = []
    private(set) var sightings: [Sighting.Key: Sighting] = [:]
    private var known: [String: HubRecord] = [:]
    private var recount: (any Alarm)?

    /// `callLimitMs` may be raised by a program that searches once and shows nothing meanwhile; the usual limit protects a busy loop.
    package init(reactor: any Reactor, log: Log, pace: RetryPace = RetryPace(), callLimitMs: Milliseconds? = nil) {
        self.reactor = reactor
        session = AvahiSession(reactor: reactor, log: log, pace: pace, callLimitMs: callLimitMs)
        session.onLoss = { [weak self] in self?.forgetSightings() }
        session.onChange = { [weak self] in self?.look() }
    }

    /// Reports every known hub and each later change, until `stop`.
    package func browse(_ report: @escaping @Loop (Event) -> Void) {
        precondition(session.state == .stopped, "A browser browses for one listener at a time.")
        self.report = report
        session.start()
        session.talk { look() }
    }

    package func stop() {
        report = { _ in }
        session.stop()
        recount?.cancel()
        known = [:]
        state = .idle
    }

    /// The hubs that answer within `time`, by name. Throws at once without Avahi.
    package func discover(for time: Duration) async throws(DiscoveryUnavailable) -> [HubRecord] {
        let finding = Finding()
        onState = { [weak self] state in
            guard let sentence = self?.unavailability(in: state) else { return }
            finding.finish(.failure(DiscoveryUnavailable(sentence)))
        }
        browse { _ in }
        let alarm = reactor.after(time) { [weak self] in
            finding.finish(.success(self?.known.values.sorted { $0.name < $1.name } ?? []))
        }
        let result = await finding.result()
        alarm.cancel()
        onState = { _ in }
        stop()
        return try result.get()
    }

    private func unavailability(in state: State) -> String? {
        switch state {
        case .idle, .browsing: nil
        case .noBus: "Hubs cannot be looked for: there is no system bus. Install dbus and avahi-daemon, or name the hub's address."
        case .waiting: "Hubs cannot be looked for: avahi-daemon is not running. Start it, or name the hub's address."
        case .failed(let sentence): "Hubs cannot be looked for. \(sentence)"
        }
    }

    private func look() {
        switch session.state {
        case .stopped, .connecting: break
        case .noBus: state = .noBus
        case .waiting: state = .waiting
        case .failed(let sentence): state = .failed(sentence)
        case .registering, .running:
            guard unsafe browser != nil || begin() else { return session.fail("Avahi cannot browse. \(session.refusal)") }
            state = .browsing
            workThroughInbox()
        }
    }

    private func begin() -> Bool {
        guard let client = unsafe session.client else { return false }
        unsafe browser = baton_avahi_service_browser_new(
            client, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), HubRecord.serviceType, nil, AvahiLookupFlags(0),
            { _, interface, family, event, name, _, domain, _, owner in
                let key = unsafe Sighting.Key(interface: interface, family: family, name: name, domain: domain)
                nonisolated(unsafe) let owner = unsafe given(owner)
                Loop.assumeIsolated { unsafe Unmanaged<Browser>.fromOpaque(owner).takeUnretainedValue().noted(event, key) }
            }, Unmanaged.passUnretained(self).toOpaque())
        return unsafe browser != nil
    }

    private func noted(_ event: AvahiBrowserEvent, _ key: Sighting.Key?) {
        switch (event, key) {
        case (AVAHI_BROWSER_NEW, let key?): note(.appeared(key))
        case (AVAHI_BROWSER_REMOVE, let key?): note(.vanished(key))
        case (AVAHI_BROWSER_ALL_FOR_NOW, _): note(.allForNow)
        case (AVAHI_BROWSER_FAILURE, _): note(.broke)
        default: break
        }
    }

    func note(_ sight: Sight) {
        inbox.append(sight)
        session.lookAgain()
    }

    private func workThroughInbox() {
        let sights = inbox
        inbox = []
        var changed: Set<String> = []
        for sight in sights {
            switch sight {
            case .appeared(let key): appeared(at: key)
            case .vanished(let key):
                vanished(from: key)
                changed.insert(key.name)
            case .resolved(let sighting, let resolution):
                guard sightings[sighting.key] === sighting else { break }
                unsafe sighting.resolved(resolution, by: session.client)
                changed.insert(sighting.key.name)
            case .allForNow: recountLater()
            // Changes of the known hubs may no longer be reported.
            case .broke: return session.fail("Avahi stopped browsing. \(session.refusal)")
            }
        }
        for name in changed.sorted() { tell(of: name) }
    }

    private func appeared(at key: Sighting.Key) {
        guard sightings[key] == nil, sightings.count < Self.mostSightings else { return }
        let sighting = Sighting(at: key, for: self)
        sightings[key] = sighting
        unsafe sighting.resolve(with: session.client)
    }

    private func vanished(from key: Sighting.Key) {
        sightings.removeValue(forKey: key)?.end()
    }

    /// Reports hubs that a new daemon has not found as lost, after a while. That the daemon has read its cache is not enough, since its own
    /// query may still be on the way.
    private func recountLater() {
        recount?.cancel()
        recount = reactor.after(Self.timeToLookAround) { [weak self] in
            guard let self, unsafe browser != nil else { return }
            for name in known.keys.sorted() { tell(of: name) }
        }
    }

    /// Reports the changes of one hub, after everything that arrived together was processed.
    private func tell(of name: String) {
        let sightings = self.sightings.values.filter { $0.key.name == name }
        if sightings.isEmpty {
            if known.removeValue(forKey: name) != nil { report(.lost(name)) }
        } else if let record = Sighting.record(of: sightings), record != known[name] {
            known[name] = record
            report(.found(record))
        }
    }

    private func forgetSightings() {
        sightings = [:]
        inbox = []
        unsafe browser = nil
    }
}

/// The reason why nothing can be discovered, as a sentence.
package struct DiscoveryUnavailable: Error, Equatable, CustomStringConvertible {
    package let description: String
    init(_ sentence: String) { description = sentence }
}

/// The result of `discover`: a timeout or a failure, whichever comes first.
@Loop
private final class Finding {
    private var outcome: Result<[HubRecord], DiscoveryUnavailable>?
    private var waiter: CheckedContinuation<Void, Never>?

    func finish(_ outcome: Result<[HubRecord], DiscoveryUnavailable>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        waiter?.resume()
        waiter = nil
    }

    func result() async -> Result<[HubRecord], DiscoveryUnavailable> {
        await withCheckedContinuation { waiting in
            if outcome == nil { waiter = waiting } else { waiting.resume() }
        }
        // `finish` sets the outcome before it resumes the waiter.
        return outcome ?? .failure(DiscoveryUnavailable("The search ended without a result."))
    }
}
