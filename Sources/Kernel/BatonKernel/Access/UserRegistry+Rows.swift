package import BatonCore
package import BatonSeams

/// The records about a user, for an export of all data of that person.
extension UserRegistry {
    /// The account, its sessions, the oldest first, and its devices.
    package func rows(of user: User) -> [PersonRow] {
        var account = PersonRow("user").adding("name", user.name).adding("role", user.role.rawValue)
        account = account.adding("createdMs", user.createdMs.count)
        if let end = user.expiresMs { account = account.adding("expiresMs", end.count) }
        let own = sessions.filter { $0.value.user == user.key }.sorted { $0.value.createdMs < $1.value.createdMs }
        let devices = links.filter { $0.value == user.key }.map(\.key.text).sorted()
        return [account]
            + own.map { id, session in
                PersonRow("session").adding("session", id).adding("createdMs", session.createdMs.count).adding("from", session.address)
            } + devices.map { PersonRow("device").adding("dev", $0) }
    }
}
