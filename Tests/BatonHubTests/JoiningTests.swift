/// A room that plays along with a room of another server, in virtual time: in step for whatever clocks, opened again on time, and
/// never in the way of what the room itself had.
import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonJoining
@testable import BatonKernel
@testable import BatonLibrary

@Loop
private final class JoinedWorld: HubWorld {
    let sim: SimulatedHub
    let server: RoomServer
    let accounts = MemoryAccounts()
    let remote: TestRemote

    init() async throws {
        let time = VirtualTime()
        sim = try SimulatedHub(
            time: time, trackMs: 60_000, library: LibraryParts(userMarks: MemoryUserMarks(), connectors: [MemorySource()]))
        server = RoomServer(nowUs: { Loop.assumeIsolated { time.nowUs } })
        try accounts.store(SourceAccount(name: "attic", title: "The attic", kind: "memory", url: "https://music.example.org"))
        try accounts.vault.store(SourceSecrets(user: "anna", password: "open sesame"), of: "attic")
        remote = try sim.remote()
        await open()
    }

    func open() async {
        let server = server
        await sim.hub.open(.inMemory(accounts) { _, _ in server })
        _ = await until { self.sim.hub.sources.latencyMs(of: "attic") != nil }
    }

    var live: LiveRoom { sim.hub.rooms.first }
    var joined: JoinedRoom? { sim.hub.joining.room(live.room.id) }

    func join() async throws -> Reply { try await send(remote, Commands.RoomJoin("attic")).reply }

    /// Joins the server's room and pauses it while the server is being asked for an edit. The ids are those of both commands.
    func pauseDuringEdit() async throws -> (edit: Int, pause: Int) {
        say(state([1, 2]))
        #expect(try await join().isSuccess)
        let edit = remote.send(Commands.QueueAdd([server.track(3).uri]), key: "add-1")
        #expect(await until { self.server.actions.count == 1 })
        return (edit, remote.send(Commands.Pause()))
    }

    func state(_ tracks: [Int], at index: Int = 0, positionMs: Double = 0, isPaused: Bool = false, withQueue: Bool = true)
        -> ServerRoomState
    {
        ServerRoomState(
            room: "main", name: "Main", track: server.track(tracks[index]), positionMs: positionMs, isPaused: isPaused, index: index,
            mode: .repeatAll, queue: withQueue ? .init(tracks.map { server.track($0) }) : nil, hubs: server.hubs)
    }

    func say(_ state: ServerRoomState) { server.say(.state(state, atUs: sim.time.nowUs)) }

    func pass(seconds: Int) async {
        for _ in 0..<seconds {
            sim.time.pass(.seconds(1))
            await settle()
        }
    }

    /// Lets what waits for nothing but its turn happen.
    func settle() async { await untilQuiet() }
}

@Suite struct `Joined rooms` {
    /// BT-JOIN-001
    @Test(arguments: [0, 1, 2, 3]) func `a room stays in step over changes of tracks, with clocks up to 100 ppm apart and late messages`(
        seed: UInt64
    ) async throws {
        try await onLoop {
            var random = SeededGenerator(seed)
            let world = try await JoinedWorld()
            let ppm = Double.random(in: -100...100, using: &random)
            let tracks = [1, 2, 3]
            // The server's room by the server's clock, which differs from ours.
            func serverMs(_ us: Microseconds, since startUs: Microseconds) -> Double { Double(us - startUs) / 1000 * (1 + ppm / 1_000_000) }
            var startUs = world.sim.time.nowUs
            var index = 0
            world.say(world.state(tracks))
            #expect(try await world.join().isSuccess)
            var spokenUs = world.sim.time.nowUs
            var late: [(dueUs: Microseconds, state: ServerRoomState)] = []
            for _ in 0..<6_000 {
                world.sim.time.pass(.milliseconds(50))
                await world.settle()
                let nowUs = world.sim.time.nowUs
                var isNews = nowUs - spokenUs >= 30_000_000
                if serverMs(nowUs, since: startUs) >= 60_000 {
                    (index, startUs, isNews) = ((index + 1) % 3, nowUs, true)
                }
                if isNews {
                    spokenUs = nowUs
                    let state = world.state(tracks, at: index, positionMs: serverMs(nowUs, since: startUs), withQueue: false)
                    late.append((nowUs + Microseconds(Int64.random(in: 1_000...40_000, using: &random)), state))
                }
                if let first = late.first, first.dueUs <= nowUs {
                    late.removeFirst()
                    world.say(first.state)
                    await world.settle()
                }
                let expected = serverMs(nowUs, since: startUs)
                guard expected > 2_000, expected < 59_500, let own = world.sim.player.measuredMs else { continue }
                #expect(abs(own - expected) < 100, "seed \(seed): \(own) and not \(expected), \(ppm) ppm")
                #expect(world.live.room.currentEntry?.uri == world.server.track(tracks[index]).uri)
            }
            #expect(world.sim.player.begun.count >= 4)
        }
    }

