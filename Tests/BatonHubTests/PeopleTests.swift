/// The section `people` (`Protocol/profiles/people.md`): it is true, is sent seldom, and costs nothing while no client looks.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

@Suite struct `People are shown who is here` {
    private static let wallMs: Milliseconds = 1_700_000_000_000

    @Loop
    private func names(_ remote: TestRemote) -> [String]? {
        guard case .list(let people, more: 0) = remote.mirror.people else { return nil }
        return people.map(\.name)
    }

    @Test func `the first to look is shown at once, with its role, its room and since when`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            sim.time.pass(.seconds(9))
            let remote = try sim.remote(id: "ana-1")

            #expect(
                remote.mirror.people
                    == .list([.init(name: "ana-1", role: .admin, room: RoomID("main"), sinceMs: Self.wallMs + 10_000)], more: 0))
        }
    }

    @Test func `who comes and goes is seen within a second, the newest first`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            let ben = try sim.remote(.watch, id: "ben-1")
            let cleo = try sim.remote(.remote, id: "cleo-1")
            #expect(names(ana) == ["ana-1"])

            sim.time.pass(.seconds(1))
            #expect(names(ana) == ["cleo-1", "ben-1", "ana-1"])
            #expect(cleo.mirror.people == .number(3))
            #expect(ben.mirror.people == nil && !ben.frames.contains { $0.contains(#""people":"#) })

            ben.drop()
            sim.time.pass(.seconds(1))
            #expect(names(ana) == ["cleo-1", "ana-1"])
            #expect(cleo.mirror.people == .number(2))
            #expect(ana.gaps + cleo.gaps == 0)
        }
    }

    @Test func `a command that comes and goes within the second is shown to nobody`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            sim.time.pass(.seconds(2))
            ana.forgetFrames()

            for number in 0..<5 {
                let quick = try sim.remote(id: "quick-\(number)")
                quick.drop()
                sim.time.pass(.milliseconds(300))
            }
            sim.time.pass(.seconds(2))

            #expect(ana.frames.isEmpty)
        }
    }

    @Test func `a device with several connections is here once, since its first`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let first = try sim.connect(over: .unix(uid: 0, gid: 0))
            first.send(JSONWriter.bytes(Hello(view: "full", client: .init(id: "ana-1", run: "a", name: "Ana")).encode))
            sim.time.pass(.seconds(5))
            let second = try sim.connect(over: .unix(uid: 0, gid: 0))
            second.send(JSONWriter.bytes(Hello(view: "full", client: .init(id: "ana-1", run: "b", name: "Ana's tab")).encode))
            sim.time.pass(.seconds(1))
            #expect(
                second.mirror.people
                    == .list([.init(name: "Ana's tab", role: .admin, room: RoomID("main"), sinceMs: Self.wallMs + 1000)], more: 0))

            second.drop()
            sim.time.pass(.seconds(1))

            #expect(names(first) == ["Ana"])
        }
    }

    @Test func `a reconnect that overtakes its half open connection has not been away`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let watcher = try sim.remote(id: "eve-1")
            _ = try sim.remote(.watch, id: "ana-1")
            sim.time.pass(.seconds(5))
            watcher.forgetFrames()

            _ = try sim.remote(.watch, id: "ana-1")
            sim.time.pass(.seconds(3))

            #expect(watcher.frames.isEmpty)
            guard case .list(let people, _) = watcher.mirror.people else { return #expect(Bool(false), "no list") }
            #expect(people.first { $0.name == "ana-1" }?.sinceMs == Self.wallMs + 1000)
        }
    }

    @Test func `a client without a name is called by its program, and else by its id`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote(id: "eve-1")
            for client in [Hello.Client(id: "abcd", app: "wristd/0.3"), Hello.Client(id: "efgh")] {
                try sim.connect().send(JSONWriter.bytes(Hello(view: "watch", client: client).encode))
            }
            sim.time.pass(.seconds(1))

            #expect(names(remote) == ["efgh", "wristd/0.3", "eve-1"])
        }
    }

    @Test func `a list beyond its cap names the newest and counts the others`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote(id: "eve-1")
            for number in 0..<300 { _ = try sim.remote(.watch, id: "watch-\(number)") }
            sim.time.pass(.seconds(1))

            guard case .list(let people, let more) = remote.mirror.people else { return #expect(Bool(false), "no list") }
            #expect(people.count + more == 301 && people.count >= 40)
            #expect(people.prefix(2).map(\.name) == ["watch-299", "watch-298"])
            #expect(sim.companion.bytes(of: .people, in: RoomID("main")).map { $0.count <= Section.people.cap } == true)
        }
    }

    @Test func `remote sees a number and full a list, whatever they ask for by that name`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let full = try sim.remote(.full, id: "full-1")
            let remote = try sim.remote(.remote, id: "remote-1")
            let watch = try sim.remote(.watch, id: "watch-1")
            sim.time.pass(.seconds(2))

            for each in [full, remote, watch] { each.sendText(#"{"t":"sub","id":1,"sections":["people"]}"#) }

            #expect(names(full) == ["watch-1", "remote-1", "full-1"])
            #expect(remote.mirror.people == .number(3) && watch.mirror.people == .number(3))
        }
    }

    @Test func `where nobody looks, nothing is made of it, and who looks later sees the truth`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let first = try sim.remote(id: "eve-1")
            first.drop()
            sim.time.pass(.seconds(2))
            let revision = sim.hub.ledger.revision

            let watches = try (0..<20).map { try sim.remote(.watch, id: "watch-\($0)") }
            sim.time.pass(.seconds(5))
            for watch in watches.prefix(15) { watch.drop() }
            sim.time.pass(.seconds(5))
            #expect(sim.hub.ledger.revision == revision)

            let late = try sim.remote(.remote, id: "late-1")
            #expect(late.mirror.people == .number(6))
            #expect(try sim.remote(.full, id: "later-1").mirror.people?.count == 7)
        }
    }

    // MARK: Idleness (BT-SEC-016)

    @Loop
    private func idle(_ remote: TestRemote) -> [String]? {
        guard case .list(let people, _) = remote.mirror.people else { return nil }
        return people.filter { $0.idleSinceMs != nil }.map(\.name)
    }

    @Test func `who does nothing for five minutes is idle, until the next command`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            let ben = try sim.remote(.watch, id: "ben-1")
            for _ in 0..<29 {
                sim.time.pass(.seconds(10))
                ana.send(Commands.VolumeSet(30))
                ben.sendText(#"{"t":"time","t1":1}"#)
                ben.send(Commands.QueueWindow())
            }
            #expect(idle(ana) == [])

            sim.time.pass(.seconds(25))
            #expect(idle(ana) == ["ben-1"], "clock samples and questions that programs ask are no interaction")
            guard case .list(let people, _) = ana.mirror.people else { return }
            #expect(people.first { $0.name == "ben-1" }?.idleSinceMs == Self.wallMs + 1000)

            ben.send(Commands.Next(), key: "key-1")
            sim.time.pass(.milliseconds(1100))
            #expect(idle(ana) == [])
        }
    }

    @Test func `a hub in which all are idle says nothing more of it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            for number in 0..<30 { _ = try sim.remote(.watch, id: "watch-\(number)") }
            sim.time.pass(.seconds(400))
            #expect(idle(ana)?.count == 31)
            let revision = sim.hub.ledger.revision
            let fired = sim.time.fired

            sim.time.pass(.seconds(600))

            #expect(sim.hub.ledger.revision == revision)
            #expect(sim.time.fired - fired <= 121, "the shared tick alone")
        }
    }

    @Test func `who becomes idle while nobody looks is idle for the first who does`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            _ = try sim.remote(.watch, id: "ben-1")
            sim.time.pass(.seconds(10))
            let revision = sim.hub.ledger.revision
            sim.time.pass(.seconds(1000))
            #expect(sim.hub.ledger.revision == revision)

            #expect(idle(try sim.remote(id: "ana-1")) == ["ben-1"])
            sim.time.pass(.seconds(2))
        }
    }

    @Test func `over HTTP the list is as fresh`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            _ = try sim.remote(.watch, id: "watch-1")
            let request = HTTPRequest(
                method: .get, path: "/baton/state", headers: ["host": "127.0.0.1"],
                peer: Peer(channel: .loopback, address: "127.0.0.1"))

            let body = String(decoding: await sim.router.respond(to: request).body, as: UTF8.self)

            #expect(body.contains(#""people":{"list":[{"name":"watch-1","role":"admin","#))
        }
    }

    @Test func `a resumed copy is told only when it has changed`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            _ = try sim.remote(id: "eve-1")
            let away = try sim.remote(.remote, id: "away-1")
            sim.time.pass(.seconds(2))
            let kept = away.mirror
            away.drop()
            let back = try sim.connect(over: .unix(uid: 0, gid: 0))
            let resume = Hello.Resume(epoch: "sim1", revision: kept.revision, rooms: [RoomID("main")], sections: kept.sections)

            back.send(JSONWriter.bytes(Hello(view: "remote", client: .init(id: "away-1", run: "r2"), resume: resume).encode))
            sim.time.pass(.seconds(2))

            #expect(kept.sections.contains(.people))
            #expect(!back.frames.contains { $0.contains(#""people":"#) })
        }
    }

    // MARK: Many

    @Test func `a thousand who come over three seconds are told at most once a second each`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            var remotes: [TestRemote] = []
            for number in 0..<1000 {
                remotes.append(try sim.remote(.remote, id: "remote-\(number)"))
                sim.time.pass(.milliseconds(3))
            }
            sim.time.pass(.seconds(2))

            // Their own first state, one in each second of the coming, and one behind it.
            for remote in remotes { #expect(remote.frames.count { $0.contains(#""people""#) } <= 6) }
            #expect(remotes.allSatisfy { $0.mirror.people == .number(1000) && $0.gaps == 0 })
        }
    }

    @Test func `ten thousand who come at once are one encoding`() async throws {
        try await onLoop {
            var limits = WireLimits()
            limits.connections = 20_000
            let sim = try SimulatedHub(limits: limits)
            let eve = try sim.remote(id: "eve-1")
            sim.time.pass(.seconds(2))
            let revision = sim.hub.ledger.revision

            var subscribers: [TestRemote] = []
            for number in 0..<10_000 { subscribers.append(try sim.remote(.full, id: "full-\(number)")) }
            #expect(sim.hub.ledger.revision == revision)
            sim.time.pass(.seconds(1))
            // One for all who are connected, and one for those in the room.
            #expect(sim.hub.ledger.revision == revision + 2)
            #expect(eve.mirror.people?.count == 10_001 && subscribers[5000].mirror.people?.count == 10_001)

            for remote in subscribers { remote.drop() }
            sim.time.pass(.seconds(1))
            #expect(sim.hub.ledger.revision == revision + 4)
            #expect(eve.mirror.people?.count == 1 && sim.hub.people.count == 1)
        }
    }
}
