import BatonCore
import BatonProtocol
import BatonSeams

/// The identity of a connection. Connections from one address with one password share it.
@Loop
final class Client {
    /// `nil` for a connection that has to send a password first.
    let role: Role?
    let identity: Identity
    /// The password that has let it in; `nil` where none is needed, and before one was sent.
    let password: DialectPassword?
    let peer: Peer

    /// True for a program that reaches the hub by its socket file, which may ask where its files are.
    var isLocal: Bool { if case .unix = peer.channel { true } else { false } }

    init(_ peer: Peer, password: DialectPassword?) {
        self.peer = peer
        self.password = password
        let granted = [password?.role, Self.role(of: peer.channel)].compactMap { $0 }.max()
        role = granted
        let address = Self.name(of: peer)
        identity = Identity(
            dialect: MPD.name, client: password.map { "\($0.name)@\(address)" } ?? address, authorName: password?.name ?? "",
            displayName: password.map { $0.name } ?? "MPD (\(address))", role: granted ?? .listener,
            trust: Self.trust(of: granted, over: peer.channel), origin: Self.origin(of: peer), address: peer.address)
    }

    /// The role without a password: that of programs on this machine.
    private static func role(of channel: Peer.Channel) -> Role? {
        switch channel {
        case .unix: .admin
        case .loopback: .remote
        case .network, .tls: nil
        }
    }

    private static func trust(of role: Role?, over channel: Peer.Channel) -> Trust {
        guard let role, role >= .remote else { return .itemsOnly }
        return channel == .loopback ? .ownMachine : .musicFolders
    }

    private static func origin(of peer: Peer) -> String {
        switch peer.channel {
        case .unix(let uid, _): "\(Grant.userScope)\(uid)"
        case .loopback: Grant.localScope
        case .network, .tls: "lan/\(AddressGroup.of(peer.address))"
        }
    }

    private static func name(of peer: Peer) -> String {
        if case .unix(let uid, _) = peer.channel { return "uid \(uid)" }
        return peer.address
    }
}
