import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

/// People with an account. BT-USR-001 BT-USR-002 BT-USR-003 BT-USR-004 BT-USR-005 BT-USR-006 BT-USR-007
@Suite struct `A user` {
    private static let password = "a long sentence"

    @Test func `signs up, signs in under any case, and is found again by the token after a restart`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open))
            let first = try sim.remote()
            let made: SignedInUser = try await first.asked(Commands.UserSignUp("Anna", password: Self.password))
            #expect(made.user == "Anna" && made.role == .remote && made.token?.utf8.count == 22)
            let again: SignedInUser = try await sim.remote(id: "client-2").asked(
                Commands.UserSignIn("aNNA", password: Self.password))

            try sim.restart()

            let back = try sim.remote(id: "client-3", user: again.token)
            let me: OwnUser = try await back.asked(Commands.UserMe())
            #expect(me.user == "Anna" && me.role == .remote && me.session == again.session)
            // Written behind `baton user revoke`, where a dash would begin an option.
            #expect(me.session?.allSatisfy(\.isHexDigit) == true)
        }
    }

    @Test func `of an unknown name and with a wrong password gets one and the same answer, for the same work`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open))
            let remote = try sim.remote()
            let _: SignedInUser = try await remote.asked(Commands.UserSignUp("Anna", password: Self.password))
            let before = sim.passwords.computed

            let wrong = await remote.refused(Commands.UserSignIn("Anna", password: "another one"))
            let between = sim.passwords.computed
            let unknown = await remote.refused(Commands.UserSignIn("Nobody", password: "another one"))

            #expect(wrong == unknown && wrong?.code == "wrong_password")
            #expect(between - before == 1 && sim.passwords.computed - between == 1)
        }
    }

    @Test func `waits for approval, and is signed in after it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let (owner, remote) = (try sim.remote(id: "owner-1"), try sim.remote())
            let waiting = await remote.refused(Commands.UserSignUp("Anna", password: Self.password))
            #expect(waiting?.code == "invalid_state")
            #expect(await remote.refused(Commands.UserSignIn("Anna", password: Self.password))?.code == "invalid_state")
            let list: UserList = try await owner.asked(Commands.Users())
            #expect(list.rows.map(\.waits) == [true])

            _ = await owner.did(Commands.UserApprove("anna"))

            let signed: SignedInUser = try await remote.asked(Commands.UserSignIn("Anna", password: Self.password))
            #expect(signed.user == "Anna")
        }
    }

    @Test(
        arguments: [
            "", " Anna", "Anna ", "@anna", "An\u{7}na", "An\u{202E}na", String(repeating: "x", count: 65), "\u{301}Anna", " \u{301}Anna",
            "@\u{301}anna", "\u{1F3FB}Anna", "\u{FE0F}Anna", "An\u{200B}na", "An\u{3164}na", "Anna\u{2800}", "\u{A0}Anna",
        ])
    func `has a name that people can read`(name: String) async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open))
            #expect(try await sim.remote().refused(Commands.UserSignUp(name, password: Self.password))?.code == "bad_request")
        }
    }

    @Test(arguments: ["short", String(repeating: "x", count: 1_025)])
    func `has a password of a length that makes sense`(password: String) async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open))
            #expect(try await sim.remote().refused(Commands.UserSignUp("Anna", password: password))?.code == "bad_request")
        }
    }

    @Test func `cannot be made twice, in whatever case`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open))
            let remote = try sim.remote()
            let _: SignedInUser = try await remote.asked(Commands.UserSignUp("Anna", password: Self.password))
            #expect(await remote.refused(Commands.UserSignUp("ANNA", password: Self.password))?.code == "invalid_state")
        }
    }

    @Test(arguments: ["p\u{430}ul", "РАUL", "pauI", "ｐаｕｌ"])
    func `has no name that looks like another user's`(name: String) async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open, guests: .listener))
            let (owner, remote) = (try sim.remote(id: "owner-1"), try sim.remote())
            let _: SignedInUser = try await remote.asked(Commands.UserSignUp("Paul", password: Self.password))
            let refused = await remote.refused(Commands.UserSignUp(name, password: Self.password))
            #expect(refused?.code == "invalid_state" && refused?.message.contains("looks like “Paul”") == true)
            #expect(await owner.refused(Commands.UserAdd(name, password: Self.password))?.code == "invalid_state")
            let guest: SignedInUser = try await remote.asked(Commands.UserGuest(name: name))
            #expect(guest.user == "\(name) 2")
        }
    }

    @Test func `has one name however its accents are written, and one set of marks`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open))
            let remote = try sim.remote()
            let _: SignedInUser = try await remote.asked(Commands.UserSignUp("Zo\u{EB}", password: Self.password))
            let again = await remote.refused(Commands.UserSignUp("Zoe\u{308}", password: Self.password))
            #expect(again?.code == "invalid_state" && again?.message.contains("already") == true)
            let signed: SignedInUser = try await remote.asked(Commands.UserSignIn("zoe\u{308}", password: Self.password))
            #expect(signed.user.unicodeScalars.elementsEqual("Zo\u{EB}".unicodeScalars))
        }
    }

    @Test func `of earlier days whose name begins with a mark is a user with marks of her own, whom no device can be given to`()
        async throws
    {
        try await onLoop {
            let sim = try SimulatedHub()
            let user = User(name: "\u{301}Anna", role: .remote, createdMs: 1)
            #expect(user.person.isUser && user.person.ofMarks == user.person && user.person.userKey == user.key)
            try sim.userStorage.store([.put(StoredUser(user, password: nil))])
            try sim.restart()
            #expect(sim.hub.users?.name(of: user.person) == user.name)
            let device = try #require(try sim.pairedDevice().id)
            let owner = try sim.remote(id: "owner-1")
            #expect(await owner.refused(Commands.DevicePerson(device, person: user.person))?.code == "bad_request")
        }
    }

    @Test func `is refused after five wrong passwords, also with the right one`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open))
            let remote = try sim.remote()
            let _: SignedInUser = try await remote.asked(Commands.UserSignUp("Anna", password: Self.password))
            for _ in 0..<5 { _ = await remote.refused(Commands.UserSignIn("Anna", password: "wrong one")) }
            let refused = await remote.refused(Commands.UserSignIn("Anna", password: Self.password))
            #expect(refused?.code == "rate_limited" && (refused?.afterMs ?? 0) > 0)

            sim.time.pass(.seconds(61))

            let signed: SignedInUser = try await remote.asked(Commands.UserSignIn("Anna", password: Self.password))
            #expect(signed.user == "Anna")
        }
    }

    @Test func `caps the role of the connection, which is then shown under the user's name`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            _ = await owner.did(Commands.UserAdd("Ben", password: Self.password, role: .listener))
            let remote = try sim.remote()

            let signed: SignedInUser = try await remote.asked(Commands.UserSignIn("Ben", password: Self.password))

            #expect(signed.role == .listener)
            #expect(await remote.refused(Commands.VolumeSet(20))?.code == "forbidden")
            _ = await remote.did(Commands.UserSignOut())
            #expect(await remote.did(Commands.VolumeSet(20)))
        }
    }

    @Test func `who changes the password ends all other sessions within the next turn`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open))
            let (here, there) = (try sim.remote(id: "client-1"), try sim.remote(id: "client-2"))
            let _: SignedInUser = try await here.asked(Commands.UserSignUp("Anna", password: Self.password))
            let other: SignedInUser = try await there.asked(Commands.UserSignIn("Anna", password: Self.password))

            #expect(await here.refused(Commands.UserPassword(password: "a new sentence"))?.code == "wrong_password")
            #expect(await here.did(Commands.UserPassword(old: Self.password, password: "a new sentence")))
            sim.time.pass(.milliseconds(10))

            #expect(there.closed?.code == 1012 && here.closed == nil)
            let back = try sim.remote(id: "client-2", user: other.token)
            #expect(back.errors.contains { $0.code == "signed_out" })
            let me: OwnUser = try await back.asked(Commands.UserMe())
            #expect(me.user == nil)
        }
    }

    @Test func `is told of the end of the session once it is written, so that a kill brings back no session`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open, guests: .guest))
            let (anna, ben) = (try sim.remote(id: "client-1"), try sim.remote(id: "client-2"))
            let signed: SignedInUser = try await anna.asked(Commands.UserSignUp("Anna", password: Self.password))
            let guest: SignedInUser = try await ben.asked(Commands.UserGuest(name: "Ben"))

            sim.userStorage.fail(with: SourceFault(.unavailable, "The disk is full."))
            for remote in [anna, ben] { #expect(await remote.refused(Commands.UserSignOut())?.code == "unavailable") }
            #expect(try await sim.remote(id: "client-3").refused(Commands.UserGuest(name: "Eve"))?.code == "unavailable")
            sim.userStorage.fail(with: nil)
            for remote in [anna, ben] { #expect(await remote.did(Commands.UserSignOut())) }
            try sim.restart()

            for token in [signed.token, guest.token] {
                let me: OwnUser = try await sim.remote(id: "client-4", user: token).asked(Commands.UserMe())
                #expect(me.user == nil)
            }
            #expect(sim.hub.users?.users.count == 1)
        }
    }

    @Test func `who leaves is answered before the connection ends, however long the answer takes`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open))
            let (here, there) = (try sim.remote(id: "client-1"), try sim.remote(id: "client-2"))
            let _: SignedInUser = try await here.asked(Commands.UserSignUp("Anna", password: Self.password))
            let own: SignedInUser = try await there.asked(Commands.UserSignIn("Anna", password: Self.password))

            let (signOut, revoke) = (here.send(Commands.UserSignOut()), there.send(Commands.UserRevoke(session: own.session)))
            // Everything that is due comes between any two steps of the work.
            for _ in 0..<1000 where here.reply(signOut) == nil || there.reply(revoke) == nil {
                await Task.yield()
                sim.time.settle()
            }

            #expect(here.reply(signOut)?.reply.isSuccess == true && here.closed == nil)
            #expect(there.reply(revoke)?.reply.isSuccess == true && there.closed?.code == 1012)
        }
    }

    @Test func `whose role is changed comes back with the new one`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            _ = await owner.did(Commands.UserAdd("Ben", password: Self.password))
            let remote = try sim.remote()
            let signed: SignedInUser = try await remote.asked(Commands.UserSignIn("Ben", password: Self.password))

            #expect(await owner.did(Commands.UserRole("Ben", role: .guest)))
            sim.time.pass(.milliseconds(10))

            #expect(remote.closed?.code == 1012)
            let me: OwnUser = try await sim.remote(id: "client-1", user: signed.token).asked(Commands.UserMe())
            #expect(me.role == .guest)
        }
    }

    @Test func `who is removed is gone with every session`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            _ = await owner.did(Commands.UserAdd("Ben", password: Self.password))
            let remote = try sim.remote()
            let _: SignedInUser = try await remote.asked(Commands.UserSignIn("Ben", password: Self.password))

            #expect(await owner.did(Commands.UserRemove("Ben")))
            sim.time.pass(.milliseconds(10))

            #expect(remote.closed?.code == 1012)
            #expect(try sim.userStorage.load() == UserTable())
        }
    }

    @Test func `names no other user unless it is an admin`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            for name in ["Anna", "Ben"] { _ = await owner.did(Commands.UserAdd(name, password: Self.password)) }
            let remote = try sim.remote()
            let _: SignedInUser = try await remote.asked(Commands.UserSignIn("Ben", password: Self.password))

            #expect(await remote.refused(Commands.UserSessions(user: "Anna"))?.code == "forbidden")
            #expect(await remote.refused(Commands.UserExport(user: "Anna"))?.code == "forbidden")
            #expect(await remote.refused(Commands.UserRevoke(user: "Anna"))?.code == "forbidden")
            #expect(await remote.refused(Commands.UserPassword(user: "Anna", password: "taken over"))?.code == "forbidden")
            #expect(await remote.refused(Commands.Users())?.code == "forbidden")
            let own: UserSessionList = try await remote.asked(Commands.UserSessions(user: "ben"))
            #expect(own.rows.map(\.isHere) == [true])
        }
    }

    @Test func `whose account cannot be written is told so, and has none`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open))
            let remote = try sim.remote()
            sim.userStorage.fail(with: SourceFault(.unavailable, "The disk is full."))
            #expect(await remote.refused(Commands.UserSignUp("Anna", password: Self.password))?.code == "unavailable")
            sim.userStorage.fail(with: nil)

            let me: OwnUser = try await remote.asked(Commands.UserMe())
            #expect(me.user == nil)
            let signed: SignedInUser = try await remote.asked(Commands.UserSignUp("Anna", password: Self.password))
            #expect(signed.user == "Anna")
        }
    }

    @Test func `waits no longer than a sentence when too many passwords wait`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(signUp: .open))
            let remote = try sim.remote()
            sim.passwords.setFull(true)
            #expect(await remote.refused(Commands.UserSignIn("Anna", password: Self.password))?.code == "busy")
            #expect(await remote.refused(Commands.UserSignUp("Anna", password: Self.password))?.code == "busy")
        }
    }
}

