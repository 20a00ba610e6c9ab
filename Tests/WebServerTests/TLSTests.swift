import BatonClient
import BatonSeams
import Crypto
import EventLoop
import Foundation
import Glibc
import Harness
import SocketPeers
import Testing
import WebClient

@testable import SocketServer

/// TLS on both sides, with curl, openssl and Python as the other one. BT-TRN-016 BT-TRN-017
@Suite(.loop) struct TLSTests {
    /// A hub's keys, made once for all tests.
    private struct Keys {
        let root = SigningKey.make()
        let key = SigningKey.make()
        let rootCertificate: Certificate

        init() { rootCertificate = Certificate.root(name: "Test", host: "", key: root) }

        func identity(_ host: String = "localhost") -> TLSIdentity {
            let names = Certificate.Names(hosts: [host], addresses: ["127.0.0.1"])
            let leaf = Certificate.leaf(name: "Test", names, key: key, root: rootCertificate, rootKey: root)
            return TLSIdentity(certificate: leaf.der, chain: [], privateKey: key.der)
        }

        var pin: [UInt8] { OpenSSL().sha256(key.publicKey) }
    }

    private static let keys = Keys()

    @Loop
    private func withSecureHost(
        _ limits: Server.Limits = Server.Limits(), time: (any Reactor)? = nil,
        _ body: @Loop (SmallHub, Server, UInt16) async throws -> Void
    ) async throws {
        try await withHost(limits, time: time) { host, server, _ in
            try await body(host, server, try server.listen(tls: "127.0.0.1", port: 0, as: Self.keys.identity()))
        }
    }

    @Test @Loop func `a page goes through TLS whole, and the peer is known to have come that way`() async throws {
        try await withSecureHost { host, _, port in
            let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            host.pages["/long"] = { _ in HTTPResponse(status: 200, body: long) }
            host.pages["/echo"] = { request in HTTPResponse(status: 200, body: request.body) }

            let twice = try await curl("-k", "https://127.0.0.1:\(port)/", "https://127.0.0.1:\(port)/")
            #expect(twice == "Yes.\nYes.\n")
            #expect(try await curl("-k", "https://127.0.0.1:\(port)/long").utf8.count == long.count)
            #expect(try await curl("-k", "--data", "said", "https://127.0.0.1:\(port)/echo") == "said")
            #expect(try await curl("-k", "-H", "Forwarded: for=1.2.3.4", "https://127.0.0.1:\(port)/") == "Yes.\n")

            #expect(host.requests.allSatisfy { $0.peer == Peer(channel: .tls, address: "127.0.0.1") })
        }
    }

    @Test @Loop func `who is not received costs no handshake, and others come in again as soon as they are`() async throws {
        try await withSecureHost { host, server, port in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            host.isReceiving = false
            let heard = try await RawPeer(port: port).hear()
            #expect(heard == [] && server.connectionCount == 0)

            host.isReceiving = true
            let page = try await curl("-k", "https://127.0.0.1:\(port)/")
            #expect(page == "Yes.\n")
        }
    }

    @Test @Loop func `connections of one address that never finish the handshake are so many and no more`() async throws {
        var limits = Server.Limits()
        limits.silentPerAddress = 3
        try await withSecureHost(limits) { host, server, port in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            let silent = (0..<3).map { _ in RawPeer(port: port) }
            #expect(await eventually { server.connectionCount == 3 })

            let fourth = RawPeer(port: port)
            #expect(try await fourth.hear() == [])
            #expect(server.connectionCount == 3)

            // Those that have spoken do not count.
            try await silent[0].say("nonsense")
            #expect(await eventually { server.connectionCount == 2 })
            #expect(try await curl("-k", "https://127.0.0.1:\(port)/", "https://127.0.0.1:\(port)/") == "Yes.\nYes.\n")
            withExtendedLifetime(silent) {}
        }
    }

    @Test(arguments: [(own: 3, all: 100), (own: 100, all: 3)])
    @Loop func `a handshake that was not ended gives way to newer ones, and others are served meanwhile`(limit: (own: Int, all: Int))
        async throws
    {
        var limits = Server.Limits()
        (limits.handshakesPerAddress, limits.handshakes) = (limit.own, limit.all)
        try await withSecureHost(limits) { host, server, port in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            let silent = (0..<5).map { _ in RawPeer(port: port) }

            for peer in silent.prefix(2) {
                let heard = try await peer.hear()
                #expect(heard == [])
            }
            #expect(await eventually { server.connectionCount == 3 })
            let page = try await curl("-k", "https://127.0.0.1:\(port)/")
            #expect(page == "Yes.\n")
            #expect(await eventually { server.connectionCount == 2 })
            withExtendedLifetime(silent) {}
        }
    }

