package import BatonCore
package import BatonProtocol
package import BatonSeams

/// The people with an account, their sessions, and their devices.
///
/// Everything is in memory, so that no question waits for the disk. A change is written before it counts, and changes run one
/// after the other, each on the result of the one before. Password hashes are computed on other threads, a few at once.
@Loop
package final class UserRegistry: UserAccess {
    /// The parts that the registry needs.
    package struct Parts {
        var cryptography: any Cryptography
        var passwords: any PasswordHashing
        var storage: any UserStorage
        var policy: UserPolicy
        /// Time for which a guest may stay; `nil` means no limit.
        var guestStayMs: Milliseconds?
        /// The executor for blocking writes.
        var pool: (any TaskExecutor)?

        package init(
            cryptography: any Cryptography, passwords: any PasswordHashing, storage: any UserStorage, policy: UserPolicy = UserPolicy(),
            guestStayMs: Milliseconds? = nil, pool: (any TaskExecutor)? = nil
        ) {
            self.cryptography = cryptography
            self.passwords = passwords
            self.storage = storage
            self.policy = policy
            self.guestStayMs = guestStayMs
            self.pool = pool
        }
    }

    static let mostUsers = 1_000
    static let mostSessions = 50
    static let tokenBytes = 16
    static let nameBytes = 1...64
    static let passwordBytes = 8...1_024

    /// The sign-up policy, which the owner can change while the hub runs.
    package var policy: UserPolicy
    let cryptography: any Cryptography
    let passwords: any PasswordHashing
    let guestStayMs: Milliseconds?
    let wallMs: @Sendable () -> Milliseconds
    let log: Log
    let reactor: any Reactor
    private let storage: any UserStorage
    private let pool: any TaskExecutor
    private let writing = BackgroundQueue()

    /// Users and guests by `User.key`, also those who wait for approval or whose time is over.
    package private(set) var users: [String: StoredUser] = [:]
    /// The skeletons of users' names, to find similar ones.
    private(set) var skeletons: [String: NameSkeleton] = [:]
    /// The keys of users by their folded names; see `folded`.
    var keysByName: [String: [String]] = [:]
    /// True while a user is an admin, so that no further one can come in by the first one-time link.
    package var hasAdmin: Bool { users.values.contains { $0.user.role == .admin } }
    /// Sessions by id, also those of users who may not use them at the moment.
    package private(set) var sessions: [String: StoredSession] = [:]
    /// Keys of users by the devices that an admin linked to them.
    package private(set) var links: [DeviceID: String] = [:]
    /// Rules of rooms for who may control them; a room without one is controlled by everyone whose role allows it.
    package private(set) var controls: [RoomID: RoomControl] = [:]
    /// Users that the running change creates. Their names count as taken.
    private(set) var beingWritten: Set<String> = []
    /// Guests whose token was not used yet.
    var unused: Set<String> = []
    /// The key that signs the passes of guests. It is not stored, so unused passes end with the hub.
    var passKey: [UInt8]
    /// Passes that became sessions, so that a pass is void when its session has ended.
    var spentPasses: Set<String> = []
    var limiter = SignInLimiter()
    var guestLimiter = SignInLimiter(ofName: guestLimit, ofAddress: guestLimit)
    private var isTelling = false
    private var expiryAlarm: (any Alarm)?

    private var events: HubEvents?
    private weak var personal: PersonalRows?

    package init(
        _ parts: Parts, _ table: UserTable, reactor: any Reactor, log: Log, wallMs: @escaping @Sendable () -> Milliseconds
    ) {
        policy = parts.policy
        cryptography = parts.cryptography
        passwords = parts.passwords
        guestStayMs = parts.guestStayMs
        passKey = parts.cryptography.random(32)
        storage = parts.storage
        pool = parts.pool ?? Loop.jobs
        self.reactor = reactor
        self.log = log
        self.wallMs = wallMs
        for user in table.users {
            users[user.user.key] = user
            skeletons[user.user.key] = NameSkeleton(user.user.name)
            noteName(of: user.user)
        }
        // A session without a user is useless. A repaired file may contain one.
        for session in table.sessions where users[session.user] != nil { sessions[Self.id(of: session.hash)] = session }
        for link in table.links where users[link.user] != nil { links[link.device] = link.user }
        controls = table.controls
        unused = Set(users.values.map(\.user).filter { $0.isGuest && wallMs() - $0.createdMs < Self.unusedMs }.map(\.key))
        armExpiry()
    }

    /// Connects the registry with the hub that it belongs to.
    package func open(_ events: HubEvents, _ personal: PersonalRows) {
        self.events = events
        self.personal = personal
    }

    // MARK: Authentication

    /// The user of a session; the first use of a guest's token also shows that the guest has received it.
    package func user(withToken token: String) -> User? { session(withToken: token)?.user }

    /// The session of a token or of a used pass. Its hash is compared in constant time, since the sender is not known yet.
    package func session(withToken token: String) -> UserSession? {
        guard token.utf8.count == 22 || token.utf8.count == Self.passTextBytes else { return nil }
        let hash = cryptography.sha256(Array(token.utf8))
        let id = Self.id(of: hash)
        guard let stored = sessions[id], isSame(stored.hash, hash) else { return nil }
        unused.remove(stored.user)
        return session(named: id)
    }

    /// The session of this id, for connections that check again whether theirs is still valid.
    package func session(named id: String) -> UserSession? {
        guard let stored = sessions[id], let user = users[stored.user]?.user, isPresent(user) else { return nil }
        return UserSession(id: id, user: user)
    }

    /// The user whom an admin linked to the device; `nil` also while that user may not come in.
    package func user(of device: DeviceID) -> User? {
        guard let user = links[device].flatMap({ users[$0]?.user }), isPresent(user) else { return nil }
        return user
    }

    /// The user's name; `nil` for a person who is not a user.
    package func name(of person: Person) -> String? {
        person.userKey.flatMap { users[$0]?.user.name }
    }

    func isPresent(_ user: User) -> Bool { user.isApproved && user.expiresMs.map { $0 > wallMs() } ?? true }

    /// The id of the session that a token would have, whether or not there is one. It may be computed on every thread.
    package nonisolated func sessionID(of token: String) -> String { Self.id(of: cryptography.sha256(Array(token.utf8))) }

    /// The id of a session: the beginning of its hash in hexadecimal digits, since people type it in `baton user revoke`.
    nonisolated static func id(of hash: [UInt8]) -> String { Hex.text(hash.prefix(9)) }

    // MARK: Changing

    /// Makes one change in its turn. `make` sees the result of all changes before it, and returns the rows to change.
    func change<Found: Sendable>(
        _ make: @escaping @Loop () throws(ProtocolFault) -> (Found, [UserChange])
    ) async throws(ProtocolFault) -> Found {
        let result: Result<Found, ProtocolFault> = await withCheckedContinuation { done in
            writing.add(orElse: { done.resume(returning: .failure(Self.slow)) }) { [self] in
                do throws(ProtocolFault) {
                    let (found, changes) = try make()
                    beingWritten = Set(changes.compactMap { if case .put(let stored) = $0 { stored.user.key } else { nil } })
                    defer { beingWritten = [] }
                    try await write(changes)
                    apply(changes)
                    done.resume(returning: .success(found))
                } catch {
                    done.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Makes a change without waiting: it counts at once, and is written in its turn.
    func changeNow(_ changes: [UserChange]) {
        apply(changes)
        writing.add { [self] in
            do throws(ProtocolFault) { try await write(changes) } catch { log(.error, "Users cannot be written: \(error.sentence)") }
        }
    }

    private static let slow = ProtocolFault(.unavailable, "The hub has too much to write: its disk is slow. Try again in a moment.")

    private func write(_ changes: [UserChange]) async throws(ProtocolFault) {
        guard !changes.isEmpty else { return }
        do throws(SourceFault) {
            try await withTaskExecutorPreference(pool) { [storage] () async throws(SourceFault) in
                try await Self.write(changes, to: storage)
            }
        } catch {
            throw ProtocolFault(error, at: nil)
        }
    }

    /// Writes changes. It runs off the loop.
    private nonisolated static func write(_ changes: [UserChange], to storage: any UserStorage) async throws(SourceFault) {
        try storage.store(changes)
    }

    private func apply(_ changes: [UserChange]) {
        for change in changes { apply(change) }
        guard !changes.isEmpty else { return }
        armExpiry()
        tell()
    }

    private func apply(_ change: UserChange) {
        switch change {
        case .put(let stored):
            users[stored.user.key] = stored
            skeletons[stored.user.key] = NameSkeleton(stored.user.name)
            noteName(of: stored.user)
        case .remove(let key):
            forgetName(of: key)
            users[key] = nil
            skeletons[key] = nil
            unused.remove(key)
            sessions = sessions.filter { $0.value.user != key }
            links = links.filter { $0.value != key }
        case .open(let session): sessions[Self.id(of: session.hash)] = session
        case .end(let hash): sessions[Self.id(of: hash)] = nil
        case .link(let link): links[link.device] = link.user
        case .unlink(let device): links[device] = nil
        case .control(let room, let control):
            // By one assignment: the table is asked before each command, and then the compiler proves that it does not change meanwhile.
            var all = controls
            all[room] = control
            controls = all
        }
    }

    /// Publishes the users in the next turn of the loop, once for all changes of this turn.
    private func tell() {
        guard !isTelling else { return }
        isTelling = true
        _ = reactor.after(.zero) { [weak self] in
            self?.isTelling = false
            self?.events?.send(.usersChanged)
        }
    }

    // MARK: Expired guests

    func armExpiry() {
        expiryAlarm?.cancel()
        expiryAlarm = nil
        guard let next = users.values.compactMap({ endMs(of: $0.user) }).min() else { return }
        // The wall clock may be set, so it is looked at once an hour at least.
        expiryAlarm = reactor.after(.milliseconds(min(max(0, next - wallMs()) + 1, 3_600_000))) { [weak self] in self?.expire() }
    }

    /// The time at which a user expires. A place whose token was never used is freed early.
    private func endMs(of user: User) -> Milliseconds? {
        guard unused.contains(user.key) else { return user.expiresMs }
        return min(user.createdMs + Self.unusedMs, user.expiresMs ?? .max)
    }

    private func expire() {
        let gone = users.values.map(\.user).filter { user in endMs(of: user).map { $0 <= wallMs() } ?? false }
        guard !gone.isEmpty else { return armExpiry() }
        changeNow(gone.map { .remove($0.key) })
        for user in gone { forgetSoon(user) }
    }

    /// Deletes the rows of a guest, so that the next guest of the same name does not see them.
    func forgetSoon(_ user: User) {
        writing.add { [self] in
            do throws(SourceFault) { try await personal?.forget(user.person) } catch {
                log(.warning, "What “\(user.name)” has left cannot be deleted: \(error.sentence)")
            }
        }
    }

    /// Stops the expiry of guests, and waits until all changes so far are written.
    package func close() async {
        expiryAlarm?.cancel()
        await writing.finish()
    }
}
