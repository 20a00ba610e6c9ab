/// That another protocol over HTTP and WebSocket registers beside the companion protocol, and passes the same admission: a toy
/// one, over real sockets.
import BatonCore
import BatonProtocol
import BatonSeams
import Companion
import EventLoop
import Harness
import SocketPeers
import SocketServer
import Testing

@testable import BatonHub
@testable import BatonKernel

@Suite(.loop) struct `A protocol of routes` {
    @Test @Loop func `its GET and POST stand in the table of the companion protocol`() async throws {
        try await withToy { hub async throws in
            #expect(try await curl(hub.url + "/toy/now") == "album:5 1 for the remote\n")
            #expect(try await curl("-d", "", "-H", "X-Toy-Key: one", hub.url + "/toy/next") == "OK\n")
            #expect(try await curl("-d", "", "-H", "X-Toy-Key: one", hub.url + "/toy/next") == "OK again\n")
            #expect(try await curl(hub.url + "/toy/now") == "album:5 2 for the remote\n")
            #expect(try await curl(hub.url + "/baton/state").contains("album:5 2"))
            #expect(try await curl(hub.url + "/toy/nothing") == "There is nothing here. The remote is at /.\n")
        }
    }

    @Test @Loop func `its upgrade has a subprotocol of its own, beside that of the companion protocol`() async throws {
        try await withToy { hub async throws in
            let peer = RawPeer(port: hub.port)
            try await peer.say(RawPeer.upgrade(path: "/toy", "Sec-WebSocket-Protocol: toy.v1\r\n"))
            #expect(try await peer.text(until: "\r\n\r\n").contains("sec-websocket-protocol: toy.v1\r\n"))
            try await peer.say(RawPeer.frame(Array("next one".utf8)))
            #expect(try await peer.text(until: "OK").hasSuffix("OK"))
            #expect(hub.toy.connections == 1)

            let companion = RawPeer(port: hub.port)
            try await companion.say(RawPeer.upgrade())
            #expect(try await companion.text(until: "\r\n\r\n").contains("sec-websocket-protocol: baton.v1\r\n"))
            #expect(hub.sim.hub.rooms.first.room.queue.currentIndex == 1)
        }
    }

    @Test(arguments: ["Origin: http://evil.example", "Host: evil.example", "X-Forwarded-For: 192.0.2.7"]) @Loop
    func `admission refuses all of its routes before they are called`(header: String) async throws {
        try await withToy { hub async throws in
            let answers = [
                try await curl("-i", "-H", header, hub.url + "/toy/now"),
                try await curl("-i", "-d", "", "-H", "X-Toy-Key: one", "-H", header, hub.url + "/toy/next"),
                try await curl(
                    "-i", "-H", header, "--http1.1", "-H", "Upgrade: websocket", "-H", "Connection: Upgrade", "-H",
                    "Sec-WebSocket-Version: 13", "-H", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "-H",
                    "Sec-WebSocket-Protocol: toy.v1", hub.url + "/toy"),
            ]

            #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 403 ") })
            #expect(hub.toy.calls == 0)
            #expect(hub.sim.hub.rooms.first.room.queue.currentIndex == 0)
        }
    }

    @Test @Loop func `its peers have the role of their channel`() async throws {
        try await withToy(lanPlain: .listener) { hub async throws in
            let forwarded = ["-H", "X-Forwarded-For: 192.0.2.7"]
            let file = ["--unix-socket", hub.file]

            #expect(try await curl(forwarded[0], forwarded[1], hub.url + "/toy/now") == "album:5 1 for the listener\n")
            #expect(
                try await curl(forwarded[0], forwarded[1], "-d", "", "-H", "X-Toy-Key: one", hub.url + "/toy/next") == "ERR forbidden\n"
            )
            #expect(try await curl(file[0], file[1], "http://hub/toy/now") == "album:5 1 for the admin\n")
        }
    }

    @Test @Loop func `its connections count among those that the hub allows`() async throws {
        // One of the two is the remote that pressed play.
        try await withToy(connections: 2) { hub async throws in
            let first = RawPeer(port: hub.port)
            try await first.say(RawPeer.upgrade(path: "/toy", "Sec-WebSocket-Protocol: toy.v1\r\n"))
            _ = try await first.text(until: "\r\n\r\n")
            let second = RawPeer(port: hub.port)
            try await second.say(RawPeer.upgrade(path: "/toy", "Sec-WebSocket-Protocol: toy.v1\r\n"))

            #expect(try await second.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 503 "))
        }
    }

    /// The hub of one test, and where its server is.
    private struct Running {
        let sim: SimulatedHub
        let toy: ToyRoutes
        let port: UInt16
        let file: String
        var url: String { "http://127.0.0.1:\(port)" }
    }

    @Loop
    private func withToy(
        lanPlain: Role? = nil, connections: Int = 100, _ body: @Loop (Running) async throws -> Void
    ) async throws {
        var limits = WireLimits.standard
        limits.connections = connections
        let sim = try SimulatedHub(limits: limits)
        let toy = ToyRoutes(sim.hub.ports)
        sim.hub.add(toy)
        let remote = try sim.remote(id: "owner-1")
        _ = await remote.awaitReply(remote.send(Commands.Play(ItemURI("file:track/album:5")), key: "play-it"))

        var routes = Routes()
        let policy = AdmissionPolicy(lanPlain: lanPlain)
        toy.register(in: &routes)
        RequestRouter.register(sim.companion, policy, in: &routes)
        let server = Server(try await EventLoop.background(), reception: RequestRouter.reception(of: routes, sim.companion, policy))
        let port = try server.listen(tcp: "127.0.0.1", port: 0)
        let file = try temporaryPath()
        try server.listen(unix: file)
        do { try await body(Running(sim: sim, toy: toy, port: port, file: file)) } catch {
            await server.close()
            throw error
        }
        await server.close()
    }
}
