import BatonSeams
import EventLoop
import Foundation
import SocketPeers
import Testing
import WebClient

@testable import SocketServer

@Suite(.loop) struct UpgradeTests {
    @Test @Loop func `a refusal arrives with its status, its headers and its sentence`() async throws {
        try await withHost { host, server, endpoint in
            host.refusal = .sentence(503, "The hub has no room left; try again in 5 s.", headers: [("retry-after", "5")])
            let peer = RawPeer(port: endpoint.port)
            try await peer.say(RawPeer.upgrade())

            let answer = try await peer.text()

            #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            #expect(answer.contains("\r\nretry-after: 5\r\n"))
            #expect(answer.hasSuffix("\r\n\r\nThe hub has no room left; try again in 5 s.\n"))
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test @Loop func `curl sees the body of a refusal`() async throws {
        try await withHost { host, _, endpoint in
            host.refusal = .sentence(403, "Not from here.")

            let answer = try await curl(
                "-w", "%{http_code}", "--http1.1", "-H", "Connection: Upgrade", "-H", "Upgrade: websocket", "-H",
                "Sec-WebSocket-Version: 13",
                "-H", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "-H", "Sec-WebSocket-Protocol: baton.v1",
                "http://\(endpoint)/baton")

            #expect(answer == "Not from here.\n403")
        }
    }

    @Test(arguments: [
        (RawPeer.upgrade(""), 400, "The subprotocol baton.v1 must be offered in Sec-WebSocket-Protocol."),
        (RawPeer.upgrade("Sec-WebSocket-Protocol: chat\r\n"), 400, "The subprotocol baton.v1 must be offered"),
        (RawPeer.upgrade(path: "/elsewhere"), 404, "WebSocket is spoken at /baton only."),
        (RawPeer.upgrade().replacing("Version: 13", with: "Version: 8"), 426, "Only version 13"),
        (RawPeer.upgrade().replacing("dGhlIHNhbXBs", with: ""), 400, "Sec-WebSocket-Key must be"),
        (RawPeer.upgrade().replacing("Connection: Upgrade", with: "Connection: keep-alive"), 400, "An upgrade is a GET"),
    ]) @Loop func `an upgrade that is not ours is refused in words`(request: String, status: Int, sentence: String) async throws {
        try await withHost { host, _, endpoint in
            let peer = RawPeer(port: endpoint.port)
            try await peer.say(request)

            let answer = try await peer.text()

            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            #expect(answer.contains(sentence))
            #expect(host.requests.isEmpty)
        }
    }

    @Test @Loop func `baton.v1 is chosen among others`() async throws {
        try await withHost { host, _, endpoint in
            let peer = RawPeer(port: endpoint.port)
            try await peer.say(RawPeer.upgrade("Sec-WebSocket-Protocol: chat, baton.v1 , baton.v2\r\n"))

            let answer = try await peer.text(until: "\r\n\r\n")

            #expect(answer.hasPrefix("HTTP/1.1 101"))
            #expect(answer.lowercased().contains("sec-websocket-protocol: baton.v1\r\n"))
            #expect(!answer.lowercased().contains("extensions"))
            #expect(host.requests.first?.headers["sec-websocket-protocol"] == "chat, baton.v1 , baton.v2")
        }
    }

    @Test @Loop func `an upgrade over the socket file carries the user`() async throws {
        try await withHost { host, server, _ in
            let path = try temporaryPath()
            try server.listen(unix: path)

            let link = try await Client.connect(to: .unix(path: path), on: EventLoop.background(), timeout: .patient)

            #expect(host.guests.first?.link?.peer.channel == .unix(uid: getuid(), gid: getgid()))
            try link.send(Array("hello".utf8))
            var messages = link.messages.makeAsyncIterator()
            #expect(await messages.next() == Array("hello".utf8))
        }
    }

    @Test @Loop func `a proxy's header makes the link one from the network`() async throws {
        try await withHost { host, _, endpoint in
            let peer = RawPeer(port: endpoint.port)
            try await peer.say(RawPeer.upgrade("Sec-WebSocket-Protocol: baton.v1\r\nX-Forwarded-For: 10.0.0.9\r\n"))
            _ = try await peer.text(until: "\r\n\r\n")

            #expect(host.guests.first?.link?.peer.channel == .network)
        }
    }
}
