package import BatonCore
package import BatonProtocol

/// The rights of a channel's clients, as decided by admission. Routes of all dialects get it, and make the `Identity` for their commands from it.
package struct Grant: Equatable, Sendable {
    /// The role, which a client's own statements can only lower.
    package var role: Role
    /// The reach into this machine.
    package var trust: Trust
    /// The address of the peer, or of the client behind a trusted proxy.
    package var address: String
    /// The origin of its clients, as far as they cannot choose it: the user of a socket, the machine, the network, or the device.
    package var scope: String
    /// The device that has proved who it is.
    package var device: Device?
    /// True when clients of this channel must first prove who they are.
    package var needsProof: Bool
    /// The user who has signed in with this browser, or whom the device is linked to.
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

    /// The same grant with the rights of a user. The role is limited by the channel or the device, except on the hub's own machine and over an
    /// encrypted connection without another proof, where the password alone decides.
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

    /// The rights of a device that has proved who it is. Paths of any kind are permitted over the unix socket only.
    package init(of device: Device, address: String) {
        self.init(
            role: device.role, trust: min(.musicFolders, Self.trust(of: device.role)), address: address, scope: "dev/\(device.id)",
            device: device)
    }

    /// A client that has not yet proved who it is.
    package static func unproved(address: String) -> Grant {
        Grant(role: .listener, trust: .itemsOnly, address: address, scope: "", needsProof: true)
    }

    /// The largest reach that a role can have.
    package static func trust(of role: Role) -> Trust {
        switch role {
        case .listener, .guest: .itemsOnly
        case .remote: .musicFolders
        case .admin: .anyPath
        }
    }

    /// The origin of its clients, as far as they cannot choose it.
    package var origin: String { scope == "lan" ? "lan/\(AddressGroup.of(address))" : scope }

    /// The scope of programs on this machine over TCP.
    package static let localScope = "local"
    /// The beginning of the scopes of socket users, followed by the number of the user.
    package static let userScope = "uid:"

    /// The principal of a client. Programs on this machine differ by their ids alone, whatever channel they use; those of devices also by the device,
    /// so that none can use the name of another device's program.
    package func principal(of client: String?) -> String {
        let owner = scope.hasPrefix(Self.userScope) ? Self.localScope : scope
        return client.map { "\(owner)/\($0)" } ?? owner
    }

    /// The sender of a single request without a greeting. It may name its client.
    package func identity(client: String? = nil) -> Identity {
        Identity(
            client: principal(of: client), device: device?.id, authorName: device?.name ?? "", person: device?.person ?? .home,
            role: role,
            trust: trust, span: device?.span, origin: origin, address: address
        ).acting(as: user)
    }
}