    @Test func `a lost connection is opened again after 3, 6, 9 and so on, at most 30 seconds`() async throws {
        try await onLoop {
            let world = try await JoinedWorld()
            world.say(world.state([1, 2]))
            #expect(try await world.join().isSuccess)
            world.server.isDown = true
            world.server.drop()
            await world.pass(seconds: 240)
            let times = world.server.entered
            let pauses = zip(times.dropFirst(), times.dropFirst(2)).map { Int(($1 - $0 + 500_000) / 1_000_000) }
            #expect(pauses.prefix(10) == [6, 9, 12, 15, 18, 21, 24, 27, 30, 30])
            world.server.isDown = false
            await world.pass(seconds: 31)
            #expect(await world.until { if case .open? = world.joined?.link { true } else { false } })
            #expect(world.joined?.attempt == 0)
        }
    }

    /// BT-JOIN-003
    @Test func `what the room had is kept while it plays along, also over a kill, and nothing of the other room is`() async throws {
        try await onLoop {
            let world = try await JoinedWorld()
            _ = try await world.send(world.remote, Commands.QueueAdd((0..<3).map { ItemURI("lib:track/\($0)") }), key: "add")
            let own = world.live.room.queue
            world.say(world.state([1, 2], positionMs: 5_000))
            #expect(try await world.join().isSuccess)
            #expect(world.live.room.queue.count == 2)
            world.sim.time.pass(.seconds(20))
            await world.settle()

            try world.sim.restart()
            #expect(world.live.room.queue.entries.map(\.id) == own.entries.map(\.id))
            await world.open()
            #expect(await world.until { world.live.own != nil })
            let remote = try world.sim.remote()
            _ = try await world.send(remote, Commands.RoomUnjoin())
            #expect(world.live.room.queue.entries == own.entries && world.live.own == nil)
            #expect(world.live.room.timeline.state != .playing)

            try world.sim.restart()
            await world.open()
            world.sim.time.pass(.seconds(60))
            await world.settle()
            #expect(world.live.own == nil && world.joined == nil)
        }
    }