/// People who are let in without an account.
@Suite struct `A guest of the hub` {
    @Test func `gets a name that is free, and goes when the stay is over`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(guests: .guest), guestStayMs: 3_600_000)
            let (first, second) = (try sim.remote(id: "client-1"), try sim.remote(id: "client-2"))
            let ben: SignedInUser = try await first.asked(Commands.UserGuest(name: "Ben"))
            let other: SignedInUser = try await second.asked(Commands.UserGuest(name: "ben"))
            #expect(ben.user == "Ben" && ben.role == .guest && ben.expiresMs != nil)
            #expect(other.user == "ben 2")

            sim.time.pass(.seconds(3_601))

            #expect(first.closed?.code == 1012)
            await untilQuiet()
            #expect(try sim.userStorage.load().users.isEmpty)
        }
    }

    @Test func `is refused where the hub lets none in`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            #expect(try await sim.remote().refused(Commands.UserGuest())?.code == "forbidden")
        }
    }

    @Test func `is refused with a sentence when there are too many, and the others stay`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(guests: .listener))
            let users = try #require(sim.hub.users)
            for number in 0..<UserRegistry.mostGuests { _ = try await users.enterAsGuest(named: nil, from: "10.0.0.\(number / 50)") }

            #expect(try await sim.remote().refused(Commands.UserGuest())?.code == "quota")
            #expect(users.users.count == UserRegistry.mostGuests)
        }
    }

    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1", "10.0.0.2"), ("2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1"), ("127.0.0.1", "unix", "10.0.0.1"),
    ])
    func `shares a number of places with all others of the address`(first: String, same: String, other: String) async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(guests: .listener))
            let users = try #require(sim.hub.users)
            let most = other == "10.0.0.1" ? UserRegistry.mostGuestsHere : UserRegistry.mostGuestsOfAddress
            for _ in 0..<most { _ = try users.admitGuest(withPass: users.guestPass().token, from: first) }

            #expect(
                await Self.fault { () async throws(ProtocolFault) in _ = try await users.enterAsGuest(named: nil, from: same) } == .quota)
            #expect(
                await Self.fault { () async throws(ProtocolFault) in _ = try users.admitGuest(withPass: users.guestPass().token, from: same)
                } == .quota)
            _ = try users.admitGuest(withPass: users.guestPass().token, from: other)
        }
    }

    @Test func `comes no more often within an hour than the address may, and again after it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(guests: .listener))
            let users = try #require(sim.hub.users)
            for _ in 0..<UserRegistry.guestLimit.most {
                try await users.signOut(token: users.enterAsGuest(named: nil, from: "10.0.0.1").token)
            }
            let enter: @Loop @Sendable () async throws(ProtocolFault) -> Void = { () async throws(ProtocolFault) in
                _ = try await users.enterAsGuest(named: nil, from: "10.0.0.1")
            }
            #expect(await Self.fault(enter) == .rateLimited)

            sim.time.pass(.seconds(3_601))

            #expect(await Self.fault(enter) == nil)
        }
    }

    @Test func `gives the place back after ten minutes unless the token was shown`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(guests: .listener), guestStayMs: 3_600_000)
            let users = try #require(sim.hub.users)
            let (used, unused) = (
                try await users.enterAsGuest(named: "Ben", from: "10.0.0.1"), try await users.enterAsGuest(named: "Eve", from: "10.0.0.1")
            )
            #expect(users.user(withToken: used.token)?.name == "Ben")

            sim.time.pass(.seconds(601))

            #expect(users.users.keys.sorted() == ["ben"])
            #expect(users.user(withToken: unused.token) == nil && users.user(withToken: used.token) != nil)
        }
    }

    @Test func `has a pass that nobody else can make, and that takes one place however often it is shown`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(userPolicy: UserPolicy(guests: .listener))
            let users = try #require(sim.hub.users)
            let pass = try users.guestPass()
            var forged = Array(pass.token)
            forged[20] = forged[20] == "A" ? "B" : "A"
            #expect(users.guest(withPass: String(forged)) == nil && users.guest(withPass: "") == nil)
            #expect(users.guest(withPass: pass.token)?.name == pass.user.name)
            #expect(users.users.isEmpty && users.sessions.isEmpty)

            let seated = try users.admitGuest(withPass: pass.token, from: "10.0.0.1")

            #expect(users.session(withToken: pass.token) == seated && users.users.count == 1)
            try await users.signOut(token: pass.token)
            #expect(users.users.isEmpty && users.guest(withPass: pass.token) == nil)
            let late = try users.guestPass()
            sim.time.pass(.seconds(86_401))
            #expect(users.guest(withPass: try users.guestPass().token) != nil && users.guest(withPass: late.token) == nil)
        }
    }

    private static func fault(_ body: @Loop @Sendable () async throws(ProtocolFault) -> Void) async -> ErrorCode? {
        do throws(ProtocolFault) { try await body() } catch { return error.code }
        return nil
    }
}

/// Devices that belong to a user.
@Suite struct `A device that is linked to a user` {
    @Test func `acts as the user and with no more than the user's role, also when it signs out`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let device = try sim.pairedDevice()
            let id = try #require(device.id)
            let owner = try sim.remote(id: "owner-9")
            _ = await owner.did(Commands.UserAdd("Ben", password: "a long sentence", role: .listener))

            #expect(await owner.did(Commands.UserLinkSet(id, user: "ben")))

            #expect(device.remote.closed?.code == 1012)
            let back = try PairedDevice(at: sim, as: device)
            back.authenticate()
            let me: OwnUser = try await back.remote.asked(Commands.UserMe())
            #expect(me.user == "Ben" && me.role == .listener)
            _ = await back.remote.did(Commands.UserSignOut())
            let after: OwnUser = try await back.remote.asked(Commands.UserMe())
            #expect(after.user == "Ben" && after.role == .listener)
        }
    }
}

