import BatonClient
import BatonSeams
import Configuration
import Discovery
import Glibc
import Sockets

/// Which hub is meant: the one that was named; else the one on this machine, else the one spoken to
/// last, else the only one on the network.
struct HubFinder: Sendable {
    let loop: EventLoop
    let memory: Memory
    let around: Surroundings

    /// How long to listen on the network.
    static let listening: Duration = .milliseconds(1500)

    /// Candidates in the order of trying. A hub that was named is the only one.
    func find(_ name: String?) async throws -> [Endpoint] {
        if let name { return [try await named(name)] }
        let likely = [localSocket, memory.lastHub].compactMap { $0 }
        return likely
    }

    /// The local hub's socket, when there is one.
    var localSocket: Endpoint? {
        let places = [around["BATON_SOCKET"]].compactMap { $0 } + Places(around).socketsToTry
        return places.first { access($0, F_OK) == 0 }.map { .unix(path: $0) }
    }

    private func named(_ name: String) async throws -> Endpoint {
        if name.contains("/") || name.contains(":"), let endpoint = Endpoint(text: name) { return endpoint }
        let hubs = (try? await discover()) ?? []
        if let found = hubs.first(where: { $0.name.lowercased() == name.lowercased() || $0.id == name }) {
            return try endpoint(of: found)
        }
        // A bare word may also be a machine's name.
        if let endpoint = Endpoint(text: name), name.contains(".") || name == "localhost" { return endpoint }
        throw Stop(.noHub, "There is no hub called “\(name)” on this network." + list(hubs))
    }

    /// The only hub on the network, or a sentence that lists what there is.
    func only() async throws -> Endpoint {
        let hubs: [HubRecord]
        do {
            hubs = try await discover()
        } catch {
            throw Stop(.noHub, "No hub runs here, and the network could not be searched: \(error) Name one with --hub HOST:PORT.")
        }
        guard !hubs.isEmpty else {
            throw Stop(.noHub, "No hub was found, here or on the network. Start one with batond, or name one with --hub HOST:PORT.")
        }
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

    func endpoint(of hub: HubRecord) throws(Stop) -> Endpoint {
        guard let address = hub.addresses.min(), let port = hub.plainPort else {
            throw Stop(.noHub, "“\(hub.name)” can be seen, but it gives no address that this version can speak to.")
        }
        return .tcp(host: address.host, port: port)
    }

    private func list(_ hubs: [HubRecord]) -> String {
        hubs.map { hub in "\n  \(hub.name)  \((try? endpoint(of: hub))?.text ?? "")" }.joined()
    }
}
