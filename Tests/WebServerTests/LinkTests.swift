import BatonSeams
import EventLoop
import Foundation
import Glibc
import SocketPeers
import Testing
import WebClient

@testable import SocketServer

@Suite(.loop) struct LinkTests {
    @Test @Loop func `text and binary messages are echoed to another project's client`() async throws {
        try await withHost { host, _, endpoint in
            let printed = try await python(
                "ws://\(endpoint)/baton",
                """
                print(ws.subprotocol)
                await ws.send("grüße")
                print(await ws.recv())
                await ws.send(b"\\x00\\x01")
                print((await ws.recv()).hex())
                await ws.send(["fra", "gmen", "ted"])
                print(await ws.recv())
                await ws.send("")
                print(len(await ws.recv()))
                await (await ws.ping())
                print("pong")
                """)

            #expect(printed == "baton.v1\ngrüße\n0001\nfragmented\n0\npong\n")
            #expect(host.guests.first?.texts == ["grüße", "fragmented", ""])
            #expect(await eventually { host.guests.first?.closed == 1 })
        }
    }

    @Test @Loop func `a long message arrives whole once the limit was raised`() async throws {
        try await withHost { host, _, endpoint in
            let link = try await Client.connect(to: endpoint, on: EventLoop.background(), timeout: .patient)
            host.guests[0].link?.bounds.textBytes = 65_536
            var messages = link.messages.makeAsyncIterator()

            for count in [1_023, 1_024, 1_025, 4_096, 4_097, 65_536] {
                let text = (0..<count).map { UInt8(97 + $0 % 26) }
                try link.send(text)
                #expect(await messages.next() == text)
            }
        }
    }

    @Test(arguments: [false, true]) @Loop func `a message over the limit closes with 1009`(inFragments: Bool) async throws {
        try await withHost { host, _, endpoint in
            let message = inFragments ? "[\"x\" * 2048, \"x\" * 2049]" : "\"x\" * 4097"
            let printed = try await python(
                "ws://\(endpoint)/baton",
                """
                await ws.send("x" * 4096)
                print(len(await ws.recv()))
                await ws.send(\(message))
                await ws.wait_closed()
                print(ws.close_code, ws.close_reason)
                """)

            #expect(printed == "4096\n1009 A message may have at most 4096 bytes.\n")
            #expect(host.guests.first?.texts.count == 1)
        }
    }

    @Test(arguments: [false, true]) @Loop
    func `text and binary messages have a limit each, and it holds to the last byte`(isBinary: Bool) async throws {
        try await withHost { host, _, endpoint in
            for (count, code) in [(4_999, nil), (5_000, nil), (5_001, 1009)] as [(Int, Int?)] {
                let peer = try await RawPeer.upgraded(port: endpoint.port)
                let guest = try #require(host.guests.last)
                guest.link?.bounds.textBytes = isBinary ? 1 : 5_000
                guest.link?.bounds.binaryBytes = isBinary ? 5_000 : 1
                try await peer.say(RawPeer.frame([UInt8](repeating: 65, count: count), opcode: isBinary ? 2 : 1))

                if code == nil {
                    #expect(await eventually { (guest.texts.last?.utf8.count ?? guest.binaries.last?.count) == count })
                } else {
                    #expect(try await peer.hear().prefix(4).dropFirst(2) == [0x03, 0xf1])
                }
            }
        }
    }

    @Test @Loop func `a link's owner says how long its peer may be silent`() async throws {
        try await withHost { host, _, endpoint in
            let dead = try await RawPeer.upgraded(port: endpoint.port)
            let asleep = try await RawPeer.upgraded(port: endpoint.port)
            host.guests[0].link?.bounds.patience = Patience(pingMs: 100, endMs: 8_000)

            #expect(try await dead.hear().first == 0x89)
            #expect(await eventually { host.guests[0].closed == 1 })
            #expect(host.guests[1].closed == 0)
            withExtendedLifetime(asleep) {}
        }
    }

