package import BatonSeams
import CAvahi

/// Keeps one hub announced on the local network, with all its services, for as long as it is wanted.
///
/// It remembers what should be published and compares that with what Avahi has whenever anything
/// changes: the daemon's restart, a name that another machine took and a new record are all the same
/// question. Which Avahi calls us, when and where: see `AvahiSession`.
@safe @Loop
package final class Advertiser {
    package enum State: Equatable, Sendable {
        /// Nothing is to be published.
        case withdrawn
        /// There is no system bus to reach Avahi through; tried again now and then.
        case noBus
        /// avahi-daemon is not running; publishing begins when it does.
        case waiting
        /// Names are being claimed.
        case registering
        /// Other machines see the hub under this name.
        case published(as: String)
        /// Why not, for a person; tried again now and then.
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
    /// The wanted name, or what became of it after others turned out to have it.
    private var name = ""
    /// What was last handed to the daemon, under `name`.
    private var offered: Announcement?
    private var group: OpaquePointer?
    /// Holds the subtypes, apart from the services themselves, which must not vanish when one of these comes or goes.
    private var subtypeGroup: OpaquePointer?
    private var shownSubtypes: [[String]] = []

    /// All services have one name, and take another one together.
    private struct Announcement: Equatable {
        var name: String
        var services: [ServiceRecord]

        /// What Avahi cannot change in place.
        var places: [String] { services.map { "\($0.type) \($0.port)" } }
    }

    package init(reactor: any Reactor, log: Log, pace: RetryPace = RetryPace()) {
        self.log = log
        session = AvahiSession(reactor: reactor, log: log, pace: pace)
        session.onLoss = { [weak self] in self?.forgetGroup() }
        session.onChange = { [weak self] in self?.reconcile() }
    }

    /// Announces the hub, and other services of it, each of another type; again, with other records, changes what is announced.
    package func publish(_ hub: HubRecord, and others: [ServiceRecord] = []) {
        if wanted?.name != hub.serviceName { name = hub.serviceName }
        wanted = Announcement(name: hub.serviceName, services: (hub.service.map { [$0] } ?? []) + others)
        session.start()
        session.talk { reconcile() }
    }

    /// Takes the hub off the network. Others are told before this returns.
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
        switch session.standing {
        case .stopped, .connecting: break
        case .noBus: state = .noBus
        case .waiting: state = .waiting
        case .failed(let sentence): state = .failed(sentence)
        case .registering:
            // The host's own name is in doubt, and with it every record that points at it.
            reset()
            state = .registering
        case .running: reconcile(to: wanted)
        }
    }

    private func reconcile(to wanted: Announcement) {
        guard let group = unsafe madeGroup() else { return session.fail(session.refusal) }
        switch AvahiEntryGroupState(UInt32(bitPattern: unsafe baton_avahi_entry_group_get_state(group))) {
        case AVAHI_ENTRY_GROUP_UNCOMMITED where offered == nil: offer(wanted)
        // The state is what was last signalled: news of a reset may arrive after what followed it.
        case AVAHI_ENTRY_GROUP_UNCOMMITED where offered == wanted: state = .registering
        case AVAHI_ENTRY_GROUP_ESTABLISHED where offered == wanted: settle()
        case AVAHI_ENTRY_GROUP_REGISTERING where offered == wanted: state = .registering
        case AVAHI_ENTRY_GROUP_ESTABLISHED where offered?.name == wanted.name && offered?.places == wanted.places: rewrite(wanted)
        case AVAHI_ENTRY_GROUP_COLLISION:
            // The network settles name conflicts after we publish, so a clash surfaces here.
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

    /// A new device may look for hubs that want it, and for no others. Without the subtype it finds
    /// them all the same, so a refusal is no trouble.
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
        // The same machine may hold the name already, which is known at once.
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

    /// Changes the TXT records in place, so that no remote sees the hub vanish.
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
        // A changed text is no change of the group's state: Avahi does not call back when it is done.
        showSubtypes()
    }

    private func refused(_ status: Int32) {
        // A lost connection reports itself to the session, which starts over.
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
