import BatonCore
import BatonProtocol
import BatonSeams

/// Commands about users. What one asks about itself needs no role; another user is named by an admin alone.
///
/// Nothing of it is journalled or kept with a command's key: passwords and tokens are secret.
@Loop
final class UserCommands {
    private let users: UserRegistry
    private let devices: DeviceRegistry?
    private let personal: PersonalRows
    private let ledger: Ledger
    private let settling: Settling

    init(_ users: UserRegistry, _ devices: DeviceRegistry?, _ personal: PersonalRows, _ ledger: Ledger, _ settling: Settling) {
        self.users = users
        self.devices = devices
        self.personal = personal
        self.ledger = ledger
        self.settling = settling
    }

    func handle(_ request: UserRequest, _ visit: Visit) throws(ProtocolFault) -> Handling {
        switch request {
        case .me: return answered(visit, .ownUser(me(visit.identity)))
        case .list(let from): return answered(visit, .users(list(from: from)))
        case .sessions(let name): return answered(visit, .userSessions(sessions(of: try user(named: name, by: visit.identity), visit)))
        case .export(let name, let from):
            let user = try user(named: name, by: visit.identity)
            return settling.working(visit.id) { [self] () async throws(ProtocolFault) in try await export(user, from: from, visit) }
        case .adopt, .remove:
            return settling.working(visit.id) { [self] () async throws(ProtocolFault) in try await change(request, visit) }
        default:
            // Signing in waits for no source.
            return .working { [self] in
                do throws(ProtocolFault) { return try await change(request, visit) } catch { return Answer(visit.id, error) }
            }
        }
    }

    private func change(_ request: UserRequest, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let caller = visit.identity
        switch request {
        case .signUp(let name, let password):
            return answer(visit, signedIn(try await users.signUp(name, password: password, from: caller.place), visit))
        case .signIn(let name, let password):
            return answer(visit, signedIn(try await users.signIn(name, password: password, from: caller.place), visit))
        case .guest(let name):
            return answer(visit, signedIn(try await users.enterAsGuest(named: name, from: caller.place), visit))
        case .signOut:
            guard let session = caller.user else { return done(false, visit) }
            try await users.signOut(session.id)
            return done(true, visit)
        case .add(let name, let password, let role):
            try await users.add(name, password: password, role: role)
            return done(true, visit)
        case .setRole(let name, let role): return done(try await users.update(name) { $0.user.role = role }, visit)
        case .approve(let name): return done(try await users.update(name) { $0.user.isApproved = true }, visit)
        case .setPassword(let name, let old, let new): return try await setPassword(of: name, old, new, visit)
        case .revoke(let name, let session):
            let user = try user(named: name, by: caller)
            return done(try await users.revoke(user.key, session: session, except: caller.user?.id), visit)
        case .link(let device, let name): return try await link(device, to: name, visit)
        case .control(let room, let who, let name, let isOff):
            let room = room ?? visit.live.room.id
            let (control, isNew) = try await users.control(room, who, name: name, isOff: isOff)
            return Answer(
                Reply(
                    id: visit.id, isNew ? .applied() : .noop(why: .same), revision: ledger.revision,
                    data: .roomControl(control)))
        case .adopt(let person, let name):
            let user = try users.known(name)
            do throws(SourceFault) { try await personal.give(person, to: user.person) } catch { throw ProtocolFault(error, at: nil) }
            return done(true, visit)
        case .remove(let name):
            let user = try users.known(name)
            try await users.remove(user.key)
            do throws(SourceFault) { try await personal.forget(user.person) } catch { throw ProtocolFault(error, at: nil) }
            return done(true, visit)
        case .me, .list, .sessions, .export:
            throw ProtocolFault(.internal, "“\(request.name)” is answered elsewhere.")
        }
    }

    // MARK: Parts

    private func setPassword(of name: String?, _ old: String?, _ new: String, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let caller = visit.identity
        let user = try user(named: name, by: caller)
        let isOwn = caller.user?.user.key == user.key
        guard !user.isGuest else { throw ProtocolFault(.invalidState, "A guest has no password.") }
        if let old {
            try await users.check(old, of: user, from: caller.place)
        } else if isOwn || caller.role < .admin {
            throw ProtocolFault(.unauthorized, "The password until now is needed for that.", at: "/p/old")
        }
        try await users.setPassword(of: user.key, to: new, except: isOwn ? caller.user?.id : nil)
        return done(true, visit)
    }

    private func link(_ device: DeviceID, to name: String?, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        guard let devices else { throw ProtocolFault(.unsupported, "This hub was started without keys of its own, so it has no devices.") }
        _ = try devices.device(device)
        let user = try name.map { name throws(ProtocolFault) in try users.known(name) }
        let isNew = try await users.link(device, to: user?.key)
        if isNew { devices.dialects?.end(device, ProtocolFault(.invalidState, "The hub's owner has changed whose device this is.")) }
        return done(isNew, visit)
    }

    /// The user who is meant: the one who asks, or another that an admin names.
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

    private func signedIn(_ signed: SignedIn, _ visit: Visit) -> SignedInUser {
        SignedInUser(
            user: signed.user.name, role: signed.user.role, token: signed.token, session: users.sessionID(of: signed.token),
            expiresMs: signed.user.expiresMs)
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
        var account = PersonRow("user").adding("name", user.name).adding("role", user.role.rawValue).adding("createdMs", user.createdMs)
        if let end = user.expiresMs { account = account.adding("expiresMs", end) }
        var rows = [account]
        for (id, session) in users.sessions.filter({ $0.value.user == user.key }).sorted(by: { $0.value.createdMs < $1.value.createdMs }) {
            rows.append(
                PersonRow("session").adding("session", id).adding("createdMs", session.createdMs).adding("from", session.address))
        }
        for device in users.links.filter({ $0.value == user.key }).map(\.key.text).sorted() {
            rows.append(PersonRow("device").adding("dev", device))
        }
        do throws(SourceFault) { rows += try await personal.rows(of: user.person) } catch { throw ProtocolFault(error, at: nil) }
        let page = Array(rows.dropFirst(from).prefix(Self.pageRows))
        let end = from + page.count
        let data = ReplyData.exported(ExportedRows(page, total: rows.count, cursor: end < rows.count ? String(end) : nil))
        return Answer(Reply(id: visit.id, .applied(), revision: ledger.revision, data: data))
    }

    // MARK: Answers

    private func answered(_ visit: Visit, _ data: ReplyData) -> Handling {
        .answered(Answer(Reply(id: visit.id, .applied(), revision: ledger.revision, data: data)))
    }

    private func answer(_ visit: Visit, _ signed: SignedInUser) -> Answer {
        Answer(Reply(id: visit.id, .applied(), revision: ledger.revision, data: .signedIn(signed)))
    }

    private func done(_ isNew: Bool, _ visit: Visit) -> Answer {
        Answer(Reply(id: visit.id, isNew ? .applied() : .noop(why: .same), revision: ledger.revision))
    }
}

extension Identity {
    /// The address by which attempts are counted; the channel, where it has none.
    fileprivate var place: String { address.isEmpty ? origin : address }
}

extension UserRequest {
    fileprivate var name: String { Request.users(self).kind.rawValue }
}
