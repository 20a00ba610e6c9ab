import BatonCore
import BatonHub
import BatonKernel
import BatonProtocol
import BatonSeams
import Companion
import Configuration
import Crypto
import EventLoop
import SocketServer

/// The hub's encrypted port, with its keys and paired devices.
///
/// The certificate lists the machine's addresses. It is renewed with the same key when they change; devices pin the
/// key, so they are not affected.
@Loop
final class SecurePort {
    typealias Keys = HubKeys
    let keys: Keys
    let deviceRegistry: DeviceRegistry
    /// The addresses with the actual ports.
    private(set) var addresses: [ListenAddress] = []
    private let host: String
    private let log: Log
    private var server: Server?
    private var interfaces: Interfaces?
    private var certified: Certificate.Names
    private var untilMs: Milliseconds = 0
    private let loop: EventLoop
    private var renewal: (any Alarm)?

    /// Interval of checks for renewal, because a hub may run longer than its certificate is valid.
    private static let renewalEvery: Duration = .seconds(86_400)
    private static let renewalLeftMs: Milliseconds = 60 * 86_400_000

    /// The hub's own keys, created at the first start.
    static func keys(_ settings: HubSettings) throws(KeyStoreFault) -> HubKeys {
        try HubKeys(named: settings.name, host: settings.hostNames.first ?? "") { name throws(KeyStoreFault) in
            try SecretFile(name, in: folder(settings))
        }
    }

    private static func folder(_ settings: HubSettings) -> String { settings.data + "/keys" }

    init(_ settings: HubSettings, keys: HubKeys, host: String, on loop: EventLoop, log: Log) throws(KeyStoreFault) {
        self.host = host
        self.log = log
        self.loop = loop
        self.keys = keys
        deviceRegistry = try DeviceRegistry(
            DeviceRegistry.Parts(
                cryptography: OpenSSL(), keyStore: try SecretFile("devices", in: Self.folder(settings)), codec: .wire,
                hubKey: keys.pin),
            limits: settings.limits, reactor: loop, log: log, wallMs: { Clock.wallMs() })
        certified = Self.names(of: host)
    }

    func open(_ wanted: [(address: ListenAddress, descriptor: Int32?)], on server: Server) throws(SocketsError) {
        guard !wanted.isEmpty else { return }
        self.server = server
        let identity = identity(for: certified)
        for (address, given) in wanted {
            let port: UInt16
            if let given {
                port = try server.listen(tlsOn: given, as: identity)
            } else {
                port = try Self.listen(at: address, as: identity, on: server)
            }
            addresses.append(ListenAddress(host: address.host, port: port))
        }
        interfaces = Interfaces(loop) { [weak self] in self?.certify() }
        nameAddresses()
        armRenewal()
    }

    private func identity(for names: Certificate.Names) -> TLSIdentity {
        let identity = keys.identity(for: names)
        untilMs = Clock.system.wallMs + Milliseconds.seconds(Certificate(der: identity.certificate).secondsLeft)
        return identity
    }

    private func armRenewal() {
        renewal = loop.after(Self.renewalEvery) { [weak self] in
            self?.certify()
            self?.armRenewal()
        }
    }

    /// The certificate's facts for `baton doctor`; `nil` while none is in use.
    var certificate: HubDiagnostics.Certificate? {
        guard !addresses.isEmpty else { return nil }
        return HubDiagnostics.Certificate(root: keys.rootFingerprint, names: certified.hosts + certified.addresses, untilMs: untilMs)
    }

    /// Listens at an address. A machine without IPv6 falls back to IPv4.
    private static func listen(at address: ListenAddress, as identity: TLSIdentity, on server: Server) throws(SocketsError) -> UInt16 {
        do throws(SocketsError) {
            return try server.listen(tls: address.host, port: address.port, as: identity)
        } catch {
            guard address.host == "::", error.code != .taken, error.code != .forbidden else { throw error }
            return try server.listen(tls: "0.0.0.0", port: address.port, as: identity)
        }
    }

    /// The port for the network; `nil` while only this machine can reach it.
    var networkPort: UInt16? { addresses.first { !$0.isLoopback }?.port }

    private func certify() {
        let names = Self.names(of: host)
        nameAddresses()
        guard names != certified || untilMs - Clock.system.wallMs < Self.renewalLeftMs, let server else { return }
        do throws(SocketsError) {
            try server.renew(identity(for: names))
            certified = names
            log(.debug, "The certificate names \(names.addresses.joined(separator: ", ")) now.")
        } catch {
            log(.error, error.sentence)
        }
    }

    /// The names for the certificate. An address outside the root's constraints would make the whole certificate invalid.
    private static func names(of host: String) -> Certificate.Names {
        let hosts = host.isEmpty || host == "localhost" ? ["localhost"] : ["\(host).local", host, "localhost"]
        return Certificate.Names(hosts: hosts, addresses: Interfaces.addresses().filter(Certificate.isOfHome))
    }

    /// Sets the addresses in the pairing QR code, for phones that do not know this hub.
    private func nameAddresses() {
        guard let place = addresses.first(where: { !$0.isLoopback }) ?? addresses.first else { return }
        let everywhere = place.host == "0.0.0.0" || place.host == "::"
        let hosts = everywhere ? Interfaces.addresses().filter { !$0.contains(":") } : [place.host]
        deviceRegistry.addresses = hosts.map { ListenAddress(host: $0, port: place.port).text }
    }

    func close() {
        interfaces?.close()
        renewal?.cancel()
    }
}
