import BatonCore
import BatonProtocol
import BatonSeams

/// The identity of a client after its greeting.
extension Grant {
    /// The identity for `hello`, whose role can only lower the granted one.
    func identity(for hello: Hello) -> Identity {
        let role = min(self.role, hello.role ?? self.role)
        let shown = hello.client.shownName
        // A device has the name from its pairing, even if its client sends another one.
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
    /// The first name that is not empty; an id has at least four characters.
    fileprivate var shownName: String { !name.isEmpty ? name : !app.isEmpty ? app : id }
}
