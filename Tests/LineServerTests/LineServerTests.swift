import BatonSeams
import EventLoop
import Foundation
import Glibc
import SocketPeers
import Testing

@testable import SocketServer

/// Connections of lines, with real sockets at the other end.
@Suite(.loop) struct LineServerTests {
    private func limits(_ change: (inout LineLimits) -> Void) -> LineLimits {
        var limits = LineLimits()
        change(&limits)
        return limits
    }

    @Test @Loop func `lines are answered in their order, with text and with bytes`() async throws {
        try await withEcho { dialect, _, port async throws in
            let peer = RawPeer(port: port)
            try await peer.say("one\ntwo\r\nbytes\nbye\nnever\n")

            let heard = try await peer.hear()

            #expect(heard == Array("OK echo\none\ntwo\n".utf8) + [UInt8](0...255) + Array("bye\n".utf8))
            #expect(dialect.owners[0].lines == ["one", "two", "bytes", "bye"])
            #expect(await eventually { dialect.owners[0].closed == 1 })
        }
    }

    @Test @Loop func `half a line is waited for, and lost when the peer ends there`() async throws {
        try await withEcho { dialect, server, port async throws in
            let peer = RawPeer(port: port)
            try await peer.say("hel")
            #expect(await eventually { server.connectionCount == 1 })
            try await peer.say("lo\nhalf")
            #expect(try await peer.text(until: "hello\n") == "OK echo\nhello\n")

            peer.endSending()

            #expect(await eventually { dialect.owners[0].closed == 1 })
            #expect(dialect.owners[0].lines == ["hello"])
        }
    }

    @Test @Loop func `a peer that ends after its lines still gets its answers`() async throws {
        try await withEcho { _, _, port async throws in
            let peer = RawPeer(port: port)
            try await peer.say("much\nlast\n")
            peer.endSending()

            let heard = try await peer.hear()

            #expect(heard.count == 8 + 400_000 + 5 && heard.suffix(5) == Array("last\n".utf8))
        }
    }

    @Test(arguments: [false, true]) @Loop
    func `a line over its bound ends with the dialect's sentence, and others are served on`(withEnd: Bool) async throws {
        try await withEcho(limits { $0.lineBytes = 100 }) { _, _, port async throws in
            let peer = RawPeer(port: port)
            let other = RawPeer(port: port)
            try await peer.say(String(repeating: "x", count: 101) + (withEnd ? "\nmore\n" : ""))

            #expect(try await peer.text() == "OK echo\nERR a line has at most 100 bytes\n")
            try await other.say("still here\n")
            #expect(try await other.text(until: "here\n") == "OK echo\nstill here\n")
        }
    }

    @Test @Loop func `many lines at once are all delivered, a few in each turn of the loop`() async throws {
        try await withEcho(limits { $0.linesPerTurn = 4 }) { dialect, _, port async throws in
            let loop = try await EventLoop.background()
            var linesInFirstTurn: Int?
            dialect.onLine = { owner in
                if owner.lines.count == 1 { _ = loop.after(.zero) { linesInFirstTurn = owner.lines.count } }
            }
            let peer = RawPeer(port: port)
            try await peer.say(String(repeating: "x\n", count: 20_000))

            let heard = try await peer.hear(count: 8 + 40_000)

            #expect(heard.count == 8 + 40_000)
            #expect(dialect.owners[0].lines.count == 20_000)
            #expect(linesInFirstTurn.map { $0 <= 4 } == true)
        }
    }

    @Test @Loop func `while a dialect pauses, no line is delivered and the peer's bytes stay with the kernel`() async throws {
        try await withEcho { dialect, _, port async throws in
            let peer = RawPeer(port: port)
            try await peer.say("pause\nafter\n")
            #expect(await eventually { dialect.owners.first?.lines == ["pause"] })
            try await peer.say("later\n")
            try await pass(on: EventLoop.background())
            #expect(dialect.owners[0].lines == ["pause"])

            dialect.owners[0].connection.resume()

            #expect(try await peer.text(until: "later\n") == "OK echo\nafter\nlater\n")
        }
    }

    @Test @Loop func `a peer that does not read is cut when more waits for it than is allowed, and others are served`() async throws {
        try await withEcho(limits { $0.unsentBytes = 1_000_000 }) { dialect, _, port async throws in
            let slow = RawPeer(port: port)
            let other = RawPeer(port: port)
            try await slow.say(String(repeating: "much\n", count: 200))
            #expect(await eventually { dialect.owners.contains { $0.closed == 1 } })

            try await other.say("fine\n")

            #expect(try await other.text(until: "fine\n") == "OK echo\nfine\n")
        }
    }

    @Test @Loop func `a peer that takes nothing for too long is cut, and one that takes a little is not`() async throws {
        try await withEcho(limits { $0.stalled = .milliseconds(300) }) { dialect, _, port async throws in
            let stalled = RawPeer(port: port)
            try await stalled.say(String(repeating: "much\n", count: 2))
            #expect(await eventually { dialect.owners.first?.closed == 1 })

            let reader = RawPeer(port: port)
            try await reader.say(String(repeating: "much\n", count: 2))
            #expect(try await reader.hear(count: 8 + 800_000).count == 8 + 800_000)
        }
    }

