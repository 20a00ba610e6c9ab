import BatonSeams
import Foundation
import HTTPClient
import SocketPeers
import Testing

@testable import EventLoop

/// How connections to other servers are opened and refused, against Debian's Python library and servers that misbehave.
@Suite(.loop) struct OpeningTests {
    @Test func `own headers arrive, and a subprotocol is chosen`() async throws {
        let servers = try await Servers()
        var request = servers.plain("/headers")
        request.headers = [("Authorization", "Bearer secret"), ("X-Client", "baton")]
        request.subprotocols = ["music.v1"]

        let connection = try await webSockets().connect(request)

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

        #expect(try await refusal(request, webSockets()) != nil)
    }

    @Test func `a certificate of an unknown authority, and one for another host, are refused`() async throws {
        let servers = try await Servers()
        let others = try await Servers(named: "attic.local")

        let unknown = try await refusal(servers.secure("/echo"), webSockets(others))
        let unknownToTheSystem = try await refusal(servers.secure("/echo"), webSockets())
        let wrong = try await refusal(others.secure("/echo"), webSockets(others))

        #expect(unknown?.code == .certificate)
        #expect(unknownToTheSystem?.code == .certificate)
        #expect(wrong?.code == .certificate)
        #expect(unknown?.sentence.hasPrefix("The certificate of localhost:") == true)
        #expect(wrong?.sentence.hasSuffix("hostname mismatch.") == true)
    }

    @Test func `a certificate that is signed by itself is refused`() async throws {
        let servers = try await Servers(isSelfSigned: true)

        let fault = try await refusal(servers.secure("/echo"), webSockets())

        #expect(fault?.code == .certificate)
        #expect(fault?.sentence.hasSuffix("self-signed certificate.") == true)
    }

    @Test func `a server without TLS is a sentence`() async throws {
        let servers = try await Servers()

        let fault = try await refusal(servers.plainAsTLS, webSockets())

        #expect(fault?.sentence.hasSuffix("does not speak TLS 1.2 or later.") == true)
    }

    @Test func `a redirect is not followed`() async throws {
        let servers = try await Servers()

        #expect(try await refusal(servers.plain("/redirect"), webSockets())?.code == .rejected(status: 302))
    }

    @Test func `a refused upgrade tells its status`() async throws {
        let servers = try await Servers()

        let fault = try await refusal(servers.plain("/refuse"), webSockets())

        #expect(fault?.code == .rejected(status: 403))
    }

    @Test func `a host that does not exist, or does not answer, is a sentence without the query`() async throws {
        let policy = AddressPolicy { _ in true }
        let client = try await webSockets()

        let closed = await refusal(WebSocketRequest("ws://127.0.0.1:1/?token=secret", policy: policy), client)
        let unknown = await refusal(WebSocketRequest("wss://no-such-host.invalid/?token=secret", policy: policy), client)

        #expect(closed?.code == .refused)
        #expect(unknown?.code == .notFound)
        #expect([closed, unknown].allSatisfy { $0?.sentence.contains("secret") == false })
    }

    @Test func `the policy is asked about the address, not the name`() async throws {
        let servers = try await Servers()
        var request = servers.plain("/echo")
        request.policy = .publicOnly
        request.url = request.url.replacing("127.0.0.1", with: "localhost")

        #expect(try await refusal(request, webSockets())?.code == .forbidden)
    }

    @Test(arguments: ["A\r\nB: c", "", "Nöt"]) func `a header that would become two is refused`(name: String) async throws {
        let request = WebSocketRequest("ws://127.0.0.1:1/", headers: [(name, "x")], policy: AddressPolicy { _ in true })

        #expect(try await refusal(request, webSockets())?.code == .badRequest)
    }

    @Test(arguments: ["Host", "sec-websocket-key", "Upgrade"]) func `a header that the WebSocket sets itself is refused`(name: String)
        async throws
    {
        let request = WebSocketRequest("ws://127.0.0.1:1/", headers: [(name, "x")], policy: AddressPolicy { _ in true })

        #expect(try await refusal(request, webSockets())?.code == .badRequest)
    }

    @Test(arguments: ["", "a b", "a\r\nb: c", "a,b"]) func `a subprotocol that is no token is refused`(name: String) async throws {
        let request = WebSocketRequest("ws://127.0.0.1:1/", subprotocols: [name], policy: AddressPolicy { _ in true })

        #expect(try await refusal(request, webSockets())?.code == .badRequest)
    }

    @Test(arguments: [false, true]) func `a server that hangs is given up in time`(isSecure: Bool) async throws {
        let servers = try await Servers()
        var request = isSecure ? servers.hangingTLS : servers.hanging
        request.limits.connect = .milliseconds(300)

        let fault = try await refusal(request, webSockets(servers))

        #expect(fault?.code == .timedOut)
        #expect(fault?.sentence.hasSuffix("did not answer in time.") == true)
    }

    @Test func `a connection that is being made can be cancelled`() async throws {
        let servers = try await Servers()
        let client = try await webSockets()
        let connecting = Task { await refusal(servers.hanging, client) }

        connecting.cancel()

        #expect(await connecting.value?.code == .cancelled)
    }

    @Test(arguments: [false, true]) func `a proxy is used where the environment names one, and looks the name up itself`(isSecure: Bool)
        async throws
    {
        let servers = try await Servers()
        let proxies = Proxies(environment: ["all_proxy": servers.proxy, "no_proxy": "127.0.0.1,localhost"])
        let client = OutgoingWebSockets(
            loop: try await EventLoop.background(), roots: servers.roots, proxy: proxies.proxy(scheme:host:))

        // At the same time, since libwebsockets keeps the proxy beside the connections.
        async let proxied = client.connect(servers.proxied("/echo", isSecure: isSecure))
        async let direct = client.connect(isSecure ? servers.secure("/echo") : servers.plain("/echo"))

        for connection in try await [proxied, direct] {
            try await connection.send(.text("through"))
            #expect(await connection.next() == .text("through"))
        }
    }

    @Test func `a proxy that refuses, or is none, is a sentence`() async throws {
        let servers = try await Servers()
        let loop = try await EventLoop.background()
        let refusing = OutgoingWebSockets(loop: loop, proxy: { _, _ in servers.notAProxy })
        let unknown = OutgoingWebSockets(loop: loop, proxy: { _, _ in "socks5://127.0.0.1:1" })

        #expect(await refusal(servers.proxied("/echo"), refusing)?.code == .failed)
        #expect(await refusal(servers.proxied("/echo"), unknown)?.code == .badRequest)
    }
}
