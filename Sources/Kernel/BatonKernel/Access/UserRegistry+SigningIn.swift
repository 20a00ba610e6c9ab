import BatonCore
package import BatonProtocol
package import BatonSeams

/// Signing up, in and out.
extension UserRegistry {
    // MARK: Accounts

    /// Makes an account with the role `remote`. Attempts count by address, which allows twenty an hour.
    package func signUp(_ name: String, password: String, from address: String) async throws(ProtocolFault) -> SignedIn {
        guard policy.signUp != .off else {
            throw ProtocolFault(.forbidden, "At this hub only its owner makes accounts (signup = off). Ask there for one.")
        }
        let name = try Self.checked(name)
        try Self.check(password)
        try checkIsFree(name)
        // This stays counted, so that one address makes no more than twenty accounts an hour.
        _ = try begin("signup \(key(of: name))", from: address)
        let hash = try await hashed(password)
        let isOpen = policy.signUp == .open
        let user = User(name: name, role: .remote, isApproved: isOpen, createdMs: wallMs())
        let (signedIn, session) = fresh(user, from: address)
        try await change { [self] () throws(ProtocolFault) in
            try checkRoom(for: user)
            return ((), [.put(StoredUser(user, password: hash))] + (isOpen ? [.open(session)] : []))
        }
        log(.notice, "“\(name)” has made an account\(isOpen ? "" : ", which waits for approval").")
        guard isOpen else { throw Self.waits(name) }
        return signedIn
    }

    /// Signs in. A password that is changed while its hash is computed counts as wrong.
    package func signIn(_ name: String, password: String, from address: String) async throws(ProtocolFault) -> SignedIn {
        guard Self.nameBytes.contains(name.utf8.count), (1...Self.passwordBytes.upperBound).contains(password.utf8.count) else {
            throw ProtocolFault(.badRequest, "A name has 1 to 64 bytes, and a password at most 1024.")
        }
        let key = key(of: name)
        let stored = users[key]
        let attempt = try await attempt(password, of: key, from: address)
        // The password may have been changed, or the user removed, while the hash was computed.
        guard let attempt, let user = users[key], user.password == stored?.password else {
            throw ProtocolFault(.wrongPassword, "The name or the password is wrong.")
        }
        limiter.succeed(attempt)
        guard user.user.isApproved else { throw Self.waits(user.user.name) }
        let (signedIn, session) = fresh(user.user, from: address)
        return try await change { [self] () throws(ProtocolFault) in
            guard users[key]?.password == stored?.password else {
                throw ProtocolFault(.wrongPassword, "The name or the password is wrong.")
            }
            return (signedIn, spare(key) + [.open(session)])
        }
    }

    /// Ends the session of a token; does nothing for a token without one.
    package func signOut(token: String) async throws(ProtocolFault) {
        guard let session = session(withToken: token) else { return }
        try await signOut(session.id)
    }

    /// Ends a session. It is written before the answer, so that the session does not come back after a restart.
    package func signOut(_ id: String) async throws(ProtocolFault) {
        let gone = try await change { [self] () throws(ProtocolFault) -> (User?, [UserChange]) in
            guard let stored = sessions[id] else { return (nil, []) }
            guard let user = users[stored.user]?.user, user.isGuest else { return (nil, [.end(stored.hash)]) }
            // A guest has no password to sign in again with.
            return (user, [.remove(user.key)])
        }
        if let gone { forgetSoon(gone) }
    }

    // MARK: Parts

    func begin(_ name: String, from address: String) throws(ProtocolFault) -> SignInLimiter.Attempt {
        switch limiter.begin(name, from: address, atUs: reactor.nowUs) {
        case .success(let attempt): return attempt
        case .failure(let wait):
            var fault = ProtocolFault(.rateLimited, "Too many attempts to sign in came from there. Wait a moment.")
            fault.retryAfterMs = wait.afterMs
            throw fault
        }
    }

    /// Checks a password; `nil` when it is wrong or the user is unknown. A right one counts as a failure until `succeed` is
    /// called.
    func attempt(_ password: String, of key: String, from address: String) async throws(ProtocolFault) -> SignInLimiter.Attempt? {
        let attempt = try begin(key, from: address)
        guard let isRight = await passwords.matches(password, users[key]?.password) else {
            limiter.withdraw(attempt)
            throw Self.busy
        }
        return isRight ? attempt : nil
    }

