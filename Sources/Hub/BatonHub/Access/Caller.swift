import BatonCore
import BatonProtocol
import BatonSeams

/// Who sends a command, as the door needs to know it.
struct Caller: Equatable, Sendable {
    /// Scopes command keys: the same key from two devices is two presses.
    var device: String
    /// For people: who added this.
    var name: String
    var role: Role
    var trust: Trust

    /// Whom an edit is noted under. Guests without a name share one, and with it a guest's share.
    var author: String? { !name.isEmpty ? name : role == .guest ? "A guest" : nil }
    /// The device that was paired; `nil` where the channel itself says enough.
    var paired: DeviceID?
    /// The levels to which the owner keeps this guest.
    var span: ClosedRange<Int>?
    /// Where it comes from, as far as it cannot choose that: the device that was paired, else the channel, and
    /// from elsewhere the address.
    var origin = ""

    /// Under which a guest's entries are counted. Names and ids of clients are chosen freely, and so do not count.
    var share: String? { role == .guest ? origin : nil }

    /// Understands the frames in which pictures come, and is there to take them.
    var pictures: PictureTaking = .none

    enum PictureTaking: Sendable { case none, whole, small }

    /// Only the hub's own machine makes an admin of somebody who is not paired.
    var isLocal: Bool { role == .admin && paired == nil }
}

/// What a channel gives whoever comes through it.
struct Grant: Equatable, Sendable {
    var role: Role
    var trust: Trust
    var address: String
    /// Stands in for a device while nothing better is known.
    var scope: String
    /// Who it is, where that has been shown.
    var device: Device?
    /// Whoever comes this way has to show who they are before anything else.
    var needsProof = false

    /// What `hello` asks for can only lower the role.
    func caller(for hello: Hello) -> Caller {
        let role = min(self.role, hello.role ?? self.role)
        // A device has one name and one list of keys, whatever it calls itself today.
        guard device == nil else { return caller.lowered(to: role) }
        return Caller(
            device: "\(scope)/\(hello.client.id)", name: hello.client.name, role: role, trust: min(trust, Self.trust(of: role)),
            origin: origin)
    }

    private var origin: String { scope == "lan" ? "lan/\(AddressGroup.of(address))" : scope }

    /// A request that stands alone, without a greeting.
    var caller: Caller {
        Caller(device: scope, name: device?.name ?? "", role: role, trust: trust, paired: device?.id, span: device?.span, origin: origin)
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

    /// Somebody who has yet to show it.
    static func unproved(address: String) -> Grant {
        Grant(role: .listener, trust: .itemsOnly, address: address, scope: "", needsProof: true)
    }
}

extension Caller {
    fileprivate func lowered(to role: Role) -> Caller {
        var caller = self
        caller.role = role
        caller.trust = min(trust, Grant.trust(of: role))
        return caller
    }
}
