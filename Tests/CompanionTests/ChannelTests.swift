import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

@Suite struct `Channels judge alike` {
    @Test(
        arguments: [
            ("localhost", "localhost", nil), ("LOCALHOST:9442", "localhost", 9442), ("127.0.0.1:80", "127.0.0.1", 80),
            ("[::1]:9442", "::1", 9442),
            ("[fe80::1]", "fe80::1", nil), ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1", nil), ("[1:2:3:4:5:6:7:8]", "1:2:3:4:5:6:7:8", nil),
            ("kitchen.local.", "kitchen.local.", nil), ("a_b-c.example:65535", "a_b-c.example", 65535),
        ] as [(String, String, Int?)])
    func `an authority is a host and perhaps a port`(text: String, host: String, port: Int?) {
        let authority = Authority(text)
        #expect(authority?.host == host)
        #expect(authority?.port.map(Int.init) == port)
    }

    @Test(arguments: [
        "", ":", ":9442", "127.0.0.1:9442@evil.example", "user@localhost", "localhost:", "localhost:0", "localhost:65536", "localhost:+80",
        "localhost:8 0", "localhost:80:80", "localhost/", "localhost?x", "localhost#x", "local host", "localhost\t", "localhost,evil",
        "a..b", ".",
        ".localhost", "localhost..", "[::1", "::1", "[::1]x", "[::1]:", "[::1%lo]", "[::1%25lo]", "[]", "[:]", "[:::]", "[1:2:3:4:5:6:7]",
        "[1:2:3:4:5:6:7:8:9]", "[1::2::3]", "[12345::]", "[::g]", "[127.0.0.1]", "[::256.0.0.1]", "ü.example", "a%2eb", "[v1.x]", "a\\b",
        "\u{0}",
    ])
    func `anything else is none`(text: String) { #expect(Authority(text) == nil) }

    @Test(arguments: ["127.1", "127.0.0.01", "0177.0.0.1", "127.+1.0.1", "0x7f.0.0.1", "2130706433", "localhost.", "127.0.0.1."])
    func `what only some programs take for this machine is not this machine`(text: String) {
        #expect(Authority(text)?.isLoopback != true)
    }

    private static let channels: [Peer.Channel] = [.loopback, .unix(uid: 0, gid: 0), .network, .tls]

    @Test(arguments: [
        ["host": "evil.example"], ["host": "127.0.0.1:9442@evil.example"], ["host": "localhost@evil.example"], ["host": "localhost:99999"],
        ["host": ""],
        ["host": "localhost", "origin": "http://evil.example"], ["host": "localhost", "origin": "null"],
        ["host": "localhost:9442", "origin": "http://localhost:9443"],
    ])
    func `the same hosts and origins are refused by every channel`(headers: [String: String]) async throws {
        try await onLoop {
            let sim = try SimulatedHub(lanPlain: .remote)
            for channel in Self.channels {
                #expect(throws: SimulatedHub.Refused.self) { try sim.connect(over: channel, headers: headers) }
                let request = HTTPRequest(
                    method: .get, path: "/baton/state", headers: headers, peer: Peer(channel: channel, address: "10.0.0.9"))
                #expect(await sim.router.respond(to: request).status == 403)
            }
        }
    }

    @Test func `the hub's own page and programs without a browser come in by every channel`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(lanPlain: .remote)
            for channel in Self.channels {
                let scheme = channel == .tls ? "https" : "http"
                _ = try sim.connect(over: channel, headers: ["host": "localhost:9442"])
                _ = try sim.connect(over: channel, headers: ["host": "localhost:9442", "origin": "\(scheme)://localhost:9442"])
            }
            _ = try sim.connect(over: .unix(uid: 0, gid: 0), headers: [:])
            _ = try sim.connect(over: .unix(uid: 0, gid: 0), headers: ["host": "hub"])
            #expect(throws: SimulatedHub.Refused.self) { try sim.connect(over: .loopback, headers: ["host": "hub"]) }
            #expect(throws: SimulatedHub.Refused.self) { try sim.connect(over: .loopback, headers: [:]) }
            #expect(throws: SimulatedHub.Refused.self) { try sim.connect(over: .unix(uid: 0, gid: 0), headers: ["host": "10.0.0.1"]) }
        }
    }

    @Test(
        arguments: [
            ("studio.local:9442", true), ("127.0.0.1:9442", true), ("[::1]", true), ("192.168.1.7:9442", true), ("music.example", true),
            ("evil.example", false), ("192.168.1.8:9442", false), ("6.6.6.6", false), ("127.0.0.1@evil.example", false), (nil, false),
        ] as [(String?, Bool)])
    @Loop func `a host that a request names is handed on only where it is the hub's own`(host: String?, isOwn: Bool) {
        let policy = AdmissionPolicy(origins: ["https://music.example"], hostNames: ["studio.local"], addresses: { ["192.168.1.7"] })
        let request = HTTPRequest(
            method: .get, path: "/listen/main.m3u", headers: host.map { ["host": $0] } ?? [:],
            peer: Peer(channel: .network, address: "10.0.0.1"))
        #expect(policy.ownAuthority(request) == (isOwn ? host : nil))
    }

    /// BT-USR-009
    @Test func `a page elsewhere that may steer the hub signs nobody in`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(origins: ["https://panel.example"])
            @Loop func ask(_ path: String, _ origin: String?) async -> Int {
                var headers = ["host": "127.0.0.1:9442"]
                headers["origin"] = origin
                return await sim.router.respond(
                    to: HTTPRequest(
                        method: .post, path: path, headers: headers, body: Array(Commands.UserMe().frameText().utf8),
                        peer: Peer(channel: .loopback, address: "127.0.0.1"))
                ).status
            }

            #expect(await ask("/baton/cmd", "https://panel.example") == 200)
            #expect(await ask("/baton/user", "https://panel.example") == 403)
            #expect(await ask("/baton/user", "http://127.0.0.1:9442") == 200)
            #expect(await ask("/baton/user", nil) == 200)
            let guest = Commands.UserGuest(name: "Kim").frameText()
            for (origin, isForeign) in [("https://panel.example", true), ("http://127.0.0.1:9442", false)] {
                let answer = await sim.router.respond(
                    to: HTTPRequest(
                        method: .post, path: "/baton/cmd", headers: ["host": "127.0.0.1:9442", "origin": origin], body: Array(guest.utf8),
                        peer: Peer(channel: .loopback, address: "127.0.0.1")))
                #expect(String(decoding: answer.body, as: UTF8.self).contains("Only the hub's own page") == isForeign)
            }
        }
    }

    // BT-CMD-008
    @Test func `a command that the hub does not know is unknown to every role, whatever its name and its parameters`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(lanPlain: .listener)
            var answers: [WireError] = []
            for channel in [Peer.Channel.network, .loopback, .unix(uid: 0, gid: 0)] {
                let remote = try sim.connect(over: channel, headers: ["host": "127.0.0.1:9442"])
                remote.sendText(#"{"t":"hello","core":"1.0","view":"remote","client":{"id":"client-1"}}"#)
                for (id, method) in ["make.tea", "hub.restart", "room.group", "com.example.dim"].enumerated() {
                    remote.sendText(#"{"t":"cmd","id":\#(id + 1),"m":"\#(method)","p":{"x":1}}"#)
                    answers.append(try #require(remote.reply(id + 1)?.reply.outcome.error))
                }
            }
            #expect(answers.count == 12 && answers.allSatisfy { $0 == answers[0] && $0.known == .unknownCommand })
        }
    }
}
