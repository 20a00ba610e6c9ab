import BatonCore
import BatonProtocol
import BatonSeams

/// The rights that a channel gives to its clients.
struct Grant: Equatable, Sendable {
    var role: Role
    var trust: Trust
    var address: String
    /// Stands in for a device while nothing better is known.
    var scope: String
    /// Who it is, where that has been shown.
    var device: Device?
    /// A client that comes this way has to show who it is before anything else.
    var needsProof = false

    /// What `hello` asks for can only lower the role.
    func identity(for hello: Hello) -> Identity {
        let role = min(self.role, hello.role ?? self.role)
        let shown = hello.client.shownName
        // A device has one name and one list of keys, whatever it calls itself today.
        guard device == nil else { return identity.lowered(to: role, shownAs: shown) }
        return Identity(
            principal: "\(scope)/\(hello.client.id)", person: hello.client.name, displayName: shown, role: role,
            trust: min(trust, Self.trust(of: role)), origin: origin)
    }

    private var origin: String { scope == "lan" ? "lan/\(AddressGroup.of(address))" : scope }

    /// A request that stands alone, without a greeting.
    var identity: Identity {
        Identity(
            principal: scope, device: device?.id, person: device?.name ?? "", role: role, trust: trust, span: device?.span,
            origin: origin)
    }

    static func trust(of role: Role) -> Trust {
        switch role {
        case .listener, .guest: .itemsOnly
        case .remote: .musicFolders
        case .admin: .anyPath
        }
    }
}

extension Grant {
    /// What a device may do that has shown who it is. Any path may be named over the unix socket only.
    init(of device: Device, address: String) {
        self.init(
            role: device.role, trust: min(.musicFolders, Self.trust(of: device.role)), address: address, scope: "dev/\(device.id)",
            device: device)
    }

    /// A client that has yet to show who it is.
    static func unproved(address: String) -> Grant {
        Grant(role: .listener, trust: .itemsOnly, address: address, scope: "", needsProof: true)
    }
}

extension Identity {
    fileprivate func lowered(to role: Role, shownAs name: String) -> Identity {
        var identity = self
        identity.role = role
        identity.trust = min(trust, Grant.trust(of: role))
        identity.displayName = name
        return identity
    }
}

extension Hello.Client {
    /// The first of these that says something. An id has four characters at least.
    fileprivate var shownName: String { !name.isEmpty ? name : !app.isEmpty ? app : id }
}
