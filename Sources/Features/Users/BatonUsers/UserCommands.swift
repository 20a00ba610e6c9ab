import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about users. People need no role for their own data; only admins may name another user.
///
/// Nothing of these commands is in the journal, and their answers are kept in memory alone, since passwords and tokens are secret.
@Loop
struct UserCommands {
    let users: UserRegistry
    let devices: DeviceRegistry?
    let personal: PersonalRows
    let ledger: Ledger
    let settling: Settling

    /// Registers the commands.
    func install(in commands: CommandTable) {
        /// Registers a command without waiting for sources, since signing in needs none.
        func work<Command: CommandRequest>(
            on command: Command.Type, _ answer: @escaping @Loop (Command, AcceptedCommand) async throws(ProtocolFault) -> Answer
        ) {
            commands.on(command) { command, accepted in
                .working(for: accepted) { () async throws(ProtocolFault) in try await answer(command, accepted) }
            }
        }
        /// Registers a command that names a wanted state. `change` returns false if it was the state already.
        func change<Command: CommandRequest>(
            _ command: Command.Type, _ change: @escaping @Loop (Command, AcceptedCommand) async throws(ProtocolFault) -> Bool
        ) {
            work(on: command) { command, accepted async throws(ProtocolFault) in
                ledger.done(try await change(command, accepted), for: accepted)
            }
        }
        work(on: Commands.UserSignUp.self) { command, accepted async throws(ProtocolFault) in
            signedIn(try await users.signUp(command.name, password: command.password, from: accepted.identity.place), accepted)
        }
        work(on: Commands.UserSignIn.self) { command, accepted async throws(ProtocolFault) in
            signedIn(try await users.signIn(command.name, password: command.password, from: accepted.identity.place), accepted)
        }
        work(on: Commands.UserGuest.self) { command, accepted async throws(ProtocolFault) in
            signedIn(try await users.enterAsGuest(named: command.name, from: accepted.identity.place), accepted)
        }
        change(Commands.UserSignOut.self) { _, accepted async throws(ProtocolFault) in
            guard let session = accepted.identity.user else { return false }
            try await users.signOut(session.id)
            return true
        }
        change(Commands.UserAdd.self) { command, _ async throws(ProtocolFault) in
            try await users.add(command.name, password: command.password, role: command.role)
            return true
        }
        change(Commands.UserRole.self) { command, _ async throws(ProtocolFault) in
            try await users.update(command.user) { $0.user.role = command.role }
        }
        change(Commands.UserApprove.self) { command, _ async throws(ProtocolFault) in
            try await users.update(command.user) { $0.user.isApproved = true }
        }
        work(on: Commands.UserPassword.self, setPassword)
        change(Commands.UserRevoke.self) { command, accepted async throws(ProtocolFault) in
            let user = try user(named: command.user, by: accepted.identity)
            return try await users.revoke(user.key, session: command.session, except: accepted.identity.user?.id)
        }
        change(Commands.UserLinkSet.self) { command, _ async throws(ProtocolFault) in try await link(command.device, to: command.user) }
        work(on: Commands.RoomControlSet.self) { command, accepted async throws(ProtocolFault) in
            let room = command.room ?? accepted.live.room.id
            let (control, isNew) = try await users.control(room, command.who, name: command.user, isOff: command.isOff)
            return ledger.done(isNew, for: accepted, control)
        }
        commands.answer(Commands.UserMe.self) { _, accepted throws(ProtocolFault) in ledger.found(me(accepted.identity), for: accepted) }
        commands.answer(Commands.Users.self) { command, accepted throws(ProtocolFault) in
            ledger.found(list(from: command.from), for: accepted)
        }
        commands.answer(Commands.UserSessions.self) { command, accepted throws(ProtocolFault) in
            ledger.found(sessions(of: try user(named: command.user, by: accepted.identity), accepted), for: accepted)
        }
        installPersons(in: commands)
    }

