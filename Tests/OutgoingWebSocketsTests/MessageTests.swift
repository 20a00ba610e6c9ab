import BatonSeams
import SocketPeers
import Testing

@testable import EventLoop

/// Messages, liveness and closing of connections to other servers, against Debian's Python library.
@Suite(.loop) struct MessageTests {
    @Test(arguments: [false, true]) func `text and binary messages go both ways, with and without TLS`(isSecure: Bool) async throws {
        let servers = try await Servers()
        let connection = try await webSockets(servers).connect(isSecure ? servers.secure("/echo") : servers.plain("/echo"))
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

    @Test(arguments: ["/big?2000001", "/fragments?2001"]) func `a message over the bound ends the connection with 1009`(path: String)
        async throws
    {
        let servers = try await Servers()
        var request = servers.plain(path)
        request.limits.messageBytes = 2_000_000
        let connection = try await webSockets().connect(request)

        #expect(await connection.next() == nil)
        let ending = await connection.ending()
        #expect(ending.code == 1009 && !ending.byPeer)
    }

    @Test func `a message of just the bound is taken`() async throws {
        let servers = try await Servers()
        var request = servers.plain("/big?2000000")
        request.limits.messageBytes = 2_000_000

        let connection = try await webSockets().connect(request)

        #expect(await connection.next() == .text(String(repeating: "x", count: 2_000_000)))
    }

    @Test func `a reader that is slow loses nothing, and holds a bounded number of messages`() async throws {
        let servers = try await Servers()
        var request = servers.plain("/count?5000")
        request.limits.messagesHeld = 16
        let connection = try #require(try await webSockets().connect(request) as? OutgoingConnection)
        #expect(await eventually { connection.held >= 16 })

        var heard: [WebSocketMessage] = []
        var mostHeld = 0
        while let message = await connection.next() {
            heard.append(message)
            mostHeld = max(mostHeld, await connection.held)
        }

        #expect(heard == (0..<5_000).map { .text("\($0)") })
        // Up to 4 KiB came with the answer to the handshake, and a few pieces of 1 KiB are read before reading stops.
        #expect(mostHeld <= 16 + 8_192 / 3)
        #expect(await connection.ending() == WebSocketEnding(code: 1000, reason: "All said.", byPeer: true))
    }

    @Test func `a server that reads slowly holds the sender up, and gets everything`() async throws {
        let servers = try await Servers()
        var request = servers.plain("/deaf?0.3")
        request.limits.unsentBytes = 200_000
        let connection = try #require(try await webSockets().connect(request) as? OutgoingConnection)
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
        let connection = try await webSockets().connect(servers.plain("/ping"))

        #expect(await connection.next() == .text("ponged"))
    }

    @Test func `a server that has gone silent is pinged and given up`() async throws {
        let servers = try await Servers()
        var request = servers.mute
        request.limits.pingAfter = .milliseconds(50)
        request.limits.silence = .milliseconds(200)
        let connection = try await webSockets().connect(request)

        #expect(await connection.next() == nil)
        #expect(await connection.ending() == WebSocketEnding(code: 1006, reason: "The server was silent for too long.", byPeer: true))
    }

    @Test func `a silent server that answers pings is kept`() async throws {
        let servers = try await Servers()
        var request = servers.plain("/echo")
        request.limits.pingAfter = .milliseconds(30)
        request.limits.silence = .milliseconds(500)
        let connection = try #require(try await webSockets().connect(request) as? OutgoingConnection)

        #expect(await eventually { connection.pongs >= 20 })
        try await connection.send(.text("still"))

        #expect(await connection.next() == .text("still"))
    }

    @Test(arguments: [1000, 1001, 3000, 4400] as [UInt16]) func `a server's close code arrives`(code: UInt16) async throws {
        let servers = try await Servers()
        let connection = try await webSockets().connect(servers.plain("/close?\(code)"))

        #expect(await connection.next() == nil)
        #expect(await connection.ending() == WebSocketEnding(code: code, reason: "Because.", byPeer: true))
        await #expect(throws: WebSocketFault.self) { try await connection.send(.text("late")) }
    }

    @Test func `waiting for a message can be cancelled, and the connection goes on`() async throws {
        let servers = try await Servers()
        let connection = try await webSockets().connect(servers.plain("/echo"))
        let reading = Task { await connection.next() }

        reading.cancel()

        #expect(await reading.value == nil)
        try await connection.send(.text("again"))
        #expect(await connection.next() == .text("again"))
    }

    @Test func `a message that waits for room can be cancelled`() async throws {
        let servers = try await Servers()
        var request = servers.mute
        request.limits.unsentBytes = 1_000
        let connection = try #require(try await webSockets().connect(request) as? OutgoingConnection)
        // The server takes nothing, so its kernel and ours are full soon, and messages wait here.
        let sending = Task { () -> WebSocketFault? in
            do throws(WebSocketFault) {
                while true { try await connection.send(.binary([UInt8](repeating: 7, count: 1_000_000))) }
            } catch {
                return error
            }
        }
        #expect(await eventually { connection.isHeldUp })

        sending.cancel()

        #expect(await sending.value?.code == .cancelled)
    }
}
