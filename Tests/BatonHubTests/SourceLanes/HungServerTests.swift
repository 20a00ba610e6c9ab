/// A server that is stopped, as by `kill -STOP`, and the commands beside it: none of them waits for it.
import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonJoining
@testable import BatonKernel
@testable import BatonLibrary

@Suite struct `No command waits for another's server` {
    @Loop
    private struct World: HubWorld {
        let server: HangingServer
        let sim: SimulatedHub
        let remote: TestRemote

        init(_ connector: any Connector = MemorySource("home", count: 60)) throws {
            server = HangingServer(connector)
            sim = try SimulatedHub(library: LibraryParts(userMarks: MemoryUserMarks(), connectors: [MemorySource(count: 20), server]))
            remote = try sim.remote()
        }

        /// The answer, and how many milliseconds of the hub's time it took.
        func timed(_ command: some WireCommand, key: String? = nil) async throws -> (reply: ReceivedReply, ms: Milliseconds) {
            let beganUs = sim.time.nowUs
            let reply = try await send(remote, command, key: key)
            return (reply, Milliseconds(sim.time.nowUs - beganUs))
        }

        func show(_ words: String) async throws {
            _ = try await send(remote, Commands.Search(words, source: "home"))
        }

        var room: Room { sim.hub.rooms.first.room }
        var home: Sources { sim.hub.sources }
        func isDown() -> Bool { home.problem(of: "home") != nil }
    }

    private static let shelf = ItemURI("home:shelf/tracks")
    private static func track(_ number: Int) -> ItemURI { ItemURI("home:track/\(number)") }

    @Test func `a track that was shown is queued at once, with all its texts and without a question`() async throws {
        try await onLoop {
            let world = try World()
            try await world.show("Song 7")
            world.server.stop()
            let asked = world.server.asked(.expand)

            let (reply, ms) = try await world.timed(Commands.QueueAdd([Self.track(7)], place: .end), key: "add-1")

            #expect(reply.reply.isSuccess && ms == 0 && world.server.asked(.expand) == asked)
            #expect(world.room.queue.entries.map(\.tags) == [MemorySource("home").row(7).tags])
        }
    }

    /// BT-LIB-021
    @Test func `after one silence the source is away at once, with since when, until it answers`() async throws {
        try await onLoop {
            let world = try World()
            _ = try await world.send(world.remote, Commands.QueueAdd([ItemURI("lib:track/1")]), key: "before")
            world.server.stop()

            let first = try await world.timed(Commands.Play(Self.shelf), key: "press-1")
            let second = try await world.timed(Commands.Play(Self.shelf), key: "press-2")

            #expect(first.reply.refusal == .unavailable && first.ms <= 3_100)
            #expect(second.reply.refusal == .unavailable && second.ms == 0)
            #expect(second.reply.sentence.hasPrefix("The source “home” has been away since "))
            #expect(world.room.queue.entries.map(\.uri.text) == ["lib:track/1"])

            world.server.goOn()
            #expect(await world.until(within: 30) { !world.isDown() })
            #expect(try await world.timed(Commands.Play(Self.shelf), key: "press-3").reply.reply.isSuccess)
            #expect(world.room.queue.count == 60)
        }
    }

    @Test func `all that waits for a source is answered when it is found to be away`() async throws {
        try await onLoop {
            let world = try World()
            world.server.stop()
            // More than the source is asked at the same time.
            let remotes = try (0..<2).map { try world.sim.remote(id: "other-\($0)") }
            let asked = remotes.flatMap { remote in (0..<7).map { (remote, remote.send(Commands.Item(Self.track($0)))) } }
            let beganUs = world.sim.time.nowUs

            #expect(await world.until { asked.allSatisfy { $0.reply($1) != nil } })

            #expect(asked.allSatisfy { $0.reply($1)?.refusal == .unavailable })
            #expect(world.sim.time.nowUs - beganUs <= 3_100_000)
            #expect(await world.until { world.server.waitingCount <= 1 }, "Only the check still waits.")
        }
    }

    @Test(arguments: [HangingServer.Step.expand, .details, .browse])
    func `a server that is slow with one answer and says that it is there stays usable`(step: HangingServer.Step) async throws {
        try await onLoop {
            let world = try World()
            world.server.stop(in: [step])
            let slow: Int =
                switch step {
                case .expand: world.remote.send(Commands.Play(Self.shelf), key: "slow")
                case .details: world.remote.send(Commands.Item(Self.track(1)))
                default: world.remote.send(Commands.Browse(node: Self.shelf))
                }
            #expect(await world.until(within: 20) { world.server.asked(.check) >= 2 })
            #expect(!world.isDown() && world.remote.reply(slow) == nil)

            world.server.goOn()
            #expect(await world.until(within: 5) { world.remote.reply(slow)?.reply.isSuccess == true })
        }
    }

