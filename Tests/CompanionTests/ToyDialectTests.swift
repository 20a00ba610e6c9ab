/// That another protocol than the companion's can be added by the hub's ports alone: a toy one, over real sockets.
import BatonCore
import BatonProtocol
import BatonSeams
import EventLoop
import Harness
import SocketPeers
import SocketServer
import Testing

@testable import BatonHub
@testable import BatonKernel

@Suite(.loop) struct `A protocol of lines` {
    @Test @Loop func `next sent twice with one key skips once`() async throws {
        try await withToy { sim, _, peer in
            try await peer.say("now\nnext first\nnext first\nnow\nnext second\nnow\n")

            #expect(try await peer.text(until: "album:5 3\n") == "NOW album:5 1\nOK\nOK again\nNOW album:5 2\nOK\nNOW album:5 3\n")
            #expect(sim.hub.rooms.first.room.queue.currentIndex == 2)
        }
    }

    @Test @Loop func `a key of a remote is another one there, also for a client of the same name`() async throws {
        try await withToy { _, _, peer in
            try await peer.say("next play-it\nnow\n")

            #expect(try await peer.text(until: "album:5 2\n") == "OK\nNOW album:5 2\n")
        }
    }

    @Test @Loop func `clients of the companion protocol see it, and the player follows`() async throws {
        try await withToy { sim, _, peer in
            let watcher = try sim.remote(id: "watcher-1")
            try await peer.say("next one\n")
            _ = try await peer.text(until: "OK\n")

            #expect(watcher.mirror.now?.tags.title == "album:5 2")
            #expect(
                await eventually {
                    sim.time.pass(.milliseconds(10))
                    return sim.player.playing == sim.hub.rooms.first.room.queue.current
                })
        }
    }

    @Test @Loop func `a role, a limit and an unknown line are refused by the hub in the dialect's own words`() async throws {
        try await withToy(role: .listener) { sim, _, peer in
            try await peer.say("next one\nsing\n")
            #expect(try await peer.text(until: "unknown_command\n") == "ERR forbidden\nERR unknown_command\n")

            try await peer.say(String(repeating: "sing\n", count: 60))

            let heard = try await peer.text(until: "rate_limited\n")
            #expect(heard.hasPrefix("ERR unknown_command\n"))
            #expect(sim.hub.rooms.first.room.queue.currentIndex == 0)
        }
    }

    @Test @Loop func `a stream of revisions keeps only the newest`() async throws {
        try await withToy { sim, toy, peer in
            let state = toy.ports.state
            var revisions = state.revisions().makeAsyncIterator()
            try await peer.say("next one\nnext two\nnext three\nnow\n")
            _ = try await peer.text(until: "album:5 4\n")

            #expect(await revisions.next() == state.revision)
        }
    }

    @Test @Loop func `its connections count as the hub's, and end with it`() async throws {
        try await withToy { sim, toy, peer in
            try await peer.say("now\n")
            _ = try await peer.text(until: "\n")
            #expect(toy.connections == 1 && sim.hub.kernel.dialects.connections == 1 + sim.companion.connections)

            await sim.hub.close()

            #expect(try await peer.text().isEmpty)
            #expect(await eventually { toy.connections == 0 })
        }
    }

    /// A hub that plays an album, and a client of the toy protocol.
    @Loop
    private func withToy(
        role: Role = .remote, _ body: @Loop (SimulatedHub, ToyDialect, RawPeer) async throws -> Void
    ) async throws {
        let sim = try SimulatedHub()
        let toy = ToyDialect(sim.hub.ports)
        toy.role = role
        sim.hub.add(toy)
        let remote = try sim.remote(id: "owner-1")
        _ = await remote.awaitReply(remote.send(Commands.Play(ItemURI("file:track/album:5")), key: "play-it"))
        let server = LineServer(try await EventLoop.background(), for: toy)
        let port = try server.listen(tcp: "127.0.0.1", port: 0)
        do { try await body(sim, toy, RawPeer(port: port)) } catch {
            await server.close(grace: .seconds(1))
            throw error
        }
        await server.close(grace: .seconds(1))
    }
}
