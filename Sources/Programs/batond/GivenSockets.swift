/// The sockets that the service manager has opened, sorted by what the settings want to listen on. What it has not opened, the
/// hub opens itself; what no setting names is closed, with a sentence.
import BatonSeams
import Configuration
import EventLoop
import Glibc
import ServiceManager

struct GivenSockets: Sendable {
    /// The socket of the local tools.
    private(set) var unix: Int32?
    private var plain: [(address: ListenAddress, descriptor: Int32)] = []
    private var secure: [(address: ListenAddress, descriptor: Int32)] = []

    init(_ inherited: [InheritedSocket], _ settings: HubSettings, _ log: Log) {
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
            // A unit may say by its name what a socket is for, and then its address counts.
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

    /// What is listened on without encryption: what was given, and of the settings what was not. `nil` is to be opened.
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