    func hashed(_ password: String) async throws(ProtocolFault) -> PasswordHash {
        guard let hash = await passwords.hash(password) else { throw Self.busy }
        return hash
    }

    static let busy = ProtocolFault(.busy, "Too many people sign in at this moment. Try again in some seconds.")

    static func waits(_ name: String) -> ProtocolFault {
        ProtocolFault(.invalidState, "The account “\(name)” waits for the hub's owner: baton user approve \(name).")
    }

    static func taken(_ name: String) -> ProtocolFault {
        ProtocolFault(.invalidState, "There is a user of the name “\(name)” already. Choose another name.", at: "/p/name")
    }

    /// The name as it is stored: all of it is visible, and it does not join with text before it.
    static func checked(_ name: String) throws(ProtocolFault) -> String {
        let isVisible = name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: return false
            default:
                // U+2800, an empty Braille pattern, looks like a space; U+FE0F follows each emoji of a telephone.
                return scalar != "\u{2800}" && (scalar == "\u{FE0F}" || !scalar.properties.isDefaultIgnorableCodePoint)
            }
        }
        let scalars = name.unicodeScalars
        let hasSpaces = [scalars.first, scalars.last].contains { $0?.properties.isWhitespace == true }
        // Combining marks would join the letter before them, in whatever text the name appears.
        let standsAlone = "x\(name)".first == "x"
        guard nameBytes.contains(name.utf8.count), nameBytes.contains(name.lowercased().utf8.count), isVisible, !hasSpaces, standsAlone,
            !name.utf8.starts(with: User.personSign.utf8)
        else {
            throw ProtocolFault(
                .badRequest,
                "The name of a user is 1 to 64 bytes of printable text that begins with a letter or a sign of its own, without spaces around it"
                    + " and without @ in front.",
                at: "/p/name")
        }
        return name
    }

    static func check(_ password: String) throws(ProtocolFault) {
        guard passwordBytes.contains(password.utf8.count) else {
            throw ProtocolFault(.badRequest, "A password has 8 to 1024 bytes.", at: "/p/password")
        }
    }

    /// Refuses a name that is taken or looks like another user's.
    private func checkIsFree(_ name: String) throws(ProtocolFault) {
        guard users[key(of: name)] == nil else { throw Self.taken(name) }
        guard let known = lookalike(of: name) else { return }
        throw ProtocolFault(
            .invalidState, "The name “\(name)” looks like “\(known)”, which another user has. Choose another name.", at: "/p/name")
    }

    /// The user whose name looks like this one.
    func lookalike(of name: String) -> String? {
        let skeleton = NameSkeleton(name)
        return skeletons.first { $0.value.isLike(skeleton) }.flatMap { users[$0.key]?.user.name }
    }

    func checkRoom(for user: User) throws(ProtocolFault) {
        try checkIsFree(user.name)
        guard users.values.count(where: { !$0.user.isGuest }) < Self.mostUsers else {
            throw ProtocolFault(.quota, "This hub has \(Self.mostUsers) users, which is the most.")
        }
    }

    /// A random token of 128 bits, as for sessions and for links of playlists.
    package func newToken() -> String { Base64URL.text(cryptography.random(Self.tokenBytes)) }

    /// A new session. Its token leaves the hub only in this answer.
    func fresh(_ user: User, from address: String) -> (SignedIn, StoredSession) {
        let token = newToken()
        return (SignedIn(user: user, token: token), session(of: user, token, from: address))
    }

    func session(of user: User, _ token: String, from address: String) -> StoredSession {
        StoredSession(hash: cryptography.sha256(Array(token.utf8)), user: user.key, createdMs: wallMs(), address: address)
    }

    /// Removals of the user's oldest sessions, so that there is room for another.
    private func spare(_ key: String) -> [UserChange] {
        let own = sessions.values.filter { $0.user == key }.sorted { $0.createdMs < $1.createdMs }
        return own.prefix(max(0, own.count - Self.mostSessions + 1)).map { .end($0.hash) }
    }
}