    /// Registers the commands about all data of a person.
    private func installPersons(in commands: CommandTable) {
        commands.on(Commands.UserExport.self) { command, accepted throws(ProtocolFault) in
            let user = try user(named: command.user, by: accepted.identity)
            return settling.working(accepted.id) { () async throws(ProtocolFault) in try await export(user, from: command.from, accepted) }
        }
        commands.work(on: Commands.UserAdopt.self) { command, accepted async throws(ProtocolFault) in
            let user = try users.known(command.user)
            try await ProtocolFault.translating { () async throws(SourceFault) in
                try await personal.give(command.person, to: user.person)
            }
            return ledger.done(true, for: accepted)
        }
        commands.work(on: Commands.UserRemove.self) { command, accepted async throws(ProtocolFault) in
            let user = try users.known(command.user)
            try await users.remove(user.key)
            try await ProtocolFault.translating { () async throws(SourceFault) in try await personal.forget(user.person) }
            return ledger.done(true, for: accepted)
        }
    }

    // MARK: Parts

    private func setPassword(_ command: Commands.UserPassword, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let caller = accepted.identity
        let user = try user(named: command.user, by: caller)
        let isOwn = caller.user?.user.key == user.key
        guard !user.isGuest else { throw ProtocolFault(.invalidState, "A guest has no password.") }
        if let old = command.old {
            try await users.check(old, of: user, from: caller.place)
        } else if isOwn || caller.role < .admin {
            throw ProtocolFault(.wrongPassword, "The password until now is needed for that.", at: "/p/old")
        }
        try await users.setPassword(of: user.key, to: command.password, except: isOwn ? caller.user?.id : nil)
        return ledger.done(true, for: accepted)
    }

    private func link(_ device: DeviceID, to name: String?) async throws(ProtocolFault) -> Bool {
        guard let devices else { throw ProtocolFault(.notFound, "This hub was started without keys of its own, so it has no devices.") }
        _ = try devices.device(device)
        let user = try name.map { name throws(ProtocolFault) in try users.known(name) }
        let isNew = try await users.link(device, to: user?.key)
        if isNew { devices.dialects?.end(device, ProtocolFault(.invalidState, "The hub's owner has changed whose device this is.")) }
        return isNew
    }

    /// The user of a command: the sender, or another one that an admin names.
    private func user(named name: String?, by caller: Identity) throws(ProtocolFault) -> User {
        guard let name else {
            guard let own = caller.user else {
                throw ProtocolFault(.signedOut, "No user is signed in here. Sign in first: baton signin")
            }
            return own.user
        }
        if users.key(of: name) == caller.user?.user.key { return try users.known(name) }
        guard caller.role == .admin else { throw ProtocolFault(.forbidden, "Only an admin names another user.", at: "/p/user") }
        return try users.known(name)
    }

    private func signedIn(_ signed: SignedIn, _ accepted: AcceptedCommand) -> Answer {
        let user = SignedInUser(
            user: signed.user.name, role: signed.user.role, token: signed.token, session: users.sessionID(of: signed.token),
            expiresMs: signed.user.expiresMs)
        return ledger.found(user, for: accepted)
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

    private func sessions(of user: User, _ accepted: AcceptedCommand) -> UserSessionList {
        let own = users.sessions.filter { $0.value.user == user.key }.sorted { $0.value.createdMs < $1.value.createdMs }
        return UserSessionList(
            own.map { id, session in
                UserSessionList.Row(
                    session: id, createdMs: session.createdMs, address: session.address, isHere: id == accepted.identity.user?.id)
            })
    }

    private static let pageRows = 100

    private func export(_ user: User, from: Int, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let rows = try await ProtocolFault.translating { () async throws(SourceFault) in
            users.rows(of: user) + (try await personal.rows(of: user.person))
        }
        let window = PageWindow(from: from, limit: Self.pageRows)
        let page = window.rows(of: rows)
        return ledger.found(ExportedRows(page, total: rows.count, cursor: window.next(after: page.count, of: rows.count)), for: accepted)
    }
}

extension Identity {
    /// The key by which attempts are counted: the address, or the channel without one.
    fileprivate var place: String { address.isEmpty ? origin : address }
}