    @Test(arguments: [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]] as [[UInt8]])
    @Loop func `text that is not UTF-8 closes with 1007`(bytes: [UInt8]) async throws {
        try await withHost { host, _, endpoint in
            let peer = try await RawPeer.upgraded(port: endpoint.port)
            try await peer.say(RawPeer.frame(bytes))

            let answer = try await peer.hear()

            #expect(answer.prefix(4).dropFirst(2) == [0x03, 0xef])
            #expect(host.guests.first?.texts == [])
            #expect(await eventually { host.guests.first?.closed == 1 })
        }
    }

    @Test @Loop func `an unmasked frame ends the connection`() async throws {
        try await withHost { host, _, endpoint in
            let peer = try await RawPeer.upgraded(port: endpoint.port)
            try await peer.say(RawPeer.frame(Array("hello".utf8), isMasked: false))

            let answer = try await peer.hear()

            #expect(answer.prefix(4).dropFirst(2) == [0x03, 0xea])
            #expect(host.guests.first?.texts == [])
            #expect(await eventually { host.guests.first?.closed == 1 })
        }
    }

    @Test @Loop func `an unmasked frame ends the connection, however many good ones came before`() async throws {
        try await withHost { host, _, endpoint in
            host.echoes = false
            let peer = try await RawPeer.upgraded(port: endpoint.port)
            let good = RawPeer.frame(Array("good".utf8))
            try await peer.say(good + good + RawPeer.frame(Array("bad".utf8), isMasked: false))

            #expect(try await peer.hear().prefix(4).dropFirst(2) == [0x03, 0xea])
            #expect(host.guests.first?.texts == ["good", "good"])
        }
    }

    @Test @Loop func `a frame that claims a terabyte is answered with 1009 before anything of it has come`() async throws {
        try await withHost { host, _, endpoint in
            let peer = try await RawPeer.upgraded(port: endpoint.port)
            try await peer.say([0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0])

            #expect(try await peer.hear().prefix(4).dropFirst(2) == [0x03, 0xf1])
            #expect(await eventually { host.guests.first?.closed == 1 })
        }
    }

    @Test @Loop func `a ping brings back what it carried`() async throws {
        try await withHost { _, _, endpoint in
            let peer = try await RawPeer.upgraded(port: endpoint.port)
            try await peer.say(RawPeer.frame(Array("abc".utf8), opcode: 9))

            #expect(try await peer.hear(until: "abc") == [0x8a, 3] + Array("abc".utf8))
        }
    }

    @Test @Loop func `a close frame is answered with its own code, and the connection ends`() async throws {
        try await withHost { host, _, endpoint in
            let peer = try await RawPeer.upgraded(port: endpoint.port)
            try await peer.say(RawPeer.frame([0x0f, 0xa0], opcode: 8))

            #expect(try await peer.hear() == [0x88, 2, 0x0f, 0xa0])
            #expect(await eventually { host.guests.first?.closed == 1 })
        }
    }

    @Test(arguments: [
        ([0xc1, 0x80, 1, 2, 3, 4] as [UInt8], "reserved bits"), ([0x83, 0x80, 1, 2, 3, 4], "unknown opcode"),
        ([0x09, 0x80, 1, 2, 3, 4], "fragmented ping"), ([0x80, 0x80, 1, 2, 3, 4], "continuation of nothing"),
    ]) @Loop func `a frame that breaks the rules closes with 1002`(frame: [UInt8], what: String) async throws {
        try await withHost { host, _, endpoint in
            let peer = try await RawPeer.upgraded(port: endpoint.port)
            try await peer.say(frame)

            #expect(try await peer.hear().prefix(4).dropFirst(2) == [0x03, 0xea])
            #expect(await eventually { host.guests.first?.closed == 1 })
        }
    }

    @Test(arguments: [1000, 1001, 4400, 4408, 4430] as [UInt16]) @Loop
    func `close codes and reasons arrive`(code: UInt16) async throws {
        try await withHost { host, _, endpoint in
            let link = try await Client.connect(to: endpoint, on: EventLoop.background(), timeout: .patient)
            host.guests[0].link?.close(code, "Because of \(code).")

            let ending = await link.ended()

            #expect(ending == ClientLink.Ending(code: code, reason: "Because of \(code).", byPeer: true))
            #expect(await eventually { host.guests[0].closed == 1 })
        }
    }

    @Test(arguments: [1012, 1013] as [UInt16]) @Loop
    func `a code that libwebsockets takes for a mistake arrives as one to come back after`(code: UInt16) async throws {
        try await withHost { host, _, endpoint in
            let link = try await Client.connect(to: endpoint, on: EventLoop.background(), timeout: .patient)
            host.guests[0].link?.close(code, "Later.")

            #expect(await link.ended() == ClientLink.Ending(code: 1013, reason: "Later.", byPeer: true))
        }
    }

    @Test(arguments: [1012, 1013, 4406] as [UInt16]) @Loop func `close codes arrive at another project's client`(code: UInt16) async throws
    {
        try await withHost { host, _, endpoint in
            host.onMessage = { host.guests.last?.link?.close(code, "Later.") }

            let printed = try await python(
                "ws://\(endpoint)/baton",
                """
                await ws.send("x")
                await ws.wait_closed()
                print(ws.close_code, ws.close_reason)
                """)

            #expect(printed == "\(code) Later.\n")
        }
    }

    @Test @Loop func `a link may be closed from its own callbacks`() async throws {
        try await withHost { host, _, endpoint in
            host.echoes = false
            host.onMessage = { host.guests.last?.link?.close(4400, "Own callback.") }

            let printed = try await python(
                "ws://\(endpoint)/baton",
                """
                await ws.send("one")
                await ws.wait_closed()
                print(ws.close_code, ws.close_reason)
                """)

            #expect(printed == "4400 Own callback.\n")
            #expect(host.guests.first?.closed == 1)
        }
    }

    @Test(arguments: [[UInt8](repeating: 65, count: 10), [UInt8](repeating: 65, count: 1_100)]) @Loop
    func `a message that does not come to its end closes with 4408`(start: [UInt8]) async throws {
        var limits = Server.Limits()
        limits.message = .milliseconds(200)
        try await withHost(limits) { host, _, endpoint in
            let peer = try await RawPeer.upgraded(port: endpoint.port)
            let whole = RawPeer.frame(start + [UInt8](repeating: 66, count: 500))
            try await peer.say(Array(whole.dropLast(500)))

            let answer = try await peer.hear()

            #expect(String(decoding: answer, as: UTF8.self).contains("A message was not complete in time."))
            #expect(answer.split(separator: 0x88).last?.dropFirst().prefix(2) == [0x11, 0x38])
        }
    }

    @Test @Loop func `a fragmented message that stops closes with 4408, and pings do not`() async throws {
        var limits = Server.Limits()
        limits.message = .milliseconds(200)
        try await withHost(limits) { host, _, endpoint in
            let printed = try await python(
                "ws://\(endpoint)/baton",
                """
                for n in range(20):
                    await (await ws.ping())
                    await asyncio.sleep(0.05)
                print(ws.open)
                async def halves():
                    yield "first"
                    await ws.wait_closed()
                    yield "second"
                task = asyncio.ensure_future(ws.send(halves()))
                await ws.wait_closed()
                print(ws.close_code)
                task.cancel()
                """)

            #expect(printed.hasPrefix("True\n4408\n"))
        }
    }

    @Test @Loop func `the hub pings a silent peer and gives up on a dead one`() async throws {
        var limits = Server.Limits()
        limits.patience = Patience(pingMs: 100, endMs: 8_000)
        try await withHost(limits) { host, _, endpoint in
            let dead = try await RawPeer.upgraded(port: endpoint.port)
            let alive = try await Client.connect(to: endpoint, on: EventLoop.background(), timeout: .patient)

            let heard = try await dead.hear()

            // A ping, then the end.
            #expect(heard.first == 0x89)
            #expect(await eventually { host.guests[0].closed == 1 })
            #expect(alive.ending == nil)
            #expect(host.guests[1].closed == 0)
        }
    }

    @Test @Loop func `a peer that does not read is cut and not waited for`() async throws {
        try await withHost { host, server, endpoint in
            let deaf = try await RawPeer.upgraded(port: endpoint.port)
            let link = try #require(host.guests[0].link)
            let frame = Frame(payload: [UInt8](repeating: 65, count: 60_000))
            var written = 0
            while link.isReady && written < 1_000 {
                link.write(frame)
                written += 1
            }
            #expect(!link.isReady)

            link.close(4430, "Too slow.")

            #expect(await eventually { host.guests[0].closed == 1 && server.connectionCount == 0 })
            withExtendedLifetime(deaf) {}
        }
    }

    @Test @Loop func `a link that was full becomes writable again, and says so when asked`() async throws {
        try await withHost { host, _, endpoint in
            let slow = try await RawPeer.upgraded(port: endpoint.port)
            let guest = host.guests[0]
            let link = try #require(guest.link)
            let frame = Frame(payload: [UInt8](repeating: 65, count: 60_000))
            var written = 0
            while link.isReady && written < 1_000 {
                link.write(frame)
                written += 1
            }
            link.wantWritable()
            try await pass(on: EventLoop.background())
            #expect(guest.writables == 0)

            let reading = Task { try await slow.hear(until: "END") }
            #expect(await eventually { guest.writables == 1 })
            #expect(link.isReady)
            link.write(Frame(payload: Array("END".utf8)))
            let heard = try await reading.value

            // Every frame is there, whole and in order: two bytes of header and eight or two of length.
            #expect(heard.count == written * (60_000 + 4) + 5)
            #expect(guest.writables == 1)
        }
    }

    @Test @Loop func `frames are counted, not only the first: one shared frame reaches a thousand links`() async throws {
        try await withHost { host, server, endpoint in
            host.echoes = false
            let loop = try await EventLoop.background()
            var links: [ClientLink] = []
            for _ in 0..<1_000 { links.append(try await Client.connect(to: endpoint, on: loop, timeout: .patient)) }
            #expect(server.connectionCount == 1_000)
            let text = Array(#"{"t":"state","rev":7}"#.utf8)
            let frame = Frame(payload: text)

            for _ in 0..<3 {
                for guest in host.guests { guest.link?.write(frame) }
            }

            for link in links {
                var messages = link.messages.makeAsyncIterator()
                for _ in 0..<3 { #expect(await messages.next() == text) }
            }
            for link in links { link.close() }
            #expect(await eventually { server.connectionCount == 0 })
            #expect(host.guests.allSatisfy { $0.closed == 1 })
        }
    }

    @Test @Loop func `nothing is left of two thousand connections that came and went`() async throws {
        try await withHost { host, server, endpoint in
            host.pages["/"] = { _ in .sentence(200, "Yes.") }
            let loop = try await EventLoop.background()
            let descriptors = { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }
            let before = descriptors()
            for round in 0..<2_000 {
                switch round % 4 {
                case 0:
                    let link = try await Client.connect(to: endpoint, on: loop, timeout: .patient)
                    link.close()
                    _ = await link.ended()
                case 1:
                    let link = try await Client.connect(to: endpoint, on: loop, timeout: .patient)
                    host.guests.last?.link?.close(4403, "Go.")
                    _ = await link.ended()
                case 2: _ = try await Client.request(.get, "/", of: endpoint, on: loop, timeout: .patient)
                default: _ = RawPeer(port: endpoint.port)
                }
            }

            #expect(await eventually { server.connectionCount == 0 })
            #expect(host.guests.count == 1_000)
            #expect(host.guests.allSatisfy { $0.closed == 1 })
            #expect(await eventually { descriptors() < before + 100 })
            // Other tests share the process; they hold a few.
            #expect(await eventually { Connection.alive < 1_200 })
        }
    }

    @Test @Loop func `stopping tells every link and waits for none that is deaf`() async throws {
        let host = SmallHub()
        let server = Server(try await EventLoop.background(), reception: host)
        let port = try server.listen(tcp: "127.0.0.1", port: 0)
        let link = try await Client.connect(to: .tcp(host: "127.0.0.1", port: port), on: EventLoop.background(), timeout: .patient)
        let mute = try await RawPeer.upgraded(port: port)

        await server.close()

        #expect(await link.ended().code == 1001)
        #expect(host.guests.map(\.closed) == [1, 1])
        #expect(server.connectionCount == 0)
        withExtendedLifetime(mute) {}
    }
}
