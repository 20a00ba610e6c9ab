import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

/// Clients of the time before Core 1.0. BT-VER-006 BT-CLS-4406
@Suite struct `A client of version 1.3` {
    private static let hello =
        #"{"t":"hello","v":[1],"profile":"full","client":{"id":"tester-1","run":"1"},"caps":[],"t1":512345678}"#

    @Loop private static func connect(to sim: SimulatedHub, origin: String? = nil) throws -> TestRemote {
        var headers = ["host": "127.0.0.1:9442"]
        headers["origin"] = origin
        return try sim.connect(headers: headers, path: "/companion/v1")
    }

    @Test(arguments: [hello, "no JSON", #"{"t":"sync"}"#])
    func `is refused by one sentence that names 1.0, whatever it says`(text: String) async throws {
        try await onLoop {
            let remote = try Self.connect(to: SimulatedHub())
            #expect(remote.frames.isEmpty && remote.closed == nil)

            remote.sendText(text)

            #expect(remote.frames.count == 1)
            guard case .error(let error)? = remote.messages.last else { return #expect(Bool(false), "\(remote.frames)") }
            #expect(error.known == .unsupportedVersion && error.message.contains("Core 1.0"))
            #expect(remote.closed?.code == 4406)
        }
    }

    @Test func `gets an empty state where it is the hub's own page, which then loads itself again, and the same end`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try Self.connect(to: sim, origin: "http://127.0.0.1:9442")

            remote.sendText(Self.hello)
            remote.sendText(Commands.Play().frameText())

            #expect(remote.frames.count == 2)
            #expect(remote.frames.first?.hasPrefix(#"{"t":"welcome","v":1,"#) == true)
            #expect(remote.frames.first?.contains(#""t1":512345678,"#) == true)
            #expect(remote.frames.last?.contains(#""full":1"#) == true && remote.frames.last?.hasSuffix(#""s":{}}"#) == true)
            sim.time.pass(.milliseconds(1900))
            #expect(remote.closed == nil)
            sim.time.pass(.milliseconds(200))
            #expect(remote.frames.last?.contains("unsupported_version") == true && remote.closed?.code == 4406)
        }
    }

    @Test func `learns nothing of a hub to which it has not proved who it is, whatever origin it names`() async throws {
        try await onLoop {
            let remote = try SimulatedHub().connect(
                over: .tls, from: "10.0.0.9", headers: ["host": "127.0.0.1:9443", "origin": "https://127.0.0.1:9443"], path: "/companion/v1"
            )

            remote.sendText(Self.hello)

            #expect(remote.frames.count == 1 && remote.frames.first?.contains("unsupported_version") == true)
            #expect(remote.closed?.code == 4406)
        }
    }

    @Test func `counts among the connections of its address that have not been welcomed`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            @Loop func connect(_ path: String, from address: String = "10.0.0.9") throws -> TestRemote {
                try sim.connect(over: .tls, from: address, path: path)
            }
            let first = try connect("/companion/v1")
            for path in ["/companion/v1", "/baton", "/companion/v1"] { _ = try connect(path) }

            for path in ["/companion/v1", "/baton"] { #expect(throws: SimulatedHub.Refused.self) { try connect(path) } }
            _ = try connect("/companion/v1", from: "10.0.0.10")
            first.sendText(Self.hello)
            #expect(first.closed?.code == 4406)
            _ = try connect("/companion/v1")
        }
    }

    @Test func `is closed where it says nothing, and where it does not read`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let silent = try Self.connect(to: sim)
            let deaf = try Self.connect(to: sim)
            deaf.isReading = false
            deaf.sendText(Self.hello)
            #expect(sim.companion.connections == 2)

            sim.time.pass(.seconds(6))

            #expect(silent.closed?.code == 4408 && deaf.closed?.code == 4408)
            #expect(sim.companion.connections == 0)
        }
    }

    @Test(arguments: ["/companion/v1", "/companion/v1/state", "/companion/v1/cmd"])
    func `gets 410 by HTTP`(path: String) async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            for method in [HTTPRequest.Method.get, .post] {
                let answer = await sim.router.respond(
                    to: HTTPRequest(
                        method: method, path: path, headers: ["host": "127.0.0.1"], peer: Peer(channel: .loopback, address: "127.0.0.1")))
                #expect(answer.status == 410 && String(decoding: answer.body, as: UTF8.self).contains("Core 1.0"))
            }
        }
    }
}
