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

    var author: String? { name.isEmpty ? nil : name }
}

/// What a channel gives whoever comes through it.
struct Grant: Equatable, Sendable {
    var role: Role
    var trust: Trust
    var address: String
    /// Stands in for a device while nothing better is known.
    var scope: String

    /// What `hello` asks for can only lower the role.
    func caller(for hello: Hello) -> Caller {
        let role = min(self.role, hello.role ?? self.role)
        return Caller(
            device: "\(scope)/\(hello.client.id)", name: hello.client.name, role: role, trust: min(trust, Self.trust(of: role)))
    }

    /// A request that stands alone, without a greeting.
    var caller: Caller { Caller(device: scope, name: "", role: role, trust: trust) }

    static func trust(of role: Role) -> Trust {
        switch role {
        case .listener, .guest: .itemsOnly
        case .remote: .musicFolders
        case .admin: .anyPath
        }
    }
}
