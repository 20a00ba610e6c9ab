import BatonClient
import BatonSeams
import Configuration

/// The files that the satellite keeps between two commands: its client id, the hubs that it is paired with, and the hub that
/// it used last.
struct Memory {
    private let folder: String

    init(_ around: ProcessEnvironment) {
        let state = around["XDG_STATE_HOME"] ?? "\(around.home)/.local/state"
        folder = "\(state)/baton-satellite"
    }

    /// A random id, created once. If it cannot be stored, each command creates a new one.
    var clientID: String {
        if let known = read("client-id"), known.utf8.count >= 8 { return known }
        let new = Keys.random(length: 11)
        store("client-id", new)
        return new
    }

    /// The address of the last hub; with its key, if this machine is paired with it.
    var lastHub: Endpoint? { read("last-hub").flatMap(Endpoint.init(text:)).map(pinned) }

    func remember(_ endpoint: Endpoint) {
        if read("last-hub") != endpoint.text { store("last-hub", endpoint.text) }
        // A hub that has moved is recognised by its key.
        if let known = knownHub(at: endpoint) { moved(known, to: endpoint) }
    }

    func moved(_ hub: KnownHub, to endpoint: Endpoint) {
        guard hub.address != endpoint.text else { return }
        var hub = hub
        hub.address = endpoint.text
        try? hubs.store(hub)
    }

    // MARK: Hubs this machine is paired with

    var hubs: KnownHubs {
        SmallFile.makeFolders(above: "\(folder)/hubs")
        return KnownHubs(folder: "\(folder)/keys")
    }

    /// Empty if the file cannot be read; `withHub` reports the reason.
    var known: [KnownHub] { (try? hubs.all) ?? [] }

    /// The paired hub whose key is pinned in this address.
    func knownHub(at endpoint: Endpoint) -> KnownHub? {
        guard case .tls(_, _, let pin?) = endpoint else { return nil }
        return known.first { $0.hubKey == pin }
    }

    func knownHub(called name: String) -> KnownHub? { known.first { $0.id == name || $0.name.lowercased() == name.lowercased() } }

    /// The address with the key of the paired hub there, so that no other hub is accepted.
    func pinned(_ endpoint: Endpoint) -> Endpoint {
        known.first { $0.address == endpoint.text }.map { endpoint.pinned(to: $0.hubKey) } ?? endpoint
    }

    // MARK: Users that are signed in

    private var signedIn: SignedInUsers {
        SmallFile.makeFolders(above: "\(folder)/hubs")
        return SignedInUsers(folder: "\(folder)/keys")
    }

    /// The key for stored tokens: a paired hub's id, so that the hub may move; for other hubs the address.
    private func place(of endpoint: Endpoint) -> String { knownHub(at: endpoint)?.id ?? endpoint.text }

    /// The token that proves to the hub who is signed in there.
    func userToken(at endpoint: Endpoint) throws(KeyStoreFault) -> String? { try signedIn.token(at: place(of: endpoint)) }

    /// Stores a token; `nil` signs the user out.
    func storeUser(_ token: String?, at endpoint: Endpoint) throws(KeyStoreFault) { try signedIn.store(token, at: place(of: endpoint)) }

    func checkReadable() throws(KeyStoreFault) { _ = try hubs.all }

    private func read(_ name: String) -> String? { SmallFile.firstLine(of: "\(folder)/\(name)") }

    private func store(_ name: String, _ value: String) { store(name, whole: value + "\n") }

    // MARK: Files of several lines

    private static let mostBytes = 4 << 20

    func store(_ name: String, whole text: String) {
        let path = "\(folder)/\(name)"
        SmallFile.makeFolders(above: path)
        SmallFile.replace(path, with: text)
    }

    func text(of name: String) -> String? {
        (try? PlaylistFile.bytes(of: "\(folder)/\(name)", atMost: Self.mostBytes)).map { String(decoding: $0, as: UTF8.self) }
    }
}
