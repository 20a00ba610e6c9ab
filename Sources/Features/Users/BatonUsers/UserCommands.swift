import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about users. People need no role for their own data; only admins may name another user.
///
/// Nothing of these commands is in the journal or stored with a key, since passwords and tokens are secret.
@Loop
struct UserCommands {
    let users: UserRegistry
    let devices: DeviceRegistry?
    let personal: PersonalRows
    let ledger: Ledger
    let settling: Settling

    /// Registers the commands. Without a store for users each of them fails with a fault.
    static func install(_ users: UserCommands?, in commands: CommandTable) {
        let none = ProtocolFault(.unsupported, "This hub was started without a place to keep users.")
        /// Registers a command without waiting for sources, since signing in needs none.
        func work<Command: CommandRequest>(
            on command: Command.Type,
            _ answer: @escaping @Loop (UserCommands, Command, Visit) async throws(ProtocolFault) -> Answer
        ) {
            commands.on(command, by: users, orElse: none) { users, command, visit in
                .working(for: visit) { () async throws(ProtocolFault) in try await answer(users, command, visit) }
            }
        }
        work(on: Commands.UserSignUp.self) { users, command, visit async throws(ProtocolFault) in
            users.signedIn(try await users.users.signUp(command.name, password: command.password, from: visit.identity.place), visit)
        }
        work(on: Commands.UserSignIn.self) { users, command, visit async throws(ProtocolFault) in
            users.signedIn(try await users.users.signIn(command.name, password: command.password, from: visit.identity.place), visit)
        }
        work(on: Commands.UserGuest.self) { users, command, visit async throws(ProtocolFault) in
            users.signedIn(try await users.users.enterAsGuest(named: command.name, from: visit.identity.place), visit)
        }
        work(on: Commands.UserSignOut.self) { users, _, visit async throws(ProtocolFault) in
            guard let session = visit.identity.user else { return users.ledger.done(false, for: visit) }
            try await users.users.signOut(session.id)
            return users.ledger.done(true, for: visit)
        }
        work(on: Commands.UserAdd.self) { users, command, visit async throws(ProtocolFault) in
            try await users.users.add(command.name, password: command.password, role: command.role)
            return users.ledger.done(true, for: visit)
        }
        work(on: Commands.UserRole.self) { users, command, visit async throws(ProtocolFault) in
            users.ledger.done(try await users.users.update(command.user) { $0.user.role = command.role }, for: visit)
        }
        work(on: Commands.UserApprove.self) { users, command, visit async throws(ProtocolFault) in
            users.ledger.done(try await users.users.update(command.user) { $0.user.isApproved = true }, for: visit)
        }
        work(on: Commands.UserPassword.self) { users, command, visit async throws(ProtocolFault) in
            try await users.setPassword(command, visit)
        }
        work(on: Commands.UserRevoke.self) { users, command, visit async throws(ProtocolFault) in
            let user = try users.user(named: command.user, by: visit.identity)
            let isNew = try await users.users.revoke(user.key, session: command.session, except: visit.identity.user?.id)
            return users.ledger.done(isNew, for: visit)
        }
        work(on: Commands.UserLinkSet.self) { users, command, visit async throws(ProtocolFault) in
            try await users.link(command.device, to: command.user, visit)
        }
        work(on: Commands.RoomControlSet.self) { users, command, visit async throws(ProtocolFault) in
            let room = command.room ?? visit.live.room.id
            let (control, isNew) = try await users.users.control(room, command.who, name: command.user, isOff: command.isOff)
            return users.ledger.done(isNew, for: visit, control)
        }
        installLooks(users, orElse: none, in: commands)
        installPersons(users, orElse: none, in: commands)
    }

    private static func installLooks(_ users: UserCommands?, orElse none: ProtocolFault, in commands: CommandTable) {
        commands.answer(Commands.UserMe.self, by: users, orElse: none) { users, _, visit throws(ProtocolFault) in
            users.ledger.found(users.me(visit.identity), for: visit)
        }
        commands.answer(Commands.Users.self, by: users, orElse: none) { users, command, visit throws(ProtocolFault) in
            users.ledger.found(users.list(from: command.from), for: visit)
        }
        commands.answer(Commands.UserSessions.self, by: users, orElse: none) { users, command, visit throws(ProtocolFault) in
            let user = try users.user(named: command.user, by: visit.identity)
            return users.ledger.found(users.sessions(of: user, visit), for: visit)
        }
    }