extension TestRemote {
    func asked<Command: WireCommand>(_ command: Command) async throws -> Command.Answer {
        let reply = try #require(await awaitReply(send(command, key: command.needsKey ? newKey() : nil)))
        if case .failed(let error) = reply.reply.outcome { throw error }
        return try #require(try Command.answer(in: reply.data))
    }

    func did(_ command: some WireCommand) async -> Bool {
        await awaitReply(send(command, key: command.needsKey ? newKey() : nil))?.reply.isSuccess ?? false
    }

    func refused(_ command: some WireCommand) async -> WireError? {
        guard case .failed(let error)? = await awaitReply(send(command, key: command.needsKey ? newKey() : nil))?.reply.outcome else {
            return nil
        }
        return error
    }

    func newKey() -> String { "press-\(Token.random(length: 10))" }

    /// What the hub has said about no command.
    var errors: [WireError] { messages.compactMap { if case .error(let error) = $0 { error } else { nil } } }
}

extension SimulatedHub {
    /// A remote that says a user's token in its greeting.
    func remote(id: String, user token: String?) throws -> TestRemote {
        let remote = try connect(over: .unix(uid: 0, gid: 0))
        var hello = Hello(view: "full", client: .init(id: id, run: "r1", name: id))
        hello.user = token
        remote.send(JSONWriter.bytes(hello.encode))
        return remote
    }
}