    @Test @Loop func `a peer without a line for too long is told so, and one whose dialect waits with it is not`() async throws {
        try await withEcho(limits { $0.idle = .seconds(60) }) { dialect, _, port async throws in
            let idle = RawPeer(port: port)
            let waiting = RawPeer(port: port)
            #expect(await eventually { dialect.owners.count == 2 })
            // The order in which two connections are accepted is the kernel's.
            try await waiting.say("waits\n")
            #expect(await eventually { dialect.owners.contains { $0.lines == ["waits"] } })
            dialect.owners.first { $0.lines == ["waits"] }?.connection.idle = nil

            // A part of a line is none.
            try await idle.say("dripping")
            dialect.owners.first { $0.lines.isEmpty }?.connection.idle = .milliseconds(100)

            #expect(try await idle.text() == "OK echo\nERR idle\n")
            try await waiting.say("still\n")
            #expect(try await waiting.text(until: "still\n") == "OK echo\nwaits\nstill\n")
        }
    }

    @Test @Loop func `connections of one address are counted, and one too many is told the number`() async throws {
        try await withEcho(limits { $0.connectionsPerAddress = 3 }) { dialect, server, port async throws in
            let peers = (0..<3).map { _ in RawPeer(port: port) }
            #expect(await eventually { server.connectionCount == 3 })

            #expect(try await RawPeer(port: port).text() == "ERR at most 3 connections\n")

            peers[0].endSending()
            #expect(await eventually { server.connectionCount == 2 })
            let next = RawPeer(port: port)
            try await next.say("in\n")
            #expect(try await next.text(until: "in\n") == "OK echo\nin\n")
            #expect(dialect.owners.count == 4)
        }
    }

    @Test @Loop func `a thousand connections are served at once`() async throws {
        let limits = limits {
            $0.connections = 1_000
            $0.connectionsPerAddress = 1_000
            $0.backlog = 4_096
        }
        try await withEcho(limits) { dialect, server, port async throws in
            var peers: [RawPeer] = []
            // A connect that finds the queue of the listener full would hold the loop that has to empty it.
            for count in stride(from: 100, through: 1_000, by: 100) {
                peers += (0..<100).map { _ in RawPeer(port: port) }
                try #require(await eventually { server.connectionCount == count })
            }

            for (number, peer) in peers.enumerated() { peer.sayAtOnce(Array("peer \(number)\n".utf8)) }

            #expect(await eventually { dialect.owners.allSatisfy { $0.lines.count == 1 } })
            #expect(Set(dialect.owners.flatMap(\.lines)) == Set((0..<1_000).map { "peer \($0)" }))
            let last = try await peers[999].text(until: "999\n")
            #expect(last == "OK echo\npeer 999\n")
        }
    }

    @Test @Loop func `closing says the dialect's last words, and cuts a peer that does not read`() async throws {
        let dialect = EchoDialect()
        let server = LineServer(try await EventLoop.background(), for: dialect)
        let port = try server.listen(tcp: "127.0.0.1", port: 0)
        let reading = RawPeer(port: port)
        let deaf = RawPeer(port: port)
        try await deaf.say("much\nmuch\n")
        #expect(await eventually { dialect.owners.contains { $0.lines.count == 2 } && dialect.owners.count == 2 })

        async let heard = reading.text()
        await server.close(grace: .milliseconds(100))

        #expect(try await heard == "OK echo\nBYE\n")
        #expect(server.connectionCount == 0)
        #expect(dialect.owners.allSatisfy { $0.closed == 1 })
        withExtendedLifetime(deaf) {}
    }

    @Test @Loop func `a connection that is closed while it writes ends after what was written`() async throws {
        try await withEcho { _, _, port async throws in
            let peer = RawPeer(port: port)
            try await peer.say("much\nbye\n")

            let heard = try await peer.hear()

            #expect(heard.count == 8 + 400_000 + 4 && heard.suffix(4) == Array("bye\n".utf8))
        }
    }

    @Test @Loop func `a dialect may refuse a connection with a line`() async throws {
        try await withEcho { dialect, server, port async throws in
            dialect.admits = false

            let greeting = try await RawPeer(port: port).text()
            #expect(greeting == "OK echo\n")
            #expect(server.connectionCount == 0)
        }
    }

    @Test @Loop func `a socket file serves lines too, and a taken port is a sentence`() async throws {
        try await withEcho { dialect, server, port async throws in
            let path = try temporaryPath("lines.sock")
            try server.listen(unix: path)
            let said = try await output(
                of: "/usr/bin/python3",
                [
                    "-c",
                    """
                    import socket, sys
                    s = socket.socket(socket.AF_UNIX)
                    s.connect(sys.argv[1])
                    s.sendall(b"by file\\nbye\\n")
                    print(b"".join(iter(lambda: s.recv(100), b"")).decode(), end="")
                    """, path,
                ])

            #expect(said == "OK echo\nby file\nbye\n")
            #expect(dialect.owners[0].connection.peer.channel == .unix(uid: getuid(), gid: getgid()))
            #expect(throws: ListenFault("Port \(port) is taken by another program; stop it, or choose another port.")) {
                _ = try server.listen(tcp: "127.0.0.1", port: port)
            }
        }
    }
}
