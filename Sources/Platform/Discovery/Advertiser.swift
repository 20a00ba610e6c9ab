package import BatonSeams
import CAvahi

/// Announces one hub with all its services on the local network.
///
/// It stores what should be published, and compares that with Avahi's state after every change. So a restart of the daemon, a name conflict
/// and a changed record are handled the same way. For Avahi's callbacks and threads see `AvahiSession`.
@safe @Loop
package final class Advertiser {
    package enum State: Equatable, Sendable {
        /// Nothing is to be published.
        case withdrawn
        /// There is no system bus to reach Avahi through; retried from time to time.
        case noBus
        /// avahi-daemon is not running; publishing starts when it does.
        case waiting
        /// Names are being claimed.
        case registering
        /// Other machines see the hub under this name.
        case published(as: String)
        /// The reason for the failure, for people; retried from time to time.
        case failed(String)
    }

    package private(set) var state = State.withdrawn {
        didSet { if state != oldValue { onState(state) } }
    }
    /// Called after each change of `state`.
    package var onState: @Loop (State) -> Void = { _ in }

    private let session: AvahiSession
    private let log: Log
    private var wanted: Announcement?
    /// The wanted name, or its replacement after a conflict.
    private var name = ""
    /// The announcement that the daemon got last, under `name`.
    private var offered: Announcement?
    private var group: OpaquePointer?
    /// The group of the subtypes, apart from the services, which must not vanish when a subtype changes.
    private var subtypeGroup: OpaquePointer?
    private var shownSubtypes: [[String]] = []

    /// All services share one name, and change it together.
    private struct Announcement: Equatable {
        var name: String
        var services: [ServiceRecord]

        /// Properties that Avahi cannot change in place.
        var places: [String] { services.map { "\($0.type) \($0.port)" } }
    }

    package init(reactor: any Reactor, log: Log, pace: RetryPace = RetryPace()) {
        self.log = log
        session = AvahiSession(reactor: reactor, log: log, pace: pace)
        session.onLoss = { [weak self] in self?.forgetGroup() }
        session.onChange = { [weak self] in self?.reconcile() }
    }

    /// Announces the hub and its other services, each of another type. Called again, it changes the records.
    package func publish(_ hub: HubRecord, and others: [ServiceRecord] = []) {
        if wanted?.name != hub.serviceName { name = hub.serviceName }
        wanted = Announcement(name: hub.serviceName, services: (hub.service.map { [$0] } ?? []) + others)
        session.start()
        session.talk { reconcile() }
    }

    /// Removes the hub from the network. Other machines are told before this returns.
    package func withdraw() {
        wanted = nil
        session.talk { if let group = unsafe group { unsafe baton_avahi_entry_group_reset(group) } }
        unsafe subtypeGroup = nil
        session.stop()
        state = .withdrawn
    }

    private func forgetGroup() {
        unsafe group = nil
        unsafe subtypeGroup = nil
        offered = nil
    }

    private func reconcile() {
        guard let wanted else { return }
        switch session.state {
        case .stopped, .connecting: break
        case .noBus: state = .noBus
        case .waiting: state = .waiting
        case .failed(let sentence): state = .failed(sentence)
        case .registering:
            // The host's own name is in conflict, and with it every record that points to it.
            reset()
            state = .registering
        case .running: reconcile(to: wanted)
        }
    }

    private func reconcile(to wanted: Announcement) {
        guard let group = unsafe madeGroup() else { return session.fail(session.refusal) }
        switch AvahiEntryGroupState(UInt32(bitPattern: unsafe baton_avahi_entry_group_get_state(group))) {
        case AVAHI_ENTRY_GROUP_UNCOMMITED where offered == nil: offer(wanted)
        // The state is the last signalled one: the news of a reset may arrive after later events.
        case AVAHI_ENTRY_GROUP_UNCOMMITED where offered == wanted: state = .registering
        case AVAHI_ENTRY_GROUP_ESTABLISHED where offered == wanted: settle()
        case AVAHI_ENTRY_GROUP_REGISTERING where offered == wanted: state = .registering
        case AVAHI_ENTRY_GROUP_ESTABLISHED where offered?.name == wanted.name && offered?.places == wanted.places: rewrite(wanted)
        case AVAHI_ENTRY_GROUP_COLLISION:
            // The network settles name conflicts after publishing, so they appear here.
            takeAnotherName()
            reset()
            offer(wanted)
        case AVAHI_ENTRY_GROUP_FAILURE: session.fail("The hub cannot be announced. \(session.refusal)")
        default:
            reset()
            offer(wanted)
        }
    }

    private func settle() {
        showSubtypes()
        guard state != .published(as: name) else { return }
        log(.notice, "Announced on the network as “\(name)”.")
        state = .published(as: name)
    }

    private func madeGroup() -> OpaquePointer? {
        if unsafe group == nil { unsafe group = newGroup() }
        return unsafe group
    }

    private func newGroup() -> OpaquePointer? {
        guard let client = unsafe session.client else { return nil }
        return unsafe baton_avahi_entry_group_new(
            client,
            { _, _, session in
                nonisolated(unsafe) let session = unsafe given(session)
                Loop.assumeIsolated { unsafe Unmanaged<AvahiSession>.fromOpaque(session).takeUnretainedValue().lookAgain() }
            }, Unmanaged.passUnretained(session).toOpaque())
    }

    /// Adds the subtypes that new devices search for. Hubs without them are found too, so a refusal is harmless.
    private func showSubtypes() {
        let services = wanted?.services ?? []
        let subtypes = services.map(\.subtypes)
        if unsafe subtypeGroup != nil, shownSubtypes == subtypes { return }
        hideSubtypes()
        guard subtypes.contains(where: { !$0.isEmpty }), let made = unsafe newGroup() else { return }
        unsafe subtypeGroup = made
        shownSubtypes = subtypes
        for service in services {
            for subtype in service.subtypes {
                let status = unsafe baton_avahi_entry_group_add_service_subtype(
                    made, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0), name, service.type, nil,
                    subtype)
                guard status >= 0 else { return }
            }
        }
        unsafe baton_avahi_entry_group_commit(made)
    }

    private func hideSubtypes() {
        if let subtypeGroup = unsafe subtypeGroup { unsafe baton_avahi_entry_group_free(subtypeGroup) }
        unsafe subtypeGroup = nil
    }

    private func offer(_ wanted: Announcement) {
        guard !wanted.services.isEmpty else { return state = .failed("The hub has no port that others could connect to.") }
        var status = add(wanted.services)
        // A conflict on the same machine is reported at once.
        while status == AVAHI_ERR_COLLISION {
            takeAnotherName()
            if let group = unsafe group { unsafe baton_avahi_entry_group_reset(group) }
            status = add(wanted.services)
        }
        if status >= 0, let group = unsafe group { status = unsafe baton_avahi_entry_group_commit(group) }
        guard status >= 0 else { return refused(status) }
        offered = wanted
        state = .registering
    }

    private func add(_ services: [ServiceRecord]) -> Int32 {
        guard let group = unsafe group else { return Int32(AVAHI_ERR_BAD_STATE) }
        for service in services {
            let status = unsafe AvahiStrings.withList(of: service.txt) { txt in
                unsafe baton_avahi_entry_group_add_service_strlst(
                    group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0),
                    name, service.type, nil, nil, service.port, txt)
            }
            guard status >= 0 else { return status }
        }
        return 0
    }

    /// Changes the TXT records in place, so that the hub does not vanish for remotes.
    private func rewrite(_ wanted: Announcement) {
        guard let group = unsafe group else { return }
        let told = offered?.services ?? []
        for service in wanted.services where !told.contains(where: { $0.type == service.type && $0.txt == service.txt }) {
            let status = unsafe AvahiStrings.withList(of: service.txt) { txt in
                unsafe baton_avahi_entry_group_update_service_txt_strlst(
                    group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0),
                    name, service.type, nil, txt)
            }
            guard status >= 0 else { return refused(status) }
        }
        offered = wanted
        // A changed text does not change the group's state, so Avahi makes no callback.
        showSubtypes()
    }

    private func refused(_ status: Int32) {
        // The session notices a lost connection and starts over.
        if status == AVAHI_ERR_DISCONNECTED { return session.lookAgain() }
        session.fail("The hub cannot be announced. Avahi says: \(AvahiSession.text(of: status)).")
    }

    private func takeAnotherName() {
        let taken = name
        name = AvahiStrings.alternative(to: taken)
        log(.notice, "The name “\(taken)” is taken on this network; trying “\(name)”.")
    }

    private func reset() {
        hideSubtypes()
        if let group = unsafe group, offered != nil { unsafe baton_avahi_entry_group_reset(group) }
        offered = nil
    }
}
