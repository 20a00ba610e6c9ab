import BatonClient
import BatonSeams
import Configuration
import Discovery
import EventLoop
import Glibc

/// Which hub is meant: the one that was named; else the one on this machine, else the one spoken to
/// last, else the only one on the network.
struct HubFinder: Sendable {
    let loop: EventLoop
    let memory: Memory
    let around: Surroundings

    /// How long to listen on the network.
    static let listening: Duration = .milliseconds(1500)

    /// Candidates in the order of trying. A hub that was named is the only one; one this machine is
    /// paired with is first looked for where it was, which is quicker than asking the network.
    func find(_ name: String?) async throws -> [Endpoint] {
        guard let name else { return [localSocket, memory.lastHub].compactMap { $0 } }
        if let known = memory.knownHub(called: name)?.endpoint { return [known] }
        return [try await named(name)]
    }

    /// Whether the hub that is meant may be looked for on the network when it is not where it was.
    func maySearch(_ name: String?) -> Bool { name.map { memory.knownHub(called: $0) != nil } ?? true }

    func onNetwork(_ name: String?) async throws -> Endpoint {
        guard let name else { return try await only() }
        return try await named(name)
    }

    /// The local hub's socket, when there is one.
    var localSocket: Endpoint? {
        let places = [around["BATON_SOCKET"]].compactMap { $0 } + Places(around).socketsToTry
        return places.first { access($0, F_OK) == 0 }.map { .unix(path: $0) }
    }

    /// Where a network hides its hubs, they are reached all the same.
    static let byAddress =
        "Guest networks and firewalls keep mDNS (UDP port 5353) from this machine; a hub can still be named by its address: "
        + "baton pair wss://HOST:9443, then --hub wss://HOST:9443"

    private func named(_ name: String) async throws -> Endpoint {
        if name.contains("/") || name.contains(":"), let endpoint = Endpoint(text: name) { return memory.pinned(endpoint) }
        let hubs = (try? await discover()) ?? []
        let meant = memory.knownHub(called: name)?.id
        // It may have another name by now, and is still the one with that key.
        if let found = hubs.first(where: {
            $0.name.lowercased() == name.lowercased() || $0.id == name || meant != nil && known($0)?.id == meant
        }
        ) {
            return try endpoint(of: found)
        }
        // A bare word may also be a machine's name.
        if let endpoint = Endpoint(text: name), name.contains(".") || name == "localhost" { return memory.pinned(endpoint) }
        throw Stop(.noHub, "There is no hub called “\(name)” on this network." + (hubs.isEmpty ? " \(Self.byAddress)" : list(hubs)))
    }

    /// The only hub on the network, or a sentence that lists what there is.
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
        // The one spoken to last may be elsewhere by now.
        if let last = memory.lastHub.flatMap(memory.knownHub), let moved = hubs.first(where: { self.known($0)?.id == last.id }) {
            return try endpoint(of: moved)
        }
        // Among several, the ones this machine is paired with are meant.
        let known = hubs.filter { standing(of: $0) == .paired }
        if known.count == 1 { return try endpoint(of: known[0]) }
        guard hubs.count == 1 else { throw Stop(.noHub, "There are several hubs. Name one with --hub." + list(hubs)) }
        return try endpoint(of: hubs[0])
    }

    func discover() async throws -> [HubRecord] {
        try await Self.listen(on: loop, for: Self.listening)
    }

    @Loop
    private static func listen(on loop: EventLoop, for time: Duration) async throws -> [HubRecord] {
        try await Browser(reactor: loop, log: .silent).discover(for: time)
    }

    /// How a hub on the network stands to this machine.
    enum Standing: String {
        case paired
        /// It lets somebody in at this moment.
        case pairable = "open to pairing"
        /// It lets anybody in, without encryption.
        case open
        case foreign = "not paired"
        /// It was paired, and does not answer where it should be.
        case away = "paired, not here now"
        /// Somebody answers in the place of one that was paired, with another key.
        case impostor = "shows another key than when it was paired"
    }

    /// The hub that this machine was paired with, if this is it: by its id, or by its key if it got a new one.
    func known(_ hub: HubRecord) -> KnownHub? {
        hub.id.flatMap { memory.knownHub(called: $0) } ?? memory.known.first { HubRecord.hint(of: $0.hubKey) == hub.fingerprint }
    }

    func standing(of hub: HubRecord) -> Standing {
        if known(hub) != nil { return .paired }
        if hub.pairing { return .pairable }
        return hub.plainPort == nil ? .foreign : .open
    }

    /// By the key, where this machine has one; else plainly, where the hub allows that.
    func endpoint(of hub: HubRecord) throws(Stop) -> Endpoint {
        guard let address = hub.addresses.min() else {
            throw Stop(.noHub, "“\(hub.name)” can be seen, but it gives no address.")
        }
        if let known = known(hub), let port = hub.tlsPort { return .tls(host: address.host, port: port, pin: known.hubKey) }
        if let port = hub.plainPort { return .tcp(host: address.host, port: port) }
        guard let port = hub.tlsPort else { throw Stop(.noHub, "“\(hub.name)” can be seen, but it gives no port.") }
        return .tls(host: address.host, port: port, pin: nil)
    }

    /// The hub to pair with: the one that was named, else the one that lets somebody in, else the only one.
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
        hubs.map { hub in "\n  \(hub.name)  \((try? endpoint(of: hub))?.text ?? "")" }.joined()
    }
}
