import BatonSeams
import Foundation
import Glibc
import SocketPeers
import Testing

@testable import SocketServer

/// What a head means, and which heads mean nothing. The same bytes go to the value alone and through each channel.
struct RequestHeadTests {
    /// What is 400, whatever it comes by.
    static let refused: [String] = [
        "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: \t \r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: http://localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin:\r\n http://evil.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\t.evil.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", "GET / HTTP/1.1\r\nHost\t: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin : http://evil.example\r\n\r\n",
        "GET / HTTP/1.1\r\n Host: localhost\r\n\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nnothing\r\n\r\n", "GET / HTTP/1.1\r\nHost: local\u{0}host\r\n\r\n",
        "GET /\u{0} HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /a?b=%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /%2 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /\u{7} HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET / a HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /#x HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET / HTTP/1.1\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\nOrigin: http://evil.example\r\n\r\n", "GET /\r\nHost: localhost\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        " GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ]

    @Test(arguments: refused) func `a head that could be understood in two ways is refused`(text: String) throws {
        let fault = #expect(throws: RequestHead.Fault.self) { try RequestHead(Array(text.utf8)) }
        #expect(fault?.status == 400)
        #expect(fault?.sentence.hasSuffix(".") == true)
    }

    @Test func `what is longer than a head may be is refused before its end`() throws {
        let long = Array("GET / HTTP/1.1\r\nHost: localhost\r\nCookie: \(String(repeating: "x", count: RequestHead.mostBytes))".utf8)
        #expect(throws: RequestHead.Fault.self) { try RequestHead.end(of: long) }
        #expect(try RequestHead.end(of: Array(long.prefix(RequestHead.mostBytes - 1))) == nil)
        let many = "GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: RequestHead.mostHeaders + 1) + "\r\n"
        #expect(throws: RequestHead.Fault.self) { try RequestHead(Array(many.utf8)) }
        let other = #expect(throws: RequestHead.Fault.self) { try RequestHead(Array("GET / HTTP/2.0\r\n\r\n".utf8)) }
        #expect(other?.status == 505)
    }

    @Test func `a head is read whole, byte by byte and all at once`() throws {
        let text =
            "\r\nGET /a%20b/%C3%BC?room=main&q=x%26y&flag HTTP/1.1\r\nHost:localhost:9442 \r\nX-Forwarded-Anything:\r\nCookie: a=b\r\n"
            + "Cookie:\r\nCookie: c=d\r\nCookie: \r\nUnknown: x\r\nConnection: Keep-Alive, Upgrade\r\n\r\n"
        let bytes = Array(text.utf8)
        for count in 0..<bytes.count { #expect(try RequestHead.end(of: Array(bytes[..<count])) == nil) }
        let end = try #require(try RequestHead.end(of: bytes + [71, 69, 84]))
        #expect(end == bytes.count)
        #expect(try RequestHead.end(of: bytes, searched: bytes.count - 1) == bytes.count)

        let head = try RequestHead(bytes)

        #expect(head.method == .get && head.path == "/a b/ü" && head.keepsAlive)
        #expect(head.query.map(\.name) == ["room", "q", "flag"] && head.query.map(\.value) == ["main", "x&y", ""])
        #expect(
            head.headers == [
                "host": "localhost:9442", "x-forwarded-anything": "", "cookie": "a=b; c=d", "connection": "Keep-Alive, Upgrade",
            ])
        #expect(head.request(from: Peer(channel: .unix(uid: 1, gid: 1), address: "unix")).peer.channel == .network)
    }

    @Test(arguments: ["X-Forwarded-For", "X-Forwarded-Whatever", "X-Forwarded-", "Forwarded", "Via", "X-Real-IP"])
    func `a proxy's header counts, empty ones included, and a peer by TLS proves who it is anyway`(name: String) throws {
        for value in ["", " ", "1.2.3.4"] {
            let head = try RequestHead(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\(name):\(value)\r\n\r\n".utf8))
            for channel in [Peer.Channel.loopback, .unix(uid: 0, gid: 0), .network] {
                #expect(head.request(from: Peer(channel: channel, address: "a")).peer.channel == .network)
            }
            #expect(head.request(from: Peer(channel: .tls, address: "a")).peer.channel == .tls)
        }
    }

    /// Byte sequences that no client would write. What is accepted is found again in what was said.
    @Test(arguments: 0..<300) func `noise is refused or understood, and never splits a line`(seed: UInt64) throws {
        var random = Noise(state: seed &+ 1)
        var bytes = Array("GET /a?b=c HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nX-Forwarded-For: 1\r\n\r\n".utf8)
        for _ in 0..<(1 + random.next() % 4) {
            let place = Int(random.next() % UInt64(bytes.count))
            let odd: [UInt8] = [0, 9, 10, 13, 32, 37, 58, 64, 127, 255, UInt8(truncatingIfNeeded: random.next())]
            bytes[place] = odd[Int(random.next() % UInt64(odd.count))]
        }
        guard let head = try? RequestHead(bytes) else { return }
        for value in head.headers.values { #expect(!value.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }) }
        #expect(!head.path.utf8.contains(0) && head.path.hasPrefix("/"))
        #expect(head.headers["origin"] != "")
    }
}

@Suite(.loop) struct StrictHeadTests {
    @Test(arguments: RequestHeadTests.refused) @Loop
    func `what is no head is answered 400 by each channel, also behind other requests`(text: String) async throws {
        try await withHost { host, server, endpoint in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            let path = try temporaryPath()
            try server.listen(unix: path)
            let good = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
            for before in ["", good, good + good] {
                let heard = try await [Self.say(before + text, toPort: endpoint.port), Self.say(before + text, to: path)]
                for answer in heard {
                    let answers = answer.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
                    #expect(answers == Array(repeating: "200", count: before.isEmpty ? 0 : before == good ? 1 : 2) + ["400"])
                }
            }
            #expect(host.requests.allSatisfy { $0.path == "/" && $0.headers["origin"] == nil })
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test @Loop func `a strict head comes a byte at a time too, and what follows an upgrade is a frame`() async throws {
        try await withHost { host, _, endpoint in
            let peer = RawPeer(port: endpoint.port)
            for byte in RawPeer.upgrade().utf8 { peer.sayAtOnce([byte]) }
            #expect(try await peer.text(until: "\r\n\r\n").contains("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))

            let early = RawPeer(port: endpoint.port)
            try await early.say(Array(RawPeer.upgrade().utf8) + RawPeer.frame(Array("early".utf8)))
            #expect(await eventually { host.guests.last?.texts.contains("early") == true })
        }
    }

    private static func say(_ text: String, toPort port: UInt16) async throws -> String {
        let peer = RawPeer(port: port)
        try await peer.say(text)
        return try await peer.text()
    }

    private static func say(_ text: String, to path: String) async throws -> String {
        try await output(
            of: "/usr/bin/python3",
            [
                "-c",
                """
                import socket, sys
                s = socket.socket(socket.AF_UNIX); s.settimeout(10); s.connect(sys.argv[1]); s.sendall(bytes.fromhex(sys.argv[2]))
                sys.stdout.buffer.write(b"".join(iter(lambda: s.recv(65536), b"")))
                """, path, text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
            ])
    }
}

private struct Noise {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
