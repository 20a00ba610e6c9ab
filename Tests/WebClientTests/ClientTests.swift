import BatonSeams
import EventLoop
import Foundation
import SocketPeers
import Testing

@testable import SocketServer
@testable import WebClient

@Suite(.loop) struct ClientTests {
    @Test func `a hub that is not there is a sentence`() async throws {
        let loop = try await EventLoop.background()

        let refused = await #expect(throws: SocketsError.self) {
            _ = try await Client.connect(to: .tcp(host: "127.0.0.1", port: 1), on: loop, timeout: .patient)
        }
        let missing = await #expect(throws: SocketsError.self) {
            _ = try await Client.connect(to: .unix(path: "/nowhere/hub.sock"), on: loop, timeout: .patient)
        }
        let unknown = await #expect(throws: SocketsError.self) {
            _ = try await Client.connect(to: .tcp(host: "no-such-host.invalid", port: 1), on: loop, timeout: .patient)
        }

        #expect(refused?.code == .refused)
        #expect(refused?.sentence == "Nobody answers at 127.0.0.1:1; is the hub running?")
        #expect(missing?.code == .notFound)
        #expect(missing?.sentence == "There is no socket /nowhere/hub.sock; is the hub running?")
        #expect(unknown?.code == .notFound)
        #expect(unknown?.sentence == "No machine called no-such-host.invalid was found.")
    }

    @Test @Loop func `a refusal is thrown in the hub's own words`() async throws {
        try await withHost { host, _, endpoint in
            host.refusal = .sentence(403, "This hub listens to this machine only; start it with --lan-plain.")

            let error = await #expect(throws: SocketsError.self) {
                _ = try await Client.connect(to: endpoint, on: EventLoop.background(), timeout: .patient)
            }

            #expect(error?.code == .rejected(status: 403))
            #expect(error?.sentence == "This hub listens to this machine only; start it with --lan-plain.")
        }
    }

    @Test @Loop func `a hub of the time before Core 1.0 is named as such`() async throws {
        try await withHost { host, _, endpoint in
            host.refusal = .sentence(404, "WebSocket is spoken at /companion/v1 only.")

            let error = await #expect(throws: SocketsError.self) {
                _ = try await Client.connect(to: endpoint, on: EventLoop.background(), timeout: .patient)
            }

            #expect(error?.sentence == "The hub at \(endpoint) is older than this program. Update the hub.")
        }
    }

    @Test @Loop func `many messages arrive in their order, both ways`() async throws {
        try await withHost { host, _, endpoint in
            let link = try await Client.connect(to: endpoint, on: EventLoop.background(), timeout: .patient)
            host.echoes = true

            for number in 0..<500 { try link.send(Array("message \(number)".utf8)) }
            var heard: [String] = []
            for await message in link.messages {
                heard.append(String(decoding: message, as: UTF8.self))
                if heard.count == 500 { break }
            }

            #expect(heard == (0..<500).map { "message \($0)" })
        }
    }

    @Test @Loop func `closing sends a close frame after what was sent`() async throws {
        try await withHost { host, _, endpoint in
            let link = try await Client.connect(to: endpoint, on: EventLoop.background(), timeout: .patient)
            for number in 0..<50 { try link.send(Array("\(number)".utf8)) }

            link.close(1000, "Done.")
            let ending = await link.ended()

            #expect(ending == ClientLink.Ending(code: 1000, reason: "Done.", byPeer: false))
            #expect(host.guests[0].texts == (0..<50).map { "\($0)" })
            #expect(throws: SocketsError(.closed, "The connection to the hub is over.")) { try link.send([]) }
            #expect(await eventually { host.guests[0].closed == 1 })
        }
    }

    @Test @Loop func `a lost connection ends the stream`() async throws {
        try await withHost { host, _, endpoint in
            let link = try await Client.connect(to: endpoint, on: EventLoop.background(), timeout: .patient)
            (host.guests[0].link as? Connection)?.cut()

            for await _ in link.messages {}

            #expect(link.ending?.code == 1006)
        }
    }

    @Test @Loop func `a reader that is too far behind is disconnected rather than misled`() async throws {
        try await withHost { host, _, endpoint in
            let link = try await Client.connect(to: endpoint, on: EventLoop.background(), timeout: .patient)
            let frame = Frame(payload: Array("x".utf8))
            for _ in 0..<1_100 { host.guests[0].link?.write(frame) }

            #expect(await link.ended().code == 4430)
        }
    }

    @Test @Loop func `a plain request over the socket file`() async throws {
        try await withHost { host, server, _ in
            let path = try temporaryPath()
            try server.listen(unix: path)
            host.pages["/baton/cmd"] = { HTTPResponse(status: 200, body: $0.body) }

            let reply = try await Client.request(
                .post, "/baton/cmd", of: .unix(path: path), body: Array("{}".utf8), on: EventLoop.background(), timeout: .patient)

            #expect(reply.status == 200)
            #expect(reply.body == Array("{}".utf8))
        }
    }
}
