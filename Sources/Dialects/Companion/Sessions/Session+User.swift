import BatonCore
import BatonProtocol
import BatonSeams

/// The user of a connection, from a token in its greeting, a browser's cookie, its device, or a command.
extension Session {
    /// Signs in with a token; an invalid one is reported.
    func takeUser(of hello: Hello) -> ProtocolFault? {
        guard let users = companion.ports.users else { return nil }
        if let token = hello.user {
            guard let session = users.session(withToken: token) else {
                return ProtocolFault(.signedOut, "The session of this user has ended. Sign in again: baton signin", at: "/user")
            }
            user = session
        }
        return nil
    }

    /// The user that the device is linked to.
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

    /// The identity. The user that the device is linked to also limits another user who is signed in there.
    private func current(_ hello: Hello) -> Identity {
        owner = linked
        var grant = grant
        for session in [owner, user] { if let session { grant = grant.signedIn(session) } }
        return grant.identity(for: hello)
    }

    /// Changes the user of this connection from the next command on; `nil` signs the user out.
    private func become(_ session: UserSession?) {
        user = session
        guard let said else { return }
        // The list of connected clients shows the name.
        if isPresent { companion.ports.attendance.leave(self) }
        identity = current(said)
        wanted = shape(askedSections)
        // The client's copy has names, or lacks them.
        if learnsNames != identity.role.learnsNames { owesWhole = true }
        learnsNames = identity.role.learnsNames
        // A private room of the earlier user is not accessible any more.
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

    /// Sends the answer to a command. A user who ends the own session is answered before the connection is closed.
    func answering(_ kind: CommandKind?, _ receivedUs: Microseconds) -> @Loop (Reply) -> Void {
        switch kind {
        case .userSignup?, .userSignin?, .userGuest?: { [self] reply in answer(noteUser(kind, reply), receivedUs) }
        // These commands may end the user's own session, or change the permissions of the own role.
        case .userSignout?, .userRole?, .userRevoke?, .userRemove?: parting(kind, receivedUs)
        default: { [self] reply in answer(reply, receivedUs) }
        }
    }

    private func parting(_ kind: CommandKind?, _ receivedUs: Microseconds) -> @Loop (Reply) -> Void {
        owedPartings += 1
        return { [self] reply in
            answer(noteUser(kind, reply), receivedUs)
            owedPartings -= 1
            lookAtUser()
        }
    }

    /// Called when users have changed. A pending command that may sign the user out checks itself, after its answer.
    func checkUser() {
        if owedPartings == 0 { lookAtUser() }
    }

    /// Checks whether the user's session has ended or its rights have changed.
    private func lookAtUser() {
        guard let users = companion.ports.users, phase == .live else { return }
        if let user, users.session(named: user.id) != user {
            return leave("The session of this user has ended, or the user's role was changed. Connect again.")
        }
        if owner != linked { leave("The hub's owner has changed what this user may do. Connect again.") }
    }

    private func leave(_ sentence: String) {
        let fault = ProtocolFault(.signedOut, sentence)
        refuse(fault)
        announce(.restarting, sentence)
        end(.restarting, sentence)
    }
}