    @Test func `next to an entry whose server hangs is answered at once, and passed over when that is known`() async throws {
        try await onLoop {
            let world = try World()
            let uris = [ItemURI("lib:track/1"), Self.track(1), ItemURI("lib:track/2")]
            _ = try await world.send(world.remote, Commands.QueueAdd(uris), key: "add-1")
            _ = try await world.send(world.remote, Commands.Play())
            #expect(await world.until { world.room.timeline.state == .playing })
            world.server.stop()
            let beganUs = world.sim.time.nowUs

            let (reply, ms) = try await world.timed(Commands.Next(), key: "next")
            let volume = try await world.timed(Commands.VolumeSet(20))

            #expect(reply.reply.isSuccess && ms == 0 && volume.ms == 0)
            #expect(await world.until { world.room.currentEntry?.uri.text == "lib:track/2" && world.room.timeline.state == .playing })
            #expect(world.sim.time.nowUs - beganUs <= 3_300_000)
            #expect(world.remote.mirror.hub?.problems.contains { $0.message.contains("was passed over") } == true)
        }
    }

    @Test(arguments: [true, false]) func `a kept copy is queued and played without a question to its server`(isPreferred: Bool) async throws
    {
        try await onLoop {
            let albums = SimulatedAlbums("home")
            let world = try World(albums)
            await world.sim.hub.keep(MemoryKept(), limit: 1 << 20, rate: 0, isPreferred: isPreferred)
            _ = try await world.send(world.remote, Commands.KeepSet(.item(albums.track(11)), true))
            #expect(await world.until { world.remote.mirror.keeping?.whole == 1 })
            world.home.shownTracks.forget { _ in true }
            world.server.stop()
            let (asked, beganUs) = (world.server.askedInAll, world.sim.time.nowUs)

            let (reply, ms) = try await world.timed(Commands.Play(albums.track(11)), key: "play")

            #expect(reply.reply.isSuccess && ms == 0)
            #expect(world.room.currentEntry?.tags.title == "Song 11")
            #expect(await world.until { world.room.timeline.state == .playing })
            // What its owner prefers of a server that answers is waited for as long as a search waits for it.
            #expect(world.sim.time.nowUs - beganUs <= (isPreferred ? 100_000 : 1_000_000))
            if isPreferred { #expect(world.server.askedInAll == asked) }
        }
    }

    /// BT-LIB-004 BT-LIB-020
    @Test func `the shelves of all sources come in the time of a search, and name the source that is missing`() async throws {
        try await onLoop {
            let world = try World()
            world.server.stop()
            for limitMs in [850, 850, 0] as [Milliseconds] {
                let (reply, ms) = try await world.timed(Commands.Browse())
                let list = try ItemList(from: try #require(reply.data))
                #expect(list.rows.map(\.uri.text) == ["lib:shelf/tracks"] && list.missed == ["home"])
                #expect(ms <= limitMs)
                _ = await world.until(within: 4) { limitMs == 0 || world.isDown() }
            }
        }
    }

    /// BT-RTY-014
    @Test func `commands that wait for a server hold up none of a room, and keep their own order`() async throws {
        try await onLoop {
            let albums = SimulatedAlbums("home")
            let world = try World(albums)
            await world.sim.hub.keep(MemoryKept(), limit: 1 << 20, rate: 0)
            world.server.stop(in: [.details])

            let keep = world.remote.send(Commands.KeepSet(.item(albums.album(1)), true))
            let forget = world.remote.send(Commands.KeepSet(.item(albums.album(1)), false))
            let pause = try await world.timed(Commands.Pause())

            #expect(pause.reply.reply.isSuccess && pause.ms == 0)
            #expect(world.remote.reply(keep) == nil && world.remote.reply(forget) == nil)
            world.server.goOn()
            #expect(await world.until { world.remote.reply(forget) != nil })
            #expect(world.remote.reply(keep)?.reply.outcome == .applied() && world.remote.reply(forget)?.reply.outcome == .applied())
        }
    }

    /// BT-RTY-014
    @Test func `joining a room at a server that hangs can be taken back, and ends with its connection`() async throws {
        try await onLoop {
            let world = try World(RoomServer(nowUs: { 0 }))
            world.server.stop(in: [.rooms])
            let join = world.remote.send(Commands.RoomJoin("attic"))
            let second = world.remote.send(Commands.RoomJoin("attic"))
            #expect(await world.until { world.server.waitingCount == 1 })

            #expect(try await world.timed(Commands.Pause()).ms == 0)
            world.remote.sendText(#"{"t":"cancel","id":\#(second)}"#)
            world.remote.sendText(#"{"t":"cancel","id":\#(join)}"#)

            #expect(
                await world.until { world.remote.reply(join)?.refusal == .cancelled && world.remote.reply(second)?.refusal == .cancelled })
            #expect(world.sim.hub.joining.room(world.room.id) == nil)
        }
    }
}

extension ReceivedReply {
    fileprivate var sentence: String { if case .failed(let error) = reply.outcome { error.message } else { "" } }
}
