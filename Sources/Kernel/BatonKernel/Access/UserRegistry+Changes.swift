package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Changes that admins make to users, and users to themselves.
extension UserRegistry {
    /// The user of this name without regard to case, or a fault for the parameter `user`.
    package func known(_ name: String) throws(ProtocolFault) -> User {
        guard let stored = users[key(of: name)] else {
            throw ProtocolFault(.notFound, "There is no user “\(name)”. See: baton user list", at: "/p/user")
        }
        return stored.user
    }

    /// Makes an account that needs no approval, whatever the sign-up policy is.
    package func add(_ name: String, password: String, role: Role) async throws(ProtocolFault) {
        let name = try Self.checked(name)
        try Self.check(password)
        let user = User(name: name, role: role, createdMs: wallMs())
        try checkRoom(for: user)
        let hash = try await hashed(password)
        try await change { [self] () throws(ProtocolFault) in
            try checkRoom(for: user)
            return ((), [.put(StoredUser(user, password: hash))])
        }
    }

    /// Changes a user. False when nothing changed.
    package func update(_ name: String, _ body: @escaping @Loop (inout StoredUser) -> Void) async throws(ProtocolFault) -> Bool {
        try await change { [self] () throws(ProtocolFault) in
            guard let before = users[try known(name).key] else { return (false, []) }
            var stored = before
            body(&stored)
            return stored == before ? (false, []) : (true, [.put(stored)])
        }
    }

    /// Checks the password of the user, within the limits of signing in.
    package func check(_ password: String, of user: User, from address: String) async throws(ProtocolFault) {
        guard let attempt = try await attempt(password, of: user.key, from: address) else {
            throw ProtocolFault(.wrongPassword, "The password until now is wrong.", at: "/p/old")
        }
        limiter.succeed(attempt)
    }

    /// Sets the password. All other sessions end, since the old password may be known to others.
    package func setPassword(of key: String, to password: String, except session: String?) async throws(ProtocolFault) {
        try Self.check(password)
        let hash = try await hashed(password)
        try await change { [self] () throws(ProtocolFault) in
            guard var stored = users[key] else { throw ProtocolFault(.notFound, "The user was removed meanwhile.", at: "/p/user") }
            stored.password = hash
            return ((), [.put(stored)] + ending(key, except: session))
        }
    }

    /// Ends sessions. False when there was none to end.
    package func revoke(_ key: String, session: String?, except own: String?) async throws(ProtocolFault) -> Bool {
        try await change { [self] () throws(ProtocolFault) in
            guard let session else {
                let changes = ending(key, except: own)
                return (!changes.isEmpty, changes)
            }
            guard let stored = sessions[session], stored.user == key else {
                throw ProtocolFault(.notFound, "There is no such session. See: baton user sessions", at: "/p/session")
            }
            return (true, [.end(stored.hash)])
        }
    }

    /// Removes a user with all sessions and links of devices. The caller deletes the rows of the person.
    package func remove(_ key: String) async throws(ProtocolFault) {
        try await change { () throws(ProtocolFault) in ((), [.remove(key)]) }
    }

    /// Links a device to a user. False when nothing changed.
    package func link(_ device: DeviceID, to key: String?) async throws(ProtocolFault) -> Bool {
        try await change { [self] () throws(ProtocolFault) in
            guard links[device] != key else { return (false, []) }
            return (true, [key.map { .link(UserLink(device: device, user: $0)) } ?? .unlink(device)])
        }
    }

    /// Changes the rule of a room and returns it; `isNew` is false when nothing changed.
    package func control(
        _ room: RoomID, _ who: RoomControl.Who?, name: String?, isOff: Bool
    ) async throws(ProtocolFault) -> (control: RoomControl, isNew: Bool) {
        try await change { [self] () throws(ProtocolFault) in
            let before = controls[room] ?? RoomControl()
            var control = before
            control.who = who ?? before.who
            if let name {
                let key = try isOff ? key(of: name) : known(name).key
                control.names = (control.names.filter { $0 != key } + (isOff ? [] : [key])).sorted()
            }
            guard control.names.count <= RoomControl.mostNames else {
                throw ProtocolFault(.quota, "A room names \(RoomControl.mostNames) users at most.", at: "/p/user")
            }
            return ((control, control != before), control == before ? [] : [.control(room, control)])
        }
    }

    private func ending(_ key: String, except own: String?) -> [UserChange] {
        sessions.filter { $0.value.user == key && $0.key != own }.map { .end($0.value.hash) }
    }
}