    @Test @Loop func `a handshake has a time of its own, and a peer that ended it in time has that of a request`() async throws {
        let (limits, time) = (Server.Limits(), VirtualTime())
        try await withSecureHost(limits, time: time) { host, server, port in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            // Ends its handshake, and asks once the other one was given up.
            async let status = output(
                of: "/usr/bin/python3",
                [
                    "-c",
                    """
                    import socket, ssl, sys
                    context = ssl.create_default_context(); context.check_hostname = False; context.verify_mode = ssl.CERT_NONE
                    link = context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10))
                    silent = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10)
                    assert silent.recv(1) == b""
                    link.sendall(b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n")
                    print(link.recv(4096).split(b" ")[1].decode())
                    """, "\(port)",
                ])
            #expect(await eventually { server.connectionCount == 2 && server.handshakeCount == 1 })
            // A limit is stored within a quarter of that of a request.
            time.pass(limits.handshake + limits.request / 4)
            let answered = try await status
            #expect(answered == "200\n")
        }
    }

    @Test @Loop func `a head that could be understood in two ways is 400 through TLS too, in one record or byte by byte`() async throws {
        try await withSecureHost { host, server, port in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            let good = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let heads = RequestHeadTests.refused.map { Data((good + $0).utf8).base64EncodedString() }
            let heard = try await output(
                of: "/usr/bin/python3",
                [
                    "-c",
                    """
                    import base64, socket, ssl, sys
                    context = ssl.create_default_context(); context.check_hostname = False; context.verify_mode = ssl.CERT_NONE
                    for text in sys.argv[2:]:
                        for step in (1, 1 << 14):
                            link = context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10))
                            bytes = base64.b64decode(text)
                            heard = b""
                            try:
                                for at in range(0, len(bytes), step): link.sendall(bytes[at:at + step])
                                while more := link.recv(65536): heard += more
                            except OSError: pass
                            print(*[part[:3].decode() for part in heard.split(b"HTTP/1.1 ")[1:]])
                    """, "\(port)",
                ] + heads)
            #expect(heard == String(repeating: "200 400\n", count: heads.count * 2))
            #expect(host.requests.count == heads.count * 2)
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test @Loop func `a client that trusts the root is shown a certificate that holds`() async throws {
        try await withSecureHost { host, server, port in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            let file = try temporaryPath("root.pem")
            try Data(PEM.text("CERTIFICATE", Self.keys.rootCertificate.der).utf8).write(to: URL(filePath: file))

            #expect(try await curl("--cacert", file, "https://127.0.0.1:\(port)/") == "Yes.\n")
            #expect(try await curl("--cacert", file, "https://localhost:\(port)/") == "Yes.\n")
            try server.renew(Self.keys.identity("attic.local"))
            #expect(
                try await curl("--cacert", file, "--resolve", "attic.local:\(port):127.0.0.1", "https://attic.local:\(port)/") == "Yes.\n")
            #expect(try await curl("--cacert", file, "https://localhost:\(port)/").contains("no alternative certificate"))
        }
    }

    @Test @Loop func `TLS 1.3 and HTTP/1.1 are all there is`() async throws {
        try await withSecureHost { _, _, port in
            let ask = { (arguments: [String]) async throws -> String in
                try await output(
                    of: "/bin/sh",
                    ["-c", "echo | timeout 10 openssl s_client -connect 127.0.0.1:\(port) " + arguments.joined(separator: " ")])
            }

            let spoken = try await ask(["-alpn", "h2,http/1.1"])
            #expect(spoken.contains("New, TLSv1.3") && spoken.contains("ALPN protocol: http/1.1"), "\(spoken)")
            for older in ["-tls1_2", "-tls1_1 -cipher ALL:@SECLEVEL=0"] {
                let refused = try await ask([older])
                #expect(refused.contains("alert protocol version"), "\(older): \(refused)")
            }
        }
    }

    @Test @Loop func `our client speaks through TLS, and both ends derive the same bytes`() async throws {
        try await withSecureHost { host, _, port in
            let loop = try await EventLoop.background()
            let endpoint = Endpoint.tls(host: "127.0.0.1", port: port, pin: Self.keys.pin)
            let link = try await Client.connect(to: endpoint, on: loop, timeout: .patient)
            for text in ["hello", String(repeating: "y", count: 3_900)] {
                try link.send(Array(text.utf8))
                var messages = link.messages.makeAsyncIterator()
                #expect(await messages.next().map { String(decoding: $0, as: UTF8.self) } == text)
            }

            let exporter = try #require(link.security?.exporter)
            #expect(exporter.count == 32 && exporter == host.guests.first?.link?.exporter)
            #expect(link.security?.hubKey == Self.keys.pin)
            let second = try await Client.connect(to: endpoint, on: loop, timeout: .patient)
            #expect(second.security?.exporter != exporter, "each connection has its own")
            link.close()
            second.close()
            _ = await (link.ended(), second.ended())
        }
    }

    @Test @Loop func `a hub with another key than the pinned one hears nothing`() async throws {
        try await withSecureHost { host, _, port in
            let loop = try await EventLoop.background()
            let endpoint = Endpoint.tls(host: "127.0.0.1", port: port, pin: [UInt8](repeating: 1, count: 32))

            let error = await #expect(throws: SocketsError.self) { _ = try await Client.connect(to: endpoint, on: loop, timeout: .patient) }
            #expect(error?.code == .otherKey && error?.sentence.contains("another key") == true)
            let plain = await #expect(throws: SocketsError.self) {
                _ = try await Client.request(.get, "/", of: endpoint, on: loop, timeout: .patient)
            }
            #expect(plain?.code == .otherKey)
            #expect(await eventually { host.guests.allSatisfy { $0.closed == 1 } })
            #expect(host.guests.allSatisfy { $0.texts.isEmpty } && host.requests.allSatisfy { $0.path == "/baton" })
        }
    }

