import BatonProtocol
import BatonSeams

/// The user of a connection: by a token in its greeting, by the cookie of a browser, by its device, or by a command.
extension Session {
    /// Whether the greeting alone shows who this is, on a connection that has to show it.
    func takesUser(of hello: Hello) -> Bool {
        hello.user.flatMap { companion.ports.users?.session(withToken: $0) } != nil
    }

    /// A token that is no good is said to be so.
    func takeUser(of hello: Hello) -> ProtocolFault? {
        guard let users = companion.ports.users else { return nil }
        if let token = hello.user {
            guard let session = users.session(withToken: token) else {
                return ProtocolFault(.unauthorized, "The session of this user has ended. Sign in again: baton signin")
            }
            user = session
        }
        return nil
    }

    /// The user to whom the device is linked.
    private var linked: UserSession? {
        grant.device.flatMap { companion.ports.users?.user(of: $0.id) }.map { UserSession(id: "", user: $0) }
    }

    func introduce(_ hello: Hello) {
        var said = hello
        said.resume = nil
        said.rooms = nil
        self.said = said
        identity = current(hello)
    }

    /// The user to whom the device is linked bounds it also while another user is signed in there.
    private func current(_ hello: Hello) -> Identity {
        owner = linked
        var grant = grant
        for session in [owner, user] { if let session { grant = grant.signedIn(session) } }
        return grant.identity(for: hello)
    }

    /// From the next command on this connection is that user's, or no user's.
    private func become(_ session: UserSession?) {
        user = session
        guard let said else { return }
        // The list of who is connected shows the name.
        if isPresent { companion.ports.attendance.leave(self) }
        identity = current(said)
        // A private room of whom it was before is none of its own.
        roomsLost = -1
        if isPresent { companion.ports.attendance.enter(self) }
    }

    /// Called before the answer to a command is sent.
    func noteUser(_ kind: CommandKind?, _ reply: Reply) -> Reply {
        guard let users = companion.ports.users, reply.isSuccess else { return reply }
        switch kind {
        case .userSignup, .userSignin, .userGuest:
            guard var signed = reply.data as? SignedInUser, let session = signed.token.flatMap({ users.session(withToken: $0) }) else {
                return reply
            }
            become(session)
            var reply = reply
            signed.role = identity.role
            reply.data = signed
            return reply
        case .userSignout:
            // A browser that is a user's by its cookie connects again without it.
            if grant.user == nil { become(nil) }
            return reply
        default: return reply
        }
    }

    /// How the answer to a command leaves. Who ends the own session is answered before the connection is closed.
    func answering(_ kind: CommandKind?, _ receivedUs: Int64) -> @Loop (Reply) -> Void {
        switch kind {
        case .userSignup?, .userSignin?, .userGuest?: { [self] reply in answer(noteUser(kind, reply), receivedUs) }
        // A user may end the own session by these, or change what the own role allows.
        case .userSignout?, .userRole?, .userRevoke?, .userRemove?: parting(kind, receivedUs)
        default: { [self] reply in answer(reply, receivedUs) }
        }
    }

    private func parting(_ kind: CommandKind?, _ receivedUs: Int64) -> @Loop (Reply) -> Void {
        owedPartings += 1
        return { [self] reply in
            answer(noteUser(kind, reply), receivedUs)
            owedPartings -= 1
            lookAtUser()
        }
    }

    /// Called when users have changed. A parting that is on its way looks itself, behind its answer.
    func checkUser() {
        if owedPartings == 0 { lookAtUser() }
    }

    /// The user's session may have ended, or the user may do more or less than before.
    private func lookAtUser() {
        guard let users = companion.ports.users, phase == .live else { return }
        if let user, users.session(named: user.id) != user {
            return leave("The session of this user has ended, or the user's role was changed. Connect again.")
        }
        if owner != linked { leave("The hub's owner has changed what this user may do. Connect again.") }
    }

    private func leave(_ sentence: String) {
        let fault = ProtocolFault(.unauthorized, sentence)
        refuse(fault)
        announce(.restarting, sentence)
        end(.restarting, sentence)
    }
}
