package import BatonSeams
import CAvahi

/// Keeps one hub announced on the local network, for as long as it is wanted.
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
    private var wanted: HubRecord?
    /// The wanted name, or what became of it after others turned out to have it.
    private var name = ""
    /// What was last handed to the daemon, under `name`.
    private var offered: HubRecord?
    private var group: OpaquePointer?
    /// Holds the subtype of hubs that let a new device in, apart from the hub itself, which must not vanish for it.
    private var pairingGroup: OpaquePointer?

    package init(reactor: any Reactor, log: Log, pace: RetryPace = RetryPace()) {
        self.log = log
        session = AvahiSession(reactor: reactor, log: log, pace: pace)
        session.onLoss = { [weak self] in self?.forgetGroup() }
        session.onChange = { [weak self] in self?.reconcile() }
    }

    /// Announces the hub; again, with another record, changes what is announced.
    package func publish(_ record: HubRecord) {
        if wanted?.serviceName != record.serviceName { name = record.serviceName }
        wanted = record
        session.start()
        session.talk { reconcile() }
    }

    /// Takes the hub off the network. Others are told before this returns.
    package func withdraw() {
        wanted = nil
        session.talk { if let group = unsafe group { unsafe baton_avahi_entry_group_reset(group) } }
        unsafe pairingGroup = nil
        session.stop()
        state = .withdrawn
    }

    private func forgetGroup() {
        unsafe group = nil
        unsafe pairingGroup = nil
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

    private func reconcile(to wanted: HubRecord) {
        guard let group = unsafe madeGroup() else { return session.fail(session.refusal) }
        switch AvahiEntryGroupState(UInt32(bitPattern: unsafe baton_avahi_entry_group_get_state(group))) {
        case AVAHI_ENTRY_GROUP_UNCOMMITED where offered == nil: offer(wanted)
        // The state is what was last signalled: news of a reset may arrive after what followed it.
        case AVAHI_ENTRY_GROUP_UNCOMMITED where offered == wanted: state = .registering
        case AVAHI_ENTRY_GROUP_ESTABLISHED where offered == wanted: settle()
        case AVAHI_ENTRY_GROUP_REGISTERING where offered == wanted: state = .registering
        case AVAHI_ENTRY_GROUP_ESTABLISHED where differsInTextOnly(from: wanted): rewrite(wanted)
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
        showPairing()
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
    private func showPairing() {
        guard wanted?.pairing == true else { return hidePairing() }
        guard unsafe pairingGroup == nil, let made = unsafe newGroup() else { return }
        unsafe pairingGroup = made
        let status = unsafe baton_avahi_entry_group_add_service_subtype(
            made, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0), name, HubRecord.serviceType, nil,
            HubRecord.pairingSubtype)
        if status >= 0 { unsafe baton_avahi_entry_group_commit(made) }
    }

    private func hidePairing() {
        if let pairingGroup = unsafe pairingGroup { unsafe baton_avahi_entry_group_free(pairingGroup) }
        unsafe pairingGroup = nil
    }

    private func offer(_ record: HubRecord) {
        guard let port = record.port else { return state = .failed("The hub has no port that others could connect to.") }
        var status = add(record, port)
        // The same machine may hold the name already, which is known at once.
        while status == AVAHI_ERR_COLLISION {
            takeAnotherName()
            status = add(record, port)
        }
        if status >= 0, let group = unsafe group { status = unsafe baton_avahi_entry_group_commit(group) }
        guard status >= 0 else { return refused(status) }
        offered = record
        state = .registering
    }

    private func add(_ record: HubRecord, _ port: UInt16) -> Int32 {
        guard let group = unsafe group else { return Int32(AVAHI_ERR_BAD_STATE) }
        return unsafe AvahiStrings.withList(of: record.txt) { txt in
            unsafe baton_avahi_entry_group_add_service_strlst(
                group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0),
                name, HubRecord.serviceType, nil, nil, port, txt)
        }
    }

    private func differsInTextOnly(from wanted: HubRecord) -> Bool {
        offered?.serviceName == wanted.serviceName && offered?.port == wanted.port
    }

    /// Changes the TXT record in place, so that no remote sees the hub vanish.
    private func rewrite(_ record: HubRecord) {
        guard let group = unsafe group else { return }
        let status = unsafe AvahiStrings.withList(of: record.txt) { txt in
            unsafe baton_avahi_entry_group_update_service_txt_strlst(
                group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0),
                name, HubRecord.serviceType, nil, txt)
        }
        guard status >= 0 else { return refused(status) }
        offered = record
        // A changed text is no change of the group's state: Avahi does not call back when it is done.
        showPairing()
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
        hidePairing()
        if let group = unsafe group, offered != nil { unsafe baton_avahi_entry_group_reset(group) }
        offered = nil
    }
}
