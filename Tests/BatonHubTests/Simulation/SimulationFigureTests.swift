import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

/// What the protocol promises about trouble, each with its figure.
@Suite struct `Trouble costs what the protocol says` {
    @Test func `a connection cut before its answer a thousand times, and the hub killed in a hundred of them, skips what was asked`()
        async throws
    {
        try await onLoop {
            let world = try SimulatedWorld(seed: 4711, clients: 1, trackMs: 36_000_000)
            let client = world.clients[0]
            world.press(Press(Commands.QueueAdd([ItemURI("/music/album:1200")]), key: "fill"), by: client)
            await world.calmDown()

            for round in 0..<1000 {
                world.press(Press(Commands.Next(), key: "key-\(round)"), by: client)
                await world.pass(ms: world.random.ms(0..<150))
                if round % 20 == 0 { world.kill() }
                if round % 20 == 10 { world.killInsideCommit() }
                client.link?.cut(arriving: world.random.chance(50), noticedAfterUs: world.random.us(0..<200_000))
                for _ in 0..<200 where !client.isAtRest { await world.pass(ms: 50) }
            }
            await world.calmDown()
            world.checkRest()

            #expect(world.problems == [])
            #expect(world.kills >= 95)
            #expect(world.presses.count { $0.kind == .next && $0.isApplied } == 1000)
            #expect(world.skipsCounted == 1000)
            #expect(world.room.queue.currentIndex == 1000)
        }
    }

    @Test func `two remotes that press next on the same entry skip once`() async throws {
        try await onLoop {
            let world = try SimulatedWorld(seed: 1, clients: 2)
            let first = Press(Commands.Play(ItemURI("/music/album:5")), key: "play")
            world.press(first, by: world.clients[0])
            await world.calmDown()
            let next = Commands.Next(from: world.room.queue.current!)

            let presses = [Press(next, key: "one-1"), Press(next, key: "two-2")]
            for (press, client) in zip(presses, world.clients) { world.press(press, by: client) }
            await world.pass(ms: 500)

            #expect(world.room.queue.currentIndex == 1)
            #expect(presses.count(where: \.isApplied) == 1)
            #expect(presses.count { $0.outcome == .noop(why: .moved) } == 1)
        }
    }

    @Test func `a thousand volume changes reach a watch four times a second in 64 bytes each`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let caller = try sim.remote(.full, id: "caller-1")
            let watch = try sim.remote(.watch, id: "watch-1")
            sim.time.pass(.seconds(1))
            watch.forgetFrames()

            for change in 0..<1000 {
                caller.send(Commands.VolumeSet(change * 7 % 101))
                sim.time.pass(.milliseconds(50))
            }
            sim.time.pass(.seconds(1))

