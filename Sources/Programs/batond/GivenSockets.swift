/// The sockets that the service manager has opened, sorted by purpose. The hub opens the remaining configured ones
/// itself; sockets that no setting names are closed with a warning.
import BatonSeams
import Configuration
import EventLoop
import Glibc
import Processes

struct GivenSockets: Sendable {
    /// The socket for local tools.
    private(set) var unix: Int32?
    private var plain: [(address: ListenAddress, descriptor: Int32)] = []
    private var secure: [(address: ListenAddress, descriptor: Int32)] = []

    init(_ inherited: [InheritedSocket], for settings: HubSettings, log: Log) {
        for socket in inherited {
            guard let address = Address(of: socket.descriptor) else {
                log(.warning, "The service manager has passed a descriptor that is no socket; it is not used.")
                continue
            }
            guard address.family != AF_UNIX else {
                if unix == nil { unix = socket.descriptor } else { close(socket.descriptor) }
                continue
            }
            let place = ListenAddress(host: address.host, port: address.port)
            // The socket's name in its unit may tell its purpose; its address then overrides the settings.
            if socket.name == "tls" || settings.tls.contains(where: { $0.isSame(as: place) }) {
                secure.append((place, socket.descriptor))
            } else if socket.name == "plain" || settings.listen.contains(where: { $0.isSame(as: place) }) {
                plain.append((place, socket.descriptor))
            } else {
                log(.warning, "The service manager listens on \(place.text), which neither listen nor tls names; the hub does not use it.")
                close(socket.descriptor)
            }
        }
    }

    /// The unencrypted addresses: sockets from the service manager, and configured addresses without one. A `nil`
    /// descriptor means that the hub has to open it.
    func plain(_ wanted: [ListenAddress]) -> [(address: ListenAddress, descriptor: Int32?)] { Self.joined(plain, wanted) }
    func secure(_ wanted: [ListenAddress]) -> [(address: ListenAddress, descriptor: Int32?)] { Self.joined(secure, wanted) }

    private static func joined(
        _ given: [(address: ListenAddress, descriptor: Int32)], _ wanted: [ListenAddress]
    ) -> [(address: ListenAddress, descriptor: Int32?)] {
        let rest = wanted.filter { address in !given.contains { address.isSame(as: $0.address) } }
        return given.map { ($0.address, $0.descriptor) } + rest.map { ($0, nil) }
    }
}

extension ListenAddress {
    fileprivate func isSame(as other: ListenAddress) -> Bool { port == other.port && plainHost == other.plainHost }

    private var plainHost: String { host == "localhost" ? "127.0.0.1" : host }
}
