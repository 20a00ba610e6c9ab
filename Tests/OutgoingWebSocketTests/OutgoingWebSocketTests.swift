import BatonSeams
import EventLoop
import Foundation
import SocketPeers
import Testing

@testable import OutgoingWebSocket

/// WebSockets to servers of others, against Debian's Python library and servers that misbehave.
@Suite(.loop) struct OutgoingWebSocketTests {
    private func client(_ servers: Servers? = nil) async throws -> OutgoingWebSockets {
        OutgoingWebSockets(loop: try await EventLoop.background(), roots: servers?.roots)
    }

    private func fault(_ request: WebSocketRequest, _ client: OutgoingWebSockets) async -> WebSocketFault? {
        do {
            _ = try await client.connect(request)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [false, true]) func `text and binary messages go both ways, with and without TLS`(isSecure: Bool) async throws {
        let servers = try await Servers()
        let connection = try await client(servers).connect(isSecure ? servers.secure("/echo") : servers.plain("/echo"))
        let long = String(repeating: "ü", count: 50_000)

        try await connection.send(.text("grüße"))
        try await connection.send(.binary([0, 1, 255]))
        try await connection.send(.text(long))

        #expect(await connection.next() == .text("grüße"))
        #expect(await connection.next() == .binary([0, 1, 255]))
        #expect(await connection.next() == .text(long))
        await connection.close(1000, "Done.")
        #expect(await connection.next() == nil)
        #expect(await connection.ending() == WebSocketEnding(code: 1000, reason: "Done.", byPeer: false))
    }

    @Test func `own headers arrive, and a subprotocol is chosen`() async throws {
        let servers = try await Servers()
        var request = servers.plain("/headers")
        request.headers = [("Authorization", "Bearer secret"), ("X-Client", "baton")]
        request.subprotocols = ["music.v1"]

        let connection = try await client().connect(request)

        #expect(connection.subprotocol == "music.v1")
        guard case .text(let text) = await connection.next() else {
            Issue.record("The server sent no headers.")
            return
        }
        let headers = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
        #expect(headers["authorization"] == "Bearer secret" && headers["x-client"] == "baton")
        #expect(headers["host"]?.hasPrefix("127.0.0.1:") == true)
    }

    @Test func `a server without one of the subprotocols is refused`() async throws {
        let servers = try await Servers()
        var request = servers.plain("/echo")
        request.subprotocols = ["chat"]

        #expect(try await fault(request, client()) != nil)
    }

    @Test func `a certificate of an unknown authority, and one for another host, are refused`() async throws {
        let servers = try await Servers()
        let others = try await Servers(named: "attic.local")

        let unknown = try await fault(servers.secure("/echo"), client(others))
        let wrong = try await fault(others.secure("/echo"), client(others))

        #expect(unknown?.code == .certificate)
        #expect(wrong?.code == .certificate)
        #expect(unknown?.sentence.hasPrefix("The certificate of localhost:") == true)
    }

    @Test func `a refused upgrade tells its status`() async throws {
        let servers = try await Servers()

        #expect(try await fault(servers.plain("/refuse"), client())?.code == .rejected(status: 403))
    }

    @Test func `a host that does not exist, or does not answer, is a sentence without the query`() async throws {
        let policy = AddressPolicy { _ in true }
        let client = try await client()

        let closed = await fault(WebSocketRequest("ws://127.0.0.1:1/?token=secret", policy: policy), client)
        let unknown = await fault(WebSocketRequest("wss://no-such-host.invalid/?token=secret", policy: policy), client)

        #expect(closed?.code == .refused)
        #expect(unknown?.code == .notFound)
        #expect([closed, unknown].allSatisfy { $0?.sentence.contains("secret") == false })
    }

    @Test func `the policy is asked about the address, not the name`() async throws {
        let servers = try await Servers()
        var request = servers.plain("/echo")
        request.policy = .publicOnly
        request.url = request.url.replacing("127.0.0.1", with: "localhost")

        #expect(try await fault(request, client())?.code == .forbidden)
    }

    @Test(arguments: ["A\r\nB: c", "", "Nöt"]) func `a header that would become two is refused`(name: String) async throws {
        let request = WebSocketRequest("ws://127.0.0.1:1/", headers: [(name, "x")], policy: AddressPolicy { _ in true })

        #expect(try await fault(request, client())?.code == .badRequest)
    }

    @Test(arguments: [false, true]) func `a server that hangs is given up in time`(isSecure: Bool) async throws {
        let servers = try await Servers()
        var request = isSecure ? servers.hangingTLS : servers.hanging
        request.limits.connect = .milliseconds(300)

        let fault = try await fault(request, client(servers))

        #expect(fault?.code == .timedOut)
        #expect(fault?.sentence.hasSuffix("did not answer in time.") == true)
    }

    @Test func `a connection that is being made can be cancelled`() async throws {
        let servers = try await Servers()
        let client = try await client()
        let connecting = Task { await fault(servers.hanging, client) }

        connecting.cancel()

        #expect(await connecting.value?.code == .cancelled)
    }

    @Test(arguments: ["/big?2000001", "/fragments?2001"]) func `a message over the bound ends the connection with 1009`(path: String)
        async throws
    {
        let servers = try await Servers()
        var request = servers.plain(path)
        request.limits.messageBytes = 2_000_000
        let connection = try await client().connect(request)

        #expect(await connection.next() == nil)
        let ending = await connection.ending()
        #expect(ending.code == 1009 && !ending.byPeer)
    }

    @Test func `a message of just the bound is taken`() async throws {
        let servers = try await Servers()
        var request = servers.plain("/big?2000000")
        request.limits.messageBytes = 2_000_000

        let connection = try await client().connect(request)

        #expect(await connection.next() == .text(String(repeating: "x", count: 2_000_000)))
    }

    @Test func `a reader that is slow loses nothing, and holds a bounded number of messages`() async throws {
        let servers = try await Servers()
        var request = servers.plain("/count?20000")
        request.limits.messagesHeld = 16
        let connection = try #require(try await client().connect(request) as? OutgoingConnection)
        #expect(await eventually { connection.held >= 16 })

        var heard: [WebSocketMessage] = []
        var mostHeld = 0
        while let message = await connection.next() {
            heard.append(message)
            mostHeld = max(mostHeld, await connection.held)
        }

        #expect(heard == (0..<20_000).map { .text("\($0)") })
        // One piece that libwebsockets has read already may hold more small messages than the bound.
        #expect(mostHeld <= 16 + 4_096 / 3)
        #expect(await connection.ending() == WebSocketEnding(code: 1000, reason: "All said.", byPeer: true))
    }

    @Test func `a server that reads slowly holds the sender up, and gets everything`() async throws {
        let servers = try await Servers()
        var request = servers.plain("/deaf?0.3")
        request.limits.unsentBytes = 200_000
        let connection = try #require(try await client().connect(request) as? OutgoingConnection)
        var most = 0

        for _ in 0..<200 {
            try await connection.send(.binary([UInt8](repeating: 7, count: 100_000)))
            most = max(most, await connection.unsent)
        }

        #expect(most <= 200_000)
        var last: WebSocketMessage?
        for _ in 0..<200 { last = await connection.next() }
        #expect(last == .text("20000000"))
    }

    @Test func `a server's ping is answered`() async throws {
        let servers = try await Servers()
        let connection = try await client().connect(servers.plain("/ping"))

        #expect(await connection.next() == .text("ponged"))
    }

    @Test func `a server that has gone silent is pinged and given up`() async throws {
        let servers = try await Servers()
        var request = servers.mute
        request.limits.pingAfter = .milliseconds(50)
        request.limits.silence = .milliseconds(200)
        let connection = try await client().connect(request)

        #expect(await connection.next() == nil)
        #expect(await connection.ending() == WebSocketEnding(code: 1006, reason: "The server was silent for too long.", byPeer: true))
    }

    @Test func `a silent server that answers pings is kept`() async throws {
        let servers = try await Servers()
        var request = servers.plain("/echo")
        request.limits.pingAfter = .milliseconds(30)
        request.limits.silence = .milliseconds(500)
        let connection = try #require(try await client().connect(request) as? OutgoingConnection)

        #expect(await eventually { connection.pongs >= 20 })
        try await connection.send(.text("still"))

        #expect(await connection.next() == .text("still"))
    }

    @Test(arguments: [1000, 1001, 3000, 4400] as [UInt16]) func `a server's close code arrives`(code: UInt16) async throws {
        let servers = try await Servers()
        let connection = try await client().connect(servers.plain("/close?\(code)"))

        #expect(await connection.next() == nil)
        #expect(await connection.ending() == WebSocketEnding(code: code, reason: "Because.", byPeer: true))
        await #expect(throws: WebSocketFault.self) { try await connection.send(.text("late")) }
    }

    @Test func `waiting for a message can be cancelled, and the connection goes on`() async throws {
        let servers = try await Servers()
        let connection = try await client().connect(servers.plain("/echo"))
        let reading = Task { await connection.next() }

        reading.cancel()

        #expect(await reading.value == nil)
        try await connection.send(.text("again"))
        #expect(await connection.next() == .text("again"))
    }

    @Test func `a proxy is used where one is named, and looks the name up itself`() async throws {
        let servers = try await Servers()
        let client = OutgoingWebSockets(
            loop: try await EventLoop.background(), proxy: { _, host in host == "proxied.example" ? servers.proxy : nil })

        let proxied = try await client.connect(servers.proxied("/echo"))
        let direct = try await client.connect(servers.plain("/echo"))

        for connection in [proxied, direct] {
            try await connection.send(.text("through"))
            #expect(await connection.next() == .text("through"))
        }
    }
}