            #expect(watch.frames.count <= 4 * 51 + 1)
            #expect(watch.frames.allSatisfy { $0.utf8.count <= 64 })
            #expect(watch.frames.last?.contains(#""v":[\#(999 * 7 % 101),0]"#) == true)
            #expect(watch.gaps == 0)
        }
    }

    @Test(arguments: StateView.allCases)
    func `coming back after a minute in which three things changed costs at most 600 bytes`(profile: StateView) async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let other = try sim.remote(id: "other-1")
            _ = await other.awaitReply(other.send(Commands.Play(ItemURI("/music/album:3")), key: "key-1"))
            sim.time.pass(.seconds(1))
            let away = try sim.remote(profile, id: "away-1")
            guard case .welcome(let welcome) = away.messages[0] else { return #expect(Bool(false), "no welcome") }
            let kept = away.mirror
            away.drop()
            other.send(Commands.Next(), key: "key-2")
            other.send(Commands.VolumeSet(12))
            other.send(Commands.ModeSet(repeat: true))
            sim.time.pass(.seconds(60))

            let back = try sim.connect(over: .unix(uid: 0, gid: 0))
            let resume = Hello.Resume(epoch: welcome.epoch, revision: kept.revision, rooms: [RoomID("main")], sections: kept.sections)
            back.send(JSONWriter.bytes(Hello(view: profile.rawValue, client: .init(id: "away-1", run: "r2"), resume: resume).encode))

            #expect(back.frames.count == 2)
            #expect(back.frames[1].contains(#""from":\#(kept.revision)"#))
            // The profile full has the people of the room beside those of the hub, and they have changed by the return itself.
            #expect(back.frames[1].utf8.count <= (profile == .full ? 760 : 600), "\(back.frames[1])")
        }
    }

    @Test func `two hundred readers that stop reading are closed in time, and everyone else is answered`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let caller = try sim.remote(id: "caller-1")
            let peer = Peer(channel: .unix(uid: 0, gid: 0), address: "unix")
            let readers = try (0..<200).map { number in
                let link = SimulatedLink(
                    owner: try sim.admit(from: peer), peer: peer, time: sim.time, life: sim.life, latencyUs: { 500 })
                link.send(JSONWriter.bytes(Hello(view: "full", client: .init(id: "reader-\(number)", run: "r1")).encode))
                return link
            }
            sim.time.pass(.seconds(1))
            for reader in readers { reader.isReading = false }
            sim.lookCostUs = 20

            var stalledAtUs: Microseconds?
            for step in 0..<1000 where readers.contains(where: { $0.closeCode == nil }) {
                let askedUs = sim.time.nowUs
                let id = caller.send(Commands.VolumeSet(step % 100))
                guard let stamps = caller.reply(id)?.reply.stamps else { return #expect(Bool(false), "no answer at once") }
                #expect(Microseconds(stamps.sent) - askedUs <= 1000)
                caller.forgetFrames()
                sim.time.pass(.milliseconds(60))
                if stalledAtUs == nil, readers.allSatisfy({ !$0.isReady }) { stalledAtUs = sim.time.nowUs }
                #expect(sim.companion.subscribers.sessions.allSatisfy { $0.queuedBytes <= sim.hub.limits.controlLane })
            }

            #expect(readers.allSatisfy { $0.closeCode == CloseCode.tooSlowToRead.rawValue && $0.misuses == 0 })
            #expect(sim.time.nowUs - (stalledAtUs ?? 0) <= 12_500_000)
            #expect(sim.companion.subscribers.count == 1)
            #expect(caller.closed == nil)
        }
    }

    @Test func `a greeting that comes late from an abandoned connection does not put out the newer one`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let older = try sim.connect(over: .unix(uid: 0, gid: 0))
            let newer = try sim.remote(id: "same-one")

            older.send(JSONWriter.bytes(Hello(view: "full", client: .init(id: "same-one", run: "r1")).encode))

            #expect(older.closed?.code == CloseCode.replaced.rawValue)
            #expect(newer.closed == nil)
        }
    }

    @Test func `a key sent twice while a source is being asked is carried out once`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(sourceDelay: .milliseconds(40))
            let one = try sim.remote(id: "same-one")
            let two = try sim.connect(over: .unix(uid: 0, gid: 0))
            two.send(JSONWriter.bytes(Hello(view: "full", client: .init(id: "same-one", run: "r2")).encode))

            let ids = [one, two].map { $0.send(Commands.QueueAdd([ItemURI("/music/song")]), key: "add-1") }
            _ = await sim.time.until(within: .seconds(10)) { one.reply(ids[0]) != nil && two.reply(ids[1]) != nil }

            #expect(one.reply(ids[0])?.reply.isSuccess == true)
            #expect(two.reply(ids[1])?.reply.isSuccess == true)
            #expect(sim.hub.rooms.first.room.queue.count == 1)
        }
    }

    @Test func `a queue reshuffled while nothing could be kept is kept when there is room again`() async throws {
        try await onLoop {
            let world = try SimulatedWorld(seed: 3, clients: 1, trackMs: 2000)
            let client = world.clients[0]
            for press in [
                Press(Commands.ModeSet(repeat: true, shuffle: true), key: "mode"),
                Press(Commands.Play(ItemURI("/music/album:8")), key: "play"),
            ] { world.press(press, by: client) }
            await world.pass(ms: 3000)

            world.fillDisk(forMs: 30_000)
            await world.pass(ms: 29_000)
            world.press(Press(Commands.Pause(), key: nil), by: client)
            await world.pass(ms: 8000)

            world.checkJournal()
            #expect(world.problems == [])
        }
    }

    @Test func `a level set while music plays is kept within a second`() async throws {
        try await onLoop {
            let world = try SimulatedWorld(seed: 5, clients: 1)
            let client = world.clients[0]
            world.press(Press(Commands.Play(ItemURI("/music/album:8")), key: "play"), by: client)
            // Long enough for the position to be written every five seconds and for nothing else.
            await world.pass(ms: 8500)

            world.press(Press(Commands.VolumeSet(17), key: nil), by: client)
            await world.pass(ms: 1300)

            #expect(world.room.isPlaying)
            #expect(try world.sim.journal.load().rooms.first?.room.level == 17)
        }
    }

    @Test func `what a restarted hub no longer shows is taken back from a resumed copy`() async throws {
        try await onLoop {
            let world = try SimulatedWorld(seed: 6, clients: 12)
            world.press(Press(Commands.Play(ItemURI("/music/broken")), key: "play"), by: world.clients[0])
            await world.calmDown()
            #expect(world.clients[0].sections[.watchProblem] != nil)

            world.kill()
            await world.calmDown()
            world.checkRest()

            #expect(world.problems == [])
            #expect(world.clients[0].sections[.watchProblem] == nil)
        }
    }
}
