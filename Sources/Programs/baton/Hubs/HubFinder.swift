import BatonClient
import BatonSeams
import Configuration
import Discovery
import EventLoop
import Glibc

/// Finds the hub to connect to: the named one; without a name this machine's, else the last one used, else the only
/// one on the network.
struct HubFinder: Sendable {
    let loop: EventLoop
    let memory: Memory
    let around: ProcessEnvironment

    /// Time limit for listening on the network.
    static let listening: Duration = .milliseconds(1500)

    /// Candidates in the order of trying; a named hub is the only candidate. A paired hub is first tried at its last
    /// address, which is quicker than searching the network.
    func find(_ name: String?) async throws -> [Endpoint] {
        guard let name else { return [localSocket, memory.lastHub].compactMap { $0 } }
        if let known = memory.knownHub(called: name)?.endpoint { return [known] }
        return [try await named(name)]
    }

    /// Whether the hub may be searched on the network when it is not at its last address.
    func maySearch(_ name: String?) -> Bool { name.map { memory.knownHub(called: $0) != nil } ?? true }

    func onNetwork(_ name: String?) async throws -> Endpoint {
        guard let name else { return try await only() }
        return try await named(name)
    }

    /// The local hub's socket; `nil` if there is none.
    var localSocket: Endpoint? { Self.localSocket(around) }

    static func localSocket(_ around: ProcessEnvironment) -> Endpoint? {
        let places = [around["BATON_SOCKET"]].compactMap { $0 } + StandardFolders(around).socketsToTry
        return places.first { access($0, F_OK) == 0 }.map { .unix(path: $0) }
    }

    /// Advice for networks on which hubs cannot be found.
    static let byAddress =
        "Guest networks and firewalls keep mDNS (UDP port 5353) from this machine; a hub can still be named by its address: "
        + "baton pair wss://HOST:9443, then --hub wss://HOST:9443"

    private func named(_ name: String) async throws -> Endpoint {
        if name.contains("/") || name.contains(":"), let endpoint = Endpoint(text: name) { return memory.pinned(endpoint) }
        let hubs = (try? await discover()) ?? []
        let meant = memory.knownHub(called: name)?.id
        // It may have another name by now; its key identifies it.
        if let found = hubs.first(where: {
            $0.name.lowercased() == name.lowercased() || $0.id == name || meant != nil && known($0)?.id == meant
        }
        ) {
            return try endpoint(of: found)
        }
        // A word without a port may also be a machine's name.
        if let endpoint = Endpoint(text: name), name.contains(".") || name == "localhost" { return memory.pinned(endpoint) }
        throw Stop(.noHub, "There is no hub called “\(name)” on this network." + (hubs.isEmpty ? " \(Self.byAddress)" : list(hubs)))
    }

    /// The only hub on the network, or a sentence that lists all hubs there.
    func only() async throws -> Endpoint {
        let hubs: [HubRecord]
        do {
            hubs = try await discover()
        } catch {
            throw Stop(.noHub, "No hub runs here, and the network could not be searched: \(error) \(Self.byAddress)")
        }
        guard !hubs.isEmpty else {
            throw Stop(.noHub, "No hub was found, here or on the network. Start one with batond. \(Self.byAddress)")
        }
        // The hub that was used last may have another address by now.
        if let last = memory.lastHub.flatMap(memory.knownHub), let moved = hubs.first(where: { self.known($0)?.id == last.id }) {
            return try endpoint(of: moved)
        }
        // Hubs that this machine is paired with come before all others.
        let known = hubs.filter { relation(of: $0) == .paired }
        if known.count == 1 { return try endpoint(of: known[0]) }
        guard hubs.count == 1 else { throw Stop(.noHub, "There are several hubs. Name one with --hub." + list(hubs)) }
        return try endpoint(of: hubs[0])
    }

    func discover() async throws -> [HubRecord] {
        try await Self.listen(on: loop, for: Self.listening)
    }

    @Loop
    private static func listen(on loop: EventLoop, for time: Duration) async throws -> [HubRecord] {
        try await Browser(reactor: loop, log: .silent, callLimitMs: 3_000).discover(for: time)
    }

    /// The relation between this machine and a hub on the network.
    enum Relation: String {
        case paired
        /// A pairing window is open at this moment.
        case pairable = "open to pairing"
        /// Every machine may connect, without encryption.
        case open
        case foreign = "not paired"
        /// It is paired, and does not answer at its address.
        case away = "paired, not here now"
        /// Another hub, with another key, answers at the address of a paired one.
        case impostor = "shows another key than when it was paired"
    }

    /// The paired hub that this record announces, found by its id, or by its key if the id is new; `nil` if there is none.
    func known(_ hub: HubRecord) -> KnownHub? {
        hub.id.flatMap { memory.knownHub(called: $0) } ?? memory.known.first { HubRecord.hint(of: $0.hubKey) == hub.fingerprint }
    }

    func relation(of hub: HubRecord) -> Relation {
        if known(hub) != nil { return .paired }
        if hub.pairing { return .pairable }
        return hub.plainPort == nil ? .foreign : .open
    }

    /// The hub's address: with TLS and its key if this machine knows it, else without encryption if the hub allows that.
    func endpoint(of hub: HubRecord) throws(Stop) -> Endpoint {
        guard let address = hub.addresses.min() else {
            throw Stop(.noHub, "“\(hub.name)” can be seen, but it gives no address.")
        }
        if let known = known(hub), let port = hub.tlsPort { return .tls(host: address.host, port: port, pin: known.hubKey) }
        if let port = hub.plainPort { return .tcp(host: address.host, port: port) }
        guard let port = hub.tlsPort else { throw Stop(.noHub, "“\(hub.name)” can be seen, but it gives no port.") }
        return .tls(host: address.host, port: port, pin: nil)
    }

    /// The hub to pair with: the named one, else the one with an open pairing window, else the only one.
    func pairable(_ name: String?) async throws -> Endpoint {
        if let name, name.contains(":") || name.contains("."), let endpoint = Endpoint(text: name) {
            guard endpoint.isSecure else {
                throw Stop(.usage, "Pairing goes through the hub's TLS port. Name it as wss://HOST:PORT; the usual port is 9443.")
            }
            return endpoint
        }
        let hubs = try await discover().filter { $0.tlsPort != nil }
        let meant = name.map { name in hubs.filter { $0.name.lowercased() == name.lowercased() || $0.id == name } } ?? hubs
        let open = meant.filter(\.pairing)
        guard let hub = open.count == 1 ? open[0] : meant.count == 1 ? meant[0] : nil else {
            let why = meant.isEmpty ? "No hub to pair with was found." : "There are several hubs. Name one: baton pair NAME."
            throw Stop(.noHub, meant.isEmpty ? "\(why) \(Self.byAddress)" : why + list(meant))
        }
        guard let address = hub.addresses.min(), let port = hub.tlsPort else { throw Stop(.noHub, "“\(hub.name)” gives no address.") }
        return .tls(host: address.host, port: port, pin: nil)
    }

    private func list(_ hubs: [HubRecord]) -> String {
        hubs.map { hub in "\n  \(VisibleText.of(hub.name))  \((try? endpoint(of: hub))?.text ?? "")" }.joined()
    }
}