    /// Registers the commands about all data of a person.
    private static func installPersons(_ users: UserCommands?, orElse none: ProtocolFault, in commands: CommandTable) {
        commands.on(Commands.UserExport.self, by: users, orElse: none) { users, command, visit throws(ProtocolFault) in
            let user = try users.user(named: command.user, by: visit.identity)
            return users.settling.working(visit.id) { () async throws(ProtocolFault) in
                try await users.export(user, from: command.from, visit)
            }
        }
        commands.on(Commands.UserAdopt.self, by: users, orElse: none) { users, command, visit in
            users.settling.working(visit.id) { () async throws(ProtocolFault) in
                let user = try users.users.known(command.user)
                try await ProtocolFault.translating { () async throws(SourceFault) in
                    try await users.personal.give(command.person, to: user.person)
                }
                return users.ledger.done(true, for: visit)
            }
        }
        commands.on(Commands.UserRemove.self, by: users, orElse: none) { users, command, visit in
            users.settling.working(visit.id) { () async throws(ProtocolFault) in
                let user = try users.users.known(command.user)
                try await users.users.remove(user.key)
                try await ProtocolFault.translating { () async throws(SourceFault) in try await users.personal.forget(user.person) }
                return users.ledger.done(true, for: visit)
            }
        }
    }

    // MARK: Parts

    private func setPassword(_ command: Commands.UserPassword, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let caller = visit.identity
        let user = try user(named: command.user, by: caller)
        let isOwn = caller.user?.user.key == user.key
        guard !user.isGuest else { throw ProtocolFault(.invalidState, "A guest has no password.") }
        if let old = command.old {
            try await users.check(old, of: user, from: caller.place)
        } else if isOwn || caller.role < .admin {
            throw ProtocolFault(.unauthorized, "The password until now is needed for that.", at: "/p/old")
        }
        try await users.setPassword(of: user.key, to: command.password, except: isOwn ? caller.user?.id : nil)
        return ledger.done(true, for: visit)
    }

    private func link(_ device: DeviceID, to name: String?, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        guard let devices else { throw ProtocolFault(.unsupported, "This hub was started without keys of its own, so it has no devices.") }
        _ = try devices.device(device)
        let user = try name.map { name throws(ProtocolFault) in try users.known(name) }
        let isNew = try await users.link(device, to: user?.key)
        if isNew { devices.dialects?.end(device, ProtocolFault(.invalidState, "The hub's owner has changed whose device this is.")) }
        return ledger.done(isNew, for: visit)
    }

    /// The user of a command: the sender, or another one that an admin names.
    private func user(named name: String?, by caller: Identity) throws(ProtocolFault) -> User {
        guard let name else {
            guard let own = caller.user else {
                throw ProtocolFault(.unauthorized, "No user is signed in here. Sign in first: baton signin")
            }
            return own.user
        }
        if name.lowercased() == caller.user?.user.key { return try users.known(name) }
        guard caller.role == .admin else { throw ProtocolFault(.forbidden, "Only an admin names another user.", at: "/p/user") }
        return try users.known(name)
    }

    private func signedIn(_ signed: SignedIn, _ visit: Visit) -> Answer {
        let user = SignedInUser(
            user: signed.user.name, role: signed.user.role, token: signed.token, session: users.sessionID(of: signed.token),
            expiresMs: signed.user.expiresMs)
        return ledger.found(user, for: visit)
    }

    private func me(_ caller: Identity) -> OwnUser {
        let user = caller.user?.user
        return OwnUser(
            user: user?.name, role: caller.role, session: caller.user.flatMap { $0.id.isEmpty ? nil : $0.id },
            isGuest: user?.isGuest ?? false, expiresMs: user?.expiresMs,
            signUp: users.policy.signUp.rawValue, guests: users.policy.guests?.rawValue ?? "off")
    }

    private func list(from: Int) -> UserList {
        let counts = Dictionary(users.sessions.values.map { ($0.user, 1) }, uniquingKeysWith: +)
        let linked = Dictionary(grouping: users.links, by: \.value)
        let rows = users.users.values.map(\.user).sorted { ($0.createdMs, $0.key) < ($1.createdMs, $1.key) }.dropFirst(from)
        return UserList(
            rows.map { user in
                UserList.Row(
                    user: user.name, role: user.role, createdMs: user.createdMs, sessions: counts[user.key] ?? 0, isGuest: user.isGuest,
                    waits: !user.isApproved, expiresMs: user.expiresMs,
                    devices: (linked[user.key] ?? []).map(\.key).sorted { $0.text < $1.text })
            })
    }

    private func sessions(of user: User, _ visit: Visit) -> UserSessionList {
        let own = users.sessions.filter { $0.value.user == user.key }.sorted { $0.value.createdMs < $1.value.createdMs }
        return UserSessionList(
            own.map { id, session in
                UserSessionList.Row(
                    session: id, createdMs: session.createdMs, address: session.address, isHere: id == visit.identity.user?.id)
            })
    }

    private static let pageRows = 100

    private func export(_ user: User, from: Int, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let rows = try await ProtocolFault.translating { () async throws(SourceFault) in
            users.rows(of: user) + (try await personal.rows(of: user.person))
        }
        let window = PageWindow(from: from, limit: Self.pageRows)
        let page = window.rows(of: rows)
        return ledger.found(ExportedRows(page, total: rows.count, cursor: window.next(after: page.count, of: rows.count)), for: visit)
    }
}

extension Identity {
    /// The key by which attempts are counted: the address, or the channel without one.
    fileprivate var place: String { address.isEmpty ? origin : address }
}