    @Test @Loop func `another project's WebSocket client is served, and so are its long messages`() async throws {
        try await withSecureHost { host, _, port in
            host.echoes = true
            let script = """
                import asyncio, ssl, sys, websockets
                async def main():
                    c = ssl.create_default_context(); c.check_hostname = False; c.verify_mode = ssl.CERT_NONE
                    async with websockets.connect(f"wss://127.0.0.1:{sys.argv[1]}/baton", subprotocols=["baton.v1"], ssl=c) as ws:
                        for n in (1, 1000, 1025, 4000):
                            await ws.send("z" * n)
                            print(len(await ws.recv()), ws.transport.get_extra_info("ssl_object").version())
                asyncio.run(main())
                """
            let heard = try await output(of: "/usr/bin/python3", ["-c", script, "\(port)"])
            #expect(heard == "1 TLSv1.3\n1000 TLSv1.3\n1025 TLSv1.3\n4000 TLSv1.3\n")
        }
    }

    @Test @Loop func `a thousand handshakes that never end are cut in time, and others come in`() async throws {
        var limits = Server.Limits()
        (limits.request, limits.handshake) = (.seconds(15), .seconds(15))
        limits.silentPerAddress = 2_000
        (limits.handshakes, limits.handshakesPerAddress) = (2_000, 2_000)
        try await withSecureHost(limits) { host, server, port in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            // A record header that promises a ClientHello, and no more.
            let mute = (0..<1_000).map { _ in RawPeer(port: port) }
            for peer in mute { peer.sayAtOnce([0x16, 3, 1, 0, 200]) }
            #expect(await eventually { server.connectionCount >= 1_000 })

            let answer = try await curl("-k", "https://127.0.0.1:\(port)/")
            #expect(answer == "Yes.\n")

            #expect(await eventually { server.connectionCount == 0 })
            withExtendedLifetime(mute) {}
        }
    }

    @Test @Loop func `a peer that asks on and reads nothing is cut, with questions still undecrypted`() async throws {
        try await withSecureHost { host, server, port in
            host.echoes = false
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            host.onMessage = {
                guard let link = host.guests.first?.link else { return }
                while link.isReady { link.write(Frame(payload: [UInt8](repeating: 0x20, count: 50_000))) }
                link.close(4430, "Too slow.")
            }
            // Many questions in one record, of which the hub hears the first before the pipe is full.
            let script = """
                import socket, ssl, sys, time
                c = ssl.create_default_context(); c.check_hostname = False; c.verify_mode = ssl.CERT_NONE
                s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096); s.connect(("127.0.0.1", int(sys.argv[1])))
                s = c.wrap_socket(s)
                s.sendall(b"GET /baton HTTP/1.1\\r\\nHost: x\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
                    b"Sec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\nSec-WebSocket-Protocol: baton.v1\\r\\n\\r\\n")
                s.recv(4096)
                s.sendall((b"\\x81\\xfe\\x03\\x20" + bytes(4) + b"z" * 800) * 20)
                time.sleep(60)
                """
            let peer = try Child("/usr/bin/python3", ["-c", script, "\(port)"])
            defer {
                peer.signal(SIGKILL)
                peer.waitUntilExit()
            }

            #expect(await eventually { host.guests.first?.closed == 1 })
            #expect(try await curl("-k", "https://127.0.0.1:\(port)/") == "Yes.\n")
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test @Loop func `a handshake that comes a byte at a time is cut in time, and delays no other`() async throws {
        var limits = Server.Limits()
        limits.request = .seconds(2)
        try await withSecureHost(limits) { host, server, port in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            let slow = RawPeer(port: port)
            // A record that would hold 512 bytes of a ClientHello; each byte alone is a sign of life.
            var rest = ([0x16, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3] + [UInt8](repeating: 7, count: 506))[...]
            slow.sayAtOnce([rest.removeFirst()])
            #expect(await eventually { server.connectionCount == 1 })
            while server.connectionCount > 0, let byte = rest.popFirst() {
                slow.sayAtOnce([byte])
                try await Task.sleep(for: .milliseconds(50))
            }

            #expect(server.connectionCount == 0 && !rest.isEmpty)
            #expect(try await curl("-k", "https://127.0.0.1:\(port)/") == "Yes.\n")
            withExtendedLifetime(slow) {}
        }
    }

    @Test @Loop func `plain words on the TLS port end the connection, and others are served`() async throws {
        try await withSecureHost { host, server, port in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            let peer = RawPeer(port: port)
            try await peer.say("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await peer.hear()

            #expect(try await curl("-k", "https://127.0.0.1:\(port)/") == "Yes.\n")
            #expect(await eventually { server.connectionCount == 0 })
        }
    }
}
