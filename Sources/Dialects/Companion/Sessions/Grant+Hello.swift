import BatonCore
import BatonProtocol
import BatonSeams

/// What a client says of itself in its greeting.
extension Grant {
    /// What `hello` asks for can only lower the role.
    func identity(for hello: Hello) -> Identity {
        let role = min(self.role, hello.role ?? self.role)
        let shown = hello.client.shownName
        // A device has one name, whatever it calls itself today.
        guard device == nil else { return identity(client: hello.client.id).lowered(to: role, shownAs: shown) }
        return Identity(
            client: principal(of: hello.client.id), authorName: hello.client.name, displayName: shown, role: role,
            trust: min(trust, Self.trust(of: role)), origin: origin, address: address
        ).acting(as: user)
    }
}

extension Identity {
    fileprivate func lowered(to role: Role, shownAs name: String) -> Identity {
        var identity = self
        identity.role = role
        identity.trust = min(trust, Grant.trust(of: role))
        if user == nil { identity.displayName = name }
        return identity
    }
}

extension Hello.Client {
    /// The first of these that says something. An id has four characters at least.
    fileprivate var shownName: String { !name.isEmpty ? name : !app.isEmpty ? app : id }
}
