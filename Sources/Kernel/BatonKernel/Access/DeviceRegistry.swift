package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Access from other machines: the paired devices, the pairing window, and the one-time links of the hub's own machine.
///
/// It decides and stores; sessions do the talking. Every change is written before it counts, so a device that was told that
/// it is paired stays paired, and a removed one does not come back.
@Loop
package final class DeviceRegistry: DeviceAccess {
    /// The parts that the registry needs.
    package struct Parts {
        var cryptography: any Cryptography
        var keyStore: any KeyStore
        var codec: HubCodec
        /// SHA-256 of the hub's public key.
        var hubKey: [UInt8]
        /// The addresses of the hub for TLS, as `host:port`, best first.
        var addresses: [String]

        package init(cryptography: any Cryptography, keyStore: any KeyStore, codec: HubCodec, hubKey: [UInt8], addresses: [String] = []) {
            self.cryptography = cryptography
            self.keyStore = keyStore
            self.codec = codec
            self.hubKey = hubKey
            self.addresses = addresses
        }
    }

    /// Random numbers, hashes and ciphers, also for the dialects that pair and authenticate devices.
    package let cryptography: any Cryptography
    /// SHA-256 of the hub's public key, which devices remember so that no other machine can pose as the hub.
    package let hubKey: [UInt8]
    /// The hub's addresses for TLS, best first. The first one is in the QR code, for phones that do not know the hub.
    package var addresses: [String]
    /// The part that announces on the network whether a window is open; `nil` if the hub is not announced.
    package weak var announcer: (any PairingAnnouncing)?

    private let keyStore: any KeyStore
    private let codec: HubCodec
    let reactor: any Reactor
    let log: Log
    /// The wall clock, since times of pairing and expiry outlive a restart of the machine.
    package let wallMs: @Sendable () -> Milliseconds
    private(set) var table: DeviceTable
    var pairing: PairingAttempts
    private var tickets = Tickets()
    var limiter: ProofLimiter
    var windowAlarm: (any Alarm)?
    private var seenAlarm: (any Alarm)?
    private var expiryAlarm: (any Alarm)?
    /// The id of the hub, for the address that a QR code holds.
    private(set) var hubID = ""
    /// The protocols by which devices are connected.
    package private(set) weak var dialects: Dialects?
    private(set) var events: HubEvents?

    /// Reads the devices. It throws for a list that cannot be read, since a start with an empty list would lose all devices.
    package init(
        _ parts: Parts, limits: WireLimits = .standard, reactor: any Reactor, log: Log, wallMs: @escaping @Sendable () -> Milliseconds
    ) throws(KeyStoreFault) {
        limiter = ProofLimiter(ProofLimiter.Limits(limits), atUs: reactor.nowUs)
        cryptography = parts.cryptography
        hubKey = parts.hubKey
        addresses = parts.addresses
        keyStore = parts.keyStore
        codec = parts.codec
        self.reactor = reactor
        self.log = log
        self.wallMs = wallMs
        var table = DeviceTable()
        if let bytes = try parts.keyStore.load() {
            guard let read = parts.codec.decodeDevices(bytes) else {
                throw KeyStoreFault("The list of paired devices cannot be read. Restore it from a backup, or move it away and pair again.")
            }
            table = read
        }
        self.table = table
        pairing = PairingAttempts(failures: table.failures)
        armExpiry()
    }

    /// Connects the registry with the hub that it belongs to.
    package func open(hub id: String, _ dialects: Dialects, _ events: HubEvents) {
        hubID = id
        self.dialects = dialects
        self.events = events
    }

    /// Uses the changed table once it is stored.
    func store(_ table: DeviceTable) throws(ProtocolFault) {
        guard table != self.table else { return }
        do throws(KeyStoreFault) { try keyStore.store(codec.encodeDevices(table)) } catch {
            throw ProtocolFault(.unavailable, error.sentence)
        }
        self.table = table
        armExpiry()
    }

    // MARK: Authentication

    /// The device of this id, or the fault that says why there is none. An expired device gets the same fault as a removed
    /// one.
    package func device(_ id: DeviceID) throws(ProtocolFault) -> Device {
        if let device = table[id] {
            guard !device.isExpired(atMs: wallMs()) else {
                throw ProtocolFault(.revoked, "The time for which “\(device.name)” was let in is over. Ask the owner to let it in again.")
            }
            return device
        }
        if table.revoked.contains(id) {
            throw ProtocolFault(.revoked, "This device was sent away by the hub's owner. Ask to be paired again.")
        }
        throw ProtocolFault(.unauthorized, "This hub does not know this device. Pair it: baton pair")
    }

    /// Authenticates a device by its proof, and returns it with the key that it used.
    package func authenticate(_ asked: Authentication, _ proof: DeviceProof) throws(ProtocolFault) -> (device: Device, key: [UInt8]) {
        let device = try device(asked.device)
        guard case .key(let key, let next) = device.proof else { throw Self.unproved }
        if proof.isProof(asked.mac, of: .client, key: key) { return (device, key) }
        guard let next, proof.isProof(asked.mac, of: .client, key: next) else { throw Self.unproved }
        return (try using(next, of: device), next)
    }

    /// Drops the old key of a device that has used its new one.
    private func using(_ next: [UInt8], of device: Device) throws(ProtocolFault) -> Device {
        var device = device
        device.proof = .key(next, next: nil)
        var table = table
        table[device.id] = device
        try store(table)
        return device
    }

    private static let unproved = ProtocolFault(
        .unauthorized, "This device's key is not the one the hub knows. Pair it again: baton pair")

    /// The browser with this cookie, whose hash is compared with each device in constant time.
    package func browser(withCookie text: String) -> Device? {
        let hash = cryptography.sha256(Array(text.utf8))
        let nowMs = wallMs()
        return table.devices.first { device in
            guard case .cookie(let known) = device.proof else { return false }
            return isSame(known, hash) && !device.isExpired(atMs: nowMs)
        }
    }

    /// The device with this bearer, as a script sends it over HTTP. It follows from the device's key.
    package func device(withBearer text: String) -> Device? {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let shown = Base64URL.bytes(String(parts[1])), let device = try? device(DeviceID(String(parts[0]))),
            case .key(let key, let next) = device.proof
        else { return nil }
        let isOf = { isSame(shown, DeviceProof.bearer(key: $0, self.cryptography)) }
        if isOf(key) { return device }
        guard let next, isOf(next) else { return nil }
        return try? using(next, of: device)
    }

    /// Notes that the device was active. This is written later.
    package func noteActivity(of id: DeviceID) {
        guard var device = table[id] else { return }
        device.seenMs = wallMs()
        table[id] = device
        guard seenAlarm == nil else { return }
        seenAlarm = reactor.after(.seconds(60)) { [weak self] in
            guard let self else { return }
            self.seenAlarm = nil
            self.flush()
        }
    }

    private func flush() {
        do throws(KeyStoreFault) { try keyStore.store(codec.encodeDevices(table)) } catch { log(.warning, error.sentence) }
    }

    func close() {
        for alarm in [windowAlarm, seenAlarm, expiryAlarm] { alarm?.cancel() }
        if seenAlarm != nil { flush() }
    }

    // MARK: Tickets

    func issueTicket() -> String { tickets.issue(cryptography, atUs: reactor.nowUs) }

    /// A ticket for the first admin; `nil` when a device is an admin.
    package func firstTicket() -> String? { hasAdmin ? nil : tickets.issue(cryptography, atUs: reactor.nowUs, isFirst: true) }

    /// Makes the first ticket void, since there is an admin.
    func voidFirstTicket() { tickets.voidFirst() }

    private var hasAdmin: Bool { table.devices.contains { $0.role == .admin } }

    /// True if the client may be admin by this link. Once a device is an admin, the unused link of the first start is void.
    package func admits(_ client: String, with ticket: String) -> Bool {
        if hasAdmin { voidFirstTicket() }
        return tickets.admits(client, with: ticket, cryptography, atUs: reactor.nowUs)
    }

    // MARK: The owner's changes

    func change(_ id: DeviceID, _ body: (inout Device) -> Void) throws(ProtocolFault) -> Bool {
        guard var device = table[id] else { throw Self.unknown }
        let before = device
        body(&device)
        guard device != before else { return false }
        var table = table
        table[id] = device
        try store(table)
        return true
    }

    /// Removes a device, stores that, and only then ends its connections, so that it cannot return after a crash.
    package func revoke(_ id: DeviceID) throws(ProtocolFault) {
        guard let device = table[id] else { throw Self.unknown }
        var table = table
        table.revoke(id)
        try store(table)
        dialects?.end(id, ProtocolFault(.revoked, "This device was sent away by the hub's owner."))
        log(.notice, "“\(device.name)” was sent away.")
    }

    private static let unknown = ProtocolFault(.notFound, "There is no device of this id. See: baton devices", at: "/p/dev")

    /// Ends devices at the moment at which they expire, also while they play.
    private func armExpiry() {
        expiryAlarm?.cancel()
        guard let next = table.devices.compactMap(\.expiresMs).filter({ $0 > wallMs() }).min() else { return }
        // The wall clock may be set, so it is looked at once an hour at least.
        expiryAlarm = reactor.after(.milliseconds(min(next - wallMs() + 1, 3_600_000))) { [weak self] in
            guard let self else { return }
            let nowMs = self.wallMs()
            for device in self.table.devices where device.isExpired(atMs: nowMs) {
                self.dialects?.end(
                    device.id, ProtocolFault(.revoked, "The time for which “\(device.name)” was let in is over."))
            }
            self.armExpiry()
        }
    }
}
