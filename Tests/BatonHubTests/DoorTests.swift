/// The order in which the door looks at a command (`Protocol/core/5-commands.md`). BT-CMD-008 BT-CMD-010 BT-RTY-015 BT-RTY-016 BT-RTY-017
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel

@Suite struct `The door` {
    private static let unknown = [
        #"{"t":"cmd","id":1,"m":"fly"}"#, #"{"t":"cmd","id":2,"m":"room.group","p":{"rooms":["main"]}}"#,
        #"{"t":"cmd","id":3,"m":"com.example.dim","k":"k-1","p":{"level":-3}}"#,
        #"{"t":"cmd","id":4,"m":"hub.restart","if":1,"room":"attic"}"#,
    ]

    @Test(arguments: [Role.listener, .admin]) func `answers unknown methods alike, whatever they carry`(role: Role) async throws {
        try await onLoop {
            let remote = try SimulatedHub().connect(over: .unix(uid: 0, gid: 0))
            remote.sendText(#"{"t":"hello","core":"1.0","view":"full","role":"\#(role.rawValue)","client":{"id":"door-1"}}"#)
            for text in Self.unknown { remote.sendText(text) }

            let refusals = (1...4).map { remote.refusal($0) }
            #expect(refusals.allSatisfy { $0 == refusals[0] } && refusals[0]?.known == .unknownCommand && refusals[0]?.at == nil)
        }
    }

    @Test func `looks at the role before parameters, and at a known key before the age`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let guest = try sim.connect(over: .unix(uid: 0, gid: 0))
            guest.sendText(#"{"t":"hello","core":"1.0","view":"full","role":"guest","client":{"id":"guest-1"}}"#)
            guest.sendText(#"{"t":"cmd","id":1,"m":"room.rename","p":{"later":1}}"#)
            #expect(guest.refusal(1)?.known == .forbidden)

            let remote = try sim.remote()
            let nowMs = Milliseconds(sim.time.nowUs)
            remote.send(Commands.VolumeStep(5), key: "step-1", ct: nowMs)
            sim.time.pass(.seconds(20))
            let again = remote.send(Commands.VolumeStep(5), key: "step-1", ct: nowMs)
            let late = remote.send(Commands.VolumeStep(5), key: "step-2", ct: nowMs)

            #expect(remote.reply(again)?.reply.outcome == .applied(why: .dup))
            #expect(remote.reply(late)?.failure == "expired")
            #expect(remote.mirror.volume?.level == 35)
        }
    }

    @Test func `repeats an answer with the ids of then and the revisions of now`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            let add = Commands.QueueAdd([ItemURI("/music/album:2")])
            let first = await remote.awaitReply(remote.send(add, key: "add-1"))
            _ = await remote.awaitReply(remote.send(Commands.QueueAdd([ItemURI("/music/album:3")]), key: "add-2"))
            remote.send(Commands.VolumeSet(50))
            try sim.restart()

            let back = try sim.remote()
            let again = try #require(await back.awaitReply(back.send(add, key: "add-1"))).reply
            #expect(again.outcome == .applied(why: .dup) && again.queue?.ids == first?.reply.queue?.ids)
            #expect(again.queue?.revision == back.mirror.queue?.revision && again.revision == back.mirror.revision)
        }
    }

    // MARK: Secrets

    @Test func `makes a secret once for one key, remembers it for ten minutes, and forgets it with the process`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            @Loop func open(_ role: Role, key: String) throws -> (pin: String?, reply: ReceivedReply?) {
                let owner = try sim.remote(id: "owner-1")
                defer { owner.drop() }
                let reply = owner.reply(owner.send(Commands.PairOpen(role: role), key: key))
                return (reply?.data?["pin"]?.string, reply)
            }
            let first = try open(.remote, key: "open-1")
            let again = try open(.remote, key: "open-1")
            #expect(first.pin != nil && again.pin == first.pin && again.reply?.reply.why == .dup)
            #expect(try open(.guest, key: "open-1").reply?.failure == "key_mismatch")

            sim.time.pass(.seconds(601))
            let later = try open(.remote, key: "open-1")
            #expect(later.pin != nil && later.reply?.reply.why == nil)
            try sim.restart()
            #expect(try open(.remote, key: "open-1").reply?.reply.why == nil, "no answer with a secret is written")
        }
    }

    @Test func `needs a key for a command that makes a secret`() async throws {
        try await onLoop {
            let owner = try SimulatedHub().remote()
            for command in [Commands.PairOpen(), Commands.NewTicket(), Commands.ListenLink()] as [any WireCommand] {
                let refusal = owner.refusal(owner.send(command))
                #expect(refusal?.known == .badRequest && refusal?.at == "/k")
            }
        }
    }

    @Test func `gives a repeat that comes too early the answer of the command that is being carried out`() async throws {
        try await onLoop {
            let answers = SecretAnswers(try SimulatedHub().hub.clock)
            let name = SecretAnswers.Name(principal: "local/one", key: "in-1")
            #expect(try answers.known(name, 7) == nil)
            answers.begin(name, 7)
            guard case .inWork(let first)? = try answers.known(name, 7), case .inWork(let second)? = try answers.known(name, 7) else {
                Issue.record("It is not known to be in work.")
                return
            }
            let waiting = Task(executorPreference: Loop.jobs) { await first.answer.id }
            await untilQuiet()
            answers.end(name, with: Reply(id: 3, .applied()))
            #expect(await waiting.value == 3)
            #expect(await second.answer.id == 3, "its task began only now")
            #expect(throws: ProtocolFault.self) { try answers.known(name, 8) }
        }
    }

    @Test func `tells a refusal to a repeat whose task begins after it, and forgets it`() async throws {
        try await onLoop {
            let answers = SecretAnswers(try SimulatedHub().hub.clock)
            let name = SecretAnswers.Name(principal: "local/one", key: "in-2")
            answers.begin(name, 7)
            guard case .inWork(let again)? = try answers.known(name, 7) else {
                Issue.record("It is not known to be in work.")
                return
            }
            answers.end(name, with: Reply(id: 4, .failed(WireError(ProtocolFault(.expired, "Too late.")))))
            guard case .failed(let error) = await again.answer.outcome else {
                Issue.record("It was told a success.")
                return
            }
            #expect(error.known == .expired)
            #expect(!answers.has(name) && answers.isEmpty, "a refusal is not remembered")
        }
    }

    @Test func `keeps no secret longer than ten minutes, whatever is still being carried out`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let answers = SecretAnswers(sim.hub.clock)
            let slow = SecretAnswers.Name(principal: "local/one", key: "slow")
            let names = (1...3).map { SecretAnswers.Name(principal: "local/one", key: "in-\($0)") }
            answers.begin(slow, 7)
            for name in names {
                answers.begin(name, 7)
                answers.end(name, with: Reply(id: 1, .applied()))
                sim.time.pass(.seconds(100))
            }
            #expect(names.allSatisfy { answers.has($0) })
            sim.time.pass(.seconds(301))
            #expect(names.map { answers.has($0) } == [false, true, true])
            answers.end(slow, with: Reply(id: 2, .failed(WireError(.cancelled))))
            sim.time.pass(.seconds(200))
            #expect(answers.isEmpty, "no one asked")
        }
    }

    // MARK: Silence

    @Test(arguments: [true, false]) func `lets silence and the volume wait for nothing, and a later pause wins`(isStop: Bool) async throws {
        try await onLoop {
            let sim = try SimulatedHub(sourceDelay: .milliseconds(400))
            let remote = try sim.remote()
            let play = remote.send(Commands.Play(ItemURI("/music/album:3")), key: "play-1")
            let behind = remote.send(Commands.ModeSet(shuffle: true))
            let volume = remote.send(Commands.VolumeSet(50))
            let halt = isStop ? remote.send(Commands.Stop()) : remote.send(Commands.Toggle(.paused))
            #expect(remote.reply(volume)?.reply.isSuccess == true && remote.reply(halt)?.reply.isSuccess == true)
            #expect(remote.reply(play) == nil && remote.reply(behind) == nil)

            #expect(await sim.time.until(within: .seconds(5)) { remote.reply(behind) != nil })
            #expect(remote.reply(play)?.reply.isSuccess == true)
            let room = sim.hub.rooms.first.room
            #expect(room.queue.count == 3 && !room.isPlaying)
            await sim.time.passQuietly(.seconds(2))
            #expect(!sim.hub.rooms.first.isPlaying && sim.player.playing == nil)

            remote.send(Commands.Play(), key: "play-2")
            #expect(await sim.time.until(within: .seconds(5)) { sim.player.playing != nil }, "a later press begins it")
        }
    }

    @Test func `a play that is sent again by a new connection does not undo a pause that was pressed after it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(sourceDelay: .milliseconds(400))
            let first = try sim.remote()
            let pressedMs = Milliseconds(sim.time.nowUs) - 50
            first.send(Commands.Play(ItemURI("/music/album:3")), key: "play-1", ct: pressedMs)
            #expect(first.reply(first.send(Commands.Pause()))?.reply.isSuccess == true)
            first.drop()

            let second = try sim.remote()
            let again = second.send(Commands.Play(ItemURI("/music/album:3")), key: "play-1", ct: pressedMs)
            #expect(await sim.time.until(within: .seconds(5)) { second.reply(again) != nil })
            #expect(second.reply(again)?.reply.outcome == .applied())
            #expect(sim.hub.rooms.first.room.queue.count == 3 && !sim.hub.rooms.first.isPlaying)

            let later = second.send(Commands.Play(), key: "play-2", ct: Milliseconds(sim.time.nowUs))
            #expect(second.reply(later)?.reply.isSuccess == true && sim.hub.rooms.first.isPlaying)
        }
    }

    @Test func `what was pressed on one connection holds in the order in which it came`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            _ = await remote.awaitReply(remote.send(Commands.Play(ItemURI("/music/album:3")), key: "play-1"))
            let pressedMs = Milliseconds(sim.time.nowUs)
            sim.time.pass(.milliseconds(80))
            remote.send(Commands.Pause())
            remote.send(Commands.Play(), key: "play-2", ct: pressedMs)
            #expect(sim.hub.rooms.first.isPlaying, "the link was slow, and the pause does not tell when it was pressed")
        }
    }

    @Test func `what plays by a later press is not silenced by an earlier one, and a refused press lifts nothing`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(sourceDelay: .milliseconds(400))
            let (slow, other) = (try sim.remote(id: "slow-1"), try sim.remote(id: "other-1"))
            let added = other.send(Commands.QueueAdd([ItemURI("/music/album:2")]), key: "add-1")
            #expect(await sim.time.until(within: .seconds(5)) { other.reply(added) != nil })
            @Loop func play(_ key: String) -> Int { slow.send(Commands.Play(ItemURI("/music/album:3")), key: key) }
            @Loop func done(_ id: Int) async { #expect(await sim.time.until(within: .seconds(5)) { slow.reply(id) != nil }) }

            let first = play("play-1")
            other.send(Commands.Pause())
            #expect(other.reply(other.send(Commands.Jump(EntryID(9_999)), key: "jump-1"))?.reply.isSuccess == false)
            await done(first)
            #expect(!sim.hub.rooms.first.isPlaying)

            let second = play("play-2")
            other.send(Commands.Pause())
            other.send(Commands.Play(), key: "play-3")
            #expect(sim.hub.rooms.first.isPlaying)
            await done(second)
            #expect(sim.hub.rooms.first.isPlaying)
        }
    }

    @Test func `a private room stays silent too where a pause came later`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(sourceDelay: .milliseconds(400))
            let remote = try sim.remote()
            @Loop func play(_ key: String, in room: RoomID? = nil) -> Int {
                remote.send(Commands.ListenOnly(ItemURI("/music/album:3")), key: key, room: room)
            }
            let made = play("only-1")
            #expect(await sim.time.until(within: .seconds(5)) { remote.reply(made) != nil })
            let room = try CreatedRoom(from: #require(remote.reply(made)?.data)).room

            let again = play("only-2", in: room)
            remote.send(Commands.Stop(), room: room)
            #expect(await sim.time.until(within: .seconds(5)) { remote.reply(again) != nil })
            #expect(remote.reply(again)?.reply.isSuccess == true && sim.hub.rooms[room]?.isPlaying == false)
        }
    }
}
