import BatonCore
package import BatonProtocol
package import BatonSeams

/// Guests: people without an account, each in one of a limited number of places.
///
/// A place is stored and held for hours, so a request that only reads takes none. It gets a pass: a token that the hub signs
/// and does not store. The first change or socket with a pass takes the place, and the pass becomes the token of that
/// session.
extension UserRegistry {
    static let mostGuests = 1_000
    /// Limit for programs on this machine, which share one address. The other places stay free for other addresses.
    static let mostGuestsHere = 250
    static let mostGuestsOfAddress = 50
    /// Limit on guests of one address within an hour.
    static let guestLimit = SignInLimiter.Limit(most: 2 * mostGuestsOfAddress, withinUs: 3_600_000_000)
    /// Time for which a place is held for a guest who has not used the token.
    static let unusedMs: Milliseconds = 600_000
    private static let passMs: Milliseconds = 86_400_000
    /// Limit on used passes. At this number a new key makes all passes void, so that the used ones need not be stored.
    private static let mostSpentPasses = 10_000
    private static let signatureBytes = 16
    /// Length of a pass: the time in seconds, random bytes, and the signature.
    private static let passBytes = 4 + tokenBytes + signatureBytes
    static let passTextBytes = passBytes / 3 * 4

    /// Lets a guest in and opens a session. A taken name gets a number; a guest who does not use the token within ten minutes is removed.
    package func enterAsGuest(named name: String?, from address: String) async throws(ProtocolFault) -> SignedIn {
        let role = try guestRole()
        let name = try name.map { name throws(ProtocolFault) in try Self.checked(name) } ?? "guest"
        let (signedIn, gone) = try await change { [self] () throws(ProtocolFault) in
            let gone = try placeForGuest(from: address)
            let user = guest(free(name), role)
            let (signedIn, session) = fresh(user, from: address)
            let removal: [UserChange] = gone.map { [.remove($0.key)] } ?? []
            return ((signedIn, gone), removal + [.put(StoredUser(user, password: nil)), .open(session)])
        }
        unused.insert(signedIn.user.key)
        armExpiry()
        if let gone { forgetSoon(gone) }
        return signedIn
    }

    // MARK: Passes

    /// Makes a pass for a visitor. It costs no memory, so any number of visitors may get one.
    package func guestPass() throws(ProtocolFault) -> SignedIn {
        let role = try guestRole()
        let seconds = UInt32(clamping: wallMs().seconds)
        let content = (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (24 - 8 * $0)) } + cryptography.random(Self.tokenBytes)
        return SignedIn(user: guest(free(Self.name(of: content)), role), token: Base64URL.text(content + signature(of: content)))
    }

    /// The guest of a pass; `nil` if it is older than a day, was used or was signed with an earlier key, or if guests are off.
    package func guest(withPass pass: String) -> User? {
        guard pass.utf8.count == Self.passTextBytes, let role = policy.guests, let bytes = Base64URL.bytes(pass),
            bytes.count == Self.passBytes
        else { return nil }
        let content = Array(bytes.prefix(Self.passBytes - Self.signatureBytes))
        guard isSame(Array(bytes.suffix(Self.signatureBytes)), signature(of: content)) else { return nil }
        let madeMs = Milliseconds.seconds(content.prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) })
        guard (wallMs() - madeMs).magnitude < Self.passMs, !spentPasses.contains(sessionID(of: pass)) else { return nil }
        return guest(free(Self.name(of: content)), role)
    }

    /// Turns a pass into a session. The guest counts at once and is written later, so that a socket does not wait for the disk.
    package func admitGuest(withPass pass: String, from address: String) throws(ProtocolFault) -> UserSession {
        guard let user = guest(withPass: pass) else { throw ProtocolFault(.signedOut, "Sign in first.") }
        let gone = try placeForGuest(from: address)
        let session = session(of: user, pass, from: address)
        if spentPasses.count >= Self.mostSpentPasses {
            spentPasses = []
            passKey = cryptography.random(passKey.count)
        }
        spentPasses.insert(Self.id(of: session.hash))
        changeNow((gone.map { [.remove($0.key)] } ?? []) + [.put(StoredUser(user, password: nil)), .open(session)])
        if let gone { forgetSoon(gone) }
        return UserSession(id: Self.id(of: session.hash), user: user)
    }

    private func signature(of content: [UInt8]) -> [UInt8] {
        Array(cryptography.hmacSHA256(content, key: passKey).prefix(Self.signatureBytes))
    }

    /// The guest's name, which is the same each time that the pass is used.
    private static func name(of content: [UInt8]) -> String {
        "guest \(1_000 + content.suffix(2).reduce(0) { $0 << 8 | Int($1) } % 9_000)"
    }

    // MARK: Places

    private func guestRole() throws(ProtocolFault) -> Role {
        guard let role = policy.guests else {
            throw ProtocolFault(.forbidden, "This hub lets no guests in (guests = off). Sign in, or ask its owner for an account.")
        }
        return role
    }

    private func guest(_ name: String, _ role: Role) -> User {
        let nowMs = wallMs()
        return User(name: name, role: role, isGuest: true, createdMs: nowMs, expiresMs: guestStayMs.map { nowMs + $0 })
    }

    /// The guest who gives up a place for another when all are taken: the oldest one whose time is over.
    private func placeForGuest(from address: String) throws(ProtocolFault) -> User? {
        let guests = users.values.map(\.user).filter(\.isGuest)
        let gone = guests.count < Self.mostGuests ? nil : guests.filter { !isPresent($0) }.min { $0.createdMs < $1.createdMs }
        guard guests.count < Self.mostGuests || gone != nil else {
            throw ProtocolFault(.quota, "This hub has \(Self.mostGuests) guests, which is the most. Come again when some have left.")
        }
        let isHere = AddressGroup.isThisMachine(address)
        let most = isHere ? Self.mostGuestsHere : Self.mostGuestsOfAddress
        guard placesTaken(by: address, isHere: isHere) < most else {
            throw ProtocolFault(.quota, "\(most) guests have come from your address, which is the most. Come again when some have left.")
        }
        guard !isHere else { return gone }
        if case .failure(let wait) = guestLimiter.begin("guest", from: address, atUs: reactor.nowUs) {
            var fault = ProtocolFault(.rateLimited, "Too many guests have come from your address within an hour. Come again later.")
            fault.retryAfterMs = wait.afterMs
            throw fault
        }
        return gone
    }

    private func placesTaken(by address: String, isHere: Bool) -> Int {
        let group = AddressGroup.of(address)
        let keys = sessions.values.lazy.filter { session in
            isHere ? AddressGroup.isThisMachine(session.address) : AddressGroup.of(session.address) == group
        }.map(\.user)
        return Set(keys).count { users[$0]?.user.isGuest == true }
    }

    /// The name, with a number when it is taken. A number also tells it from similar names.
    private func free(_ name: String) -> String {
        guard isTaken(name) || lookalike(of: name) != nil else { return name }
        // The name is cut so that it stays within its limit with the number.
        var short = name
        while short.utf8.count > Self.nameBytes.upperBound - 5 { short.removeLast() }
        for number in 2... where !isTaken("\(short) \(number)") { return "\(short) \(number)" }
        return name
    }

    private func isTaken(_ name: String) -> Bool { users[key(of: name)] != nil || beingWritten.contains(name.lowercased()) }
}
