package import BatonCore
package import BatonProtocol

/// The rights that a channel gives to its clients, as admission has found them out. Routes of all dialects get it, and make
/// the `Identity` for their commands from it.
package struct Grant: Equatable, Sendable {
    package var role: Role
    package var trust: Trust
    package var address: String
    /// Where it comes from, as far as that cannot be chosen: the user of a socket, the machine, the network, or the device.
    package var scope: String
    /// The device that has shown who it is.
    package var device: Device?
    /// A client that comes this way has to show who it is before anything else.
    package var needsProof: Bool
    /// The user who has signed in by this browser, or to whom the device is linked.
    package var user: UserSession?

    package init(
        role: Role, trust: Trust, address: String, scope: String, device: Device? = nil, needsProof: Bool = false, user: UserSession? = nil
    ) {
        self.role = role
        self.trust = trust
        self.address = address
        self.scope = scope
        self.device = device
        self.needsProof = needsProof
        self.user = user
    }

    /// The same with the rights of a user. The role is at most what the channel or the device gives; on the hub's own machine, and
    /// over an encrypted connection that has shown nothing else, the password alone says who it is.
    package func signedIn(_ session: UserSession) -> Grant {
        var grant = self
        grant.user = session
        grant.role = needsProof || scope == Self.localScope ? session.user.role : min(role, session.user.role)
        grant.trust = min(needsProof ? .musicFolders : trust, Self.trust(of: grant.role))
        guard needsProof else { return grant }
        grant.needsProof = false
        grant.scope = "user/\(session.user.key)"
        return grant
    }

    /// What a device may do that has shown who it is. Any path may be named over the unix socket only.
    package init(of device: Device, address: String) {
        self.init(
            role: device.role, trust: min(.musicFolders, Self.trust(of: device.role)), address: address, scope: "dev/\(device.id)",
            device: device)
    }

    /// A client that has yet to show who it is.
    package static func unproved(address: String) -> Grant {
        Grant(role: .listener, trust: .itemsOnly, address: address, scope: "", needsProof: true)
    }

    package static func trust(of role: Role) -> Trust {
        switch role {
        case .listener, .guest: .itemsOnly
        case .remote: .musicFolders
        case .admin: .anyPath
        }
    }

    /// Where its clients come from, as far as they cannot choose that.
    package var origin: String { scope == "lan" ? "lan/\(AddressGroup.of(address))" : scope }

    package static let localScope = "local"
    package static let userScope = "uid:"

    /// Programs on this machine are told apart by their ids alone, whichever way they come; those of devices also by the
    /// device, so that none can use the name of another one's.
    package func principal(of client: String?) -> String {
        let owner = scope.hasPrefix(Self.userScope) ? Self.localScope : scope
        return client.map { "\(owner)/\($0)" } ?? owner
    }

    /// The sender of a request that stands alone, without a greeting. It may name its client.
    package func identity(client: String? = nil) -> Identity {
        Identity(
            client: principal(of: client), device: device?.id, authorName: device?.name ?? "", person: device?.person ?? .home,
            role: role,
            trust: trust, span: device?.span, origin: origin, address: address
        ).acting(as: user)
    }
}