    /// BT-JOIN-002
    @Test func `a command is answered when a state shows it, and with a sentence when none does`() async throws {
        try await onLoop {
            let world = try await JoinedWorld()
            world.say(world.state([1, 2]))
            #expect(try await world.join().isSuccess)
            let pressed = world.remote.send(Commands.Pause(), key: "pause")
            #expect(await world.until { world.server.actions == [.pause] })
            #expect(world.remote.reply(pressed) == nil)
            world.say(world.state([1, 2], positionMs: 800, isPaused: true))
            #expect(await world.until { world.remote.reply(pressed)?.reply.isSuccess == true })

            let ignored = world.remote.send(Commands.Play(), key: "play")
            #expect(await world.until { world.remote.reply(ignored) != nil })
            guard case .failed(let error)? = world.remote.reply(ignored)?.reply.outcome else { return #expect(Bool(false)) }
            #expect(error.known == .unavailable)
        }
    }

    /// BT-RTY-015
    @Test func `a pause goes ahead of a play that is being carried out, which leaves the room paused`() async throws {
        try await onLoop {
            let world = try await JoinedWorld()
            world.say(world.state([1, 2], isPaused: true))
            #expect(try await world.join().isSuccess)
            let play = world.remote.send(Commands.Play(world.server.track(3).uri), key: "play")
            let pause = world.remote.send(Commands.Pause())
            #expect(world.remote.reply(play) == nil && world.remote.reply(pause)?.reply.outcome == .noop(why: .same))

            #expect(await world.until { world.server.actions.count == 1 })
            world.say(world.state([1, 3, 2], isPaused: true))
            #expect(await world.until { world.server.actions.count == 2 })
            // This server plays on by itself after a jump.
            world.say(world.state([1, 3, 2], at: 1))
            #expect(await world.until { world.server.actions.count == 3 })
            world.say(world.state([1, 3, 2], at: 1, isPaused: true))
            #expect(await world.until { world.remote.reply(play)?.reply.isSuccess == true })
            #expect(world.server.actions == [.add([world.server.track(3).uri], at: 1), .jump(1), .pause])
        }
    }

    /// BT-RTY-015
    @Test func `a play that its server does not show in time is paused where a pause came after it`() async throws {
        try await onLoop {
            let world = try await JoinedWorld()
            world.say(world.state([1, 2], isPaused: true))
            #expect(try await world.join().isSuccess)
            let play = world.remote.send(Commands.Play(), key: "play")
            #expect(await world.until { world.server.actions == [.unpause] })
            let pause = world.remote.send(Commands.Pause())
            #expect(world.remote.reply(pause)?.reply.outcome == .noop(why: .same))

            world.sim.time.pass(.seconds(6))
            #expect(await world.until { world.server.actions == [.unpause, .pause] })
            world.say(world.state([1, 2], isPaused: true))
            #expect(await world.until { world.remote.reply(play) != nil })
            #expect(world.remote.reply(play)?.reply.isSuccess == false)
        }
    }

    @Test func `an edit from before a pause leaves alone what another person began to play`() async throws {
        try await onLoop {
            let world = try await JoinedWorld()
            let (add, pause) = try await world.pauseDuringEdit()
            #expect(await world.until { world.server.actions.last == .pause })
            world.say(world.state([1, 2], isPaused: true))
            #expect(await world.until { world.remote.reply(pause)?.reply.isSuccess == true })

            world.say(world.state([1, 2, 3]))
            #expect(await world.until { world.remote.reply(add)?.reply.isSuccess == true })
            await world.settle()
            #expect(world.server.actions.count == 2)
        }
    }

    @Test func `what comes after a pause that went ahead waits for it, and its cancel is no answer`() async throws {
        try await onLoop {
            let world = try await JoinedWorld()
            let (add, pause) = try await world.pauseDuringEdit()
            let play = world.remote.send(Commands.Play(), key: "play")
            #expect(await world.until { world.server.actions.last == .pause })

            await world.settle()
            #expect(world.remote.reply(play) == nil && world.server.actions.count == 2)
            world.remote.sendText(#"{"t":"cancel","id":\#(pause)}"#)
            #expect(world.remote.reply(pause) == nil, "the server was asked already")
            world.say(world.state([1, 2, 3], isPaused: true))
            #expect(await world.until { world.remote.reply(pause)?.reply.isSuccess == true })
            #expect(await world.until { world.remote.reply(add)?.reply.isSuccess == true })

            #expect(await world.until { world.server.actions.last == .unpause })
            world.say(world.state([1, 2, 3]))
            #expect(await world.until { world.remote.reply(play)?.reply.isSuccess == true })
        }
    }

    /// BT-JOIN-004
    @Test func `a circle is refused, and one that is made later is left`() async throws {
        try await onLoop {
            let world = try await JoinedWorld()
            world.say(world.state([1, 2]))
            world.server.hubs = ["sim", "h-other"]
            #expect(try await !world.join().isSuccess)
            world.server.hubs = ["h-other"]
            world.say(world.state([1, 2]))
            #expect(try await world.join().isSuccess)
            #expect(world.sim.hub.ports.joinedHubs(world.live.room.id) == ["h-other"])
            world.server.hubs = ["sim", "h-other"]
            world.say(world.state([1, 2]))
            #expect(await world.until { if case .ended? = world.joined?.link { true } else { false } })
            #expect(world.live.room.timeline.state == .stopped)
        }
    }
}
