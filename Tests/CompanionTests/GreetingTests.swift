import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@Suite struct `A remote is greeted` {
    @Test func `hello is answered by welcome and then by the whole state`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()

            let remote = try sim.remote(.full)

            guard case .welcome(let welcome) = remote.messages[0] else { return #expect(Bool(false), "no welcome") }
            #expect(welcome.role == .admin)
            guard case .state(let state) = remote.messages[1] else { return #expect(Bool(false), "no state") }
            #expect(state.header.full && state.header.room?.text == "main")
            #expect(remote.mirror.volume?.level == 30)
            #expect(remote.mirror.timeline?.state == .stopped)
        }
    }

    @Test func `the first message must be hello`() async throws {
        try await onLoop {
            let remote = try SimulatedHub().connect()

            remote.send(Commands.Play())

            #expect(remote.closed?.code == 4400)
        }
    }

    /// BT-VER-001
    @Test(arguments: [
        #"{"t":"hello","v":[1],"profile":"watch","client":{"id":"abcdefgh"}}"#,
        #"{"t":"hello","core":"2.0","view":"watch","client":{"id":"abcdefgh"}}"#, #"{"t":"hello","core":"11.0"}"#,
    ])
    func `another version is refused by a sentence that names the hub's`(hello: String) async throws {
        try await onLoop {
            let remote = try SimulatedHub().connect()

            remote.sendText(hello)

            guard case .error(let error)? = remote.messages.first else { return #expect(Bool(false), "\(remote.frames)") }
            #expect(error.known == .unsupportedVersion && error.core == "1.0" && error.message.contains("Core 1.0"))
            #expect(remote.closed?.code == 4406 && remote.frames.count == 1)
        }
    }

    /// BT-HS-020
    @Test(arguments: [("tv", "remote"), ("remote", nil), ("full", nil), ("watch", nil)])
    func `an unknown view is taken as remote, and welcome says so`(view: String, said: String?) async throws {
        try await onLoop {
            let remote = try SimulatedHub().connect()

            remote.sendText(#"{"t":"hello","core":"1.7","view":"\#(view)","client":{"id":"abcdefgh"}}"#)

            guard case .welcome(let welcome)? = remote.messages.first else { return #expect(Bool(false), "no welcome") }
            #expect(welcome.view?.rawValue == said && welcome.core == "1.0")
            #expect(view != "tv" || remote.mirror.sections.contains(.volume) && !remote.mirror.sections.contains(.hub))
        }
    }

    /// BT-VER-003 BT-VER-005
    @Test func `the profiles are told as far as the client knows them, and by HTTP all of them`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let every = sim.hub.ports.profiles.features()
            for (features, told) in [
                ("", every), (#","features":[]"#, []), (#","features":["rooms","com.example.dim"]"#, ["rooms@1"]),
            ] as [(String, [String])] {
                let remote = try sim.connect()
                remote.sendText(#"{"t":"hello","core":"1.0","view":"watch","client":{"id":"abcdefgh"}\#(features)}"#)
                guard case .welcome(let welcome)? = remote.messages.first else { return #expect(Bool(false), "no welcome") }
                #expect(welcome.features == told)
            }
            let answer = await sim.router.respond(
                to: HTTPRequest(
                    method: .get, path: "/baton/state", query: [("view", "tv")], headers: ["host": "127.0.0.1"],
                    peer: Peer(channel: .loopback, address: "127.0.0.1")))
            let state = String(decoding: answer.body, as: UTF8.self)
            #expect(state.contains(#""features":["#) && every.allSatisfy { state.contains("\"\($0)\"") } && !state.contains(#""hub":"#))
        }
    }

    /// BT-PRV-001
    @Test(arguments: [Role.listener, .guest, .remote]) func `names of people are told from the role remote on`(role: Role) async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let other = try sim.remote(id: "kitchen-wall")
            let remote = try sim.connect(over: .unix(uid: 0, gid: 0))

            remote.sendText(#"{"t":"hello","core":"1.0","view":"full","role":"\#(role.rawValue)","client":{"id":"abcdefgh"}}"#)
            remote.sendText(#"{"t":"sub","id":1,"sections":["people","listeners"]}"#)
            sim.time.pass(.seconds(1))

            let isTold = remote.frames.contains { $0.contains("kitchen-wall") }
            #expect(isTold == (role >= .remote) && other.frames.contains { $0.contains("kitchen-wall") })
            if !isTold { #expect(remote.mirror.people == .number(2)) }
        }
    }

    /// BT-PRV-001
    @Test(arguments: [Role.listener, .remote]) func `who added an entry is told from the role remote on`(role: Role) async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let other = try sim.remote(id: "kitchen-wall")
            _ = await other.awaitReply(other.send(Commands.QueueAdd([ItemURI("file:track/album:2")]), key: "add-1"))
            let remote = try sim.connect(over: .unix(uid: 0, gid: 0))
            remote.sendText(#"{"t":"hello","core":"1.0","view":"remote","role":"\#(role.rawValue)","client":{"id":"abcdefgh"}}"#)

            remote.sendText(#"{"t":"sub","id":1,"queue":{"from":0,"n":5}}"#)
            _ = await other.awaitReply(other.send(Commands.QueueAdd([ItemURI("file:track/album:3")]), key: "add-2"))
            sim.time.pass(.seconds(1))

            #expect(remote.frames.contains { $0.contains(#""t":"q""#) } && remote.frames.contains { $0.contains(#""t":"res""#) })
            #expect(remote.frames.contains { $0.contains("kitchen-wall") } == (role >= .remote), "\(remote.frames)")
        }
    }

    @Test func `whoever never says hello is closed in time`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.connect()

            sim.time.pass(.seconds(4))
            #expect(remote.closed == nil)
            sim.time.pass(.seconds(3))

            #expect(remote.closed?.code == 4408)
        }
    }

    @Test func `a role in hello can only lower what the channel gives`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.connect(over: .loopback)

            remote.sendText(#"{"t":"hello","core":"1.0","view":"watch","role":"admin","client":{"id":"abcdefgh"}}"#)

            #expect(remote.frames.first?.contains(#""role":"remote""#) == true)
        }
    }

    @Test func `a reconnect of the same client and run replaces its half open connection`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let first = try sim.remote(id: "same")

            let second = try sim.remote(id: "same")

            #expect(first.closed?.code == 4409)
            #expect(second.closed == nil)
        }
    }

    @Test(arguments: [
        ["host": "evil.example:9442"], ["host": "127.0.0.1:9442", "origin": "http://evil.example"],
        ["host": "127.0.0.1:9442", "origin": "null"],
        ["host": "127.0.0.1:9442", "origin": "http://127.0.0.1:8080"],
    ])
    func `a page from elsewhere cannot connect through loopback`(headers: [String: String]) async throws {
        try await onLoop {
            let sim = try SimulatedHub()

            #expect { try sim.connect(over: .loopback, headers: headers) } throws: { ($0 as? SimulatedHub.Refused)?.status == 403 }
        }
    }

    @Test func `the hub's own page may connect`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()

            _ = try sim.connect(over: .loopback, headers: ["host": "localhost:9442", "origin": "http://localhost:9442"])
        }
    }

    @Test func `a page elsewhere may connect once the owner has named it, and no other`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(origins: ["https://panel.example"])
            let connect = { @Loop (origin: String) throws in
                _ = try sim.connect(over: .loopback, headers: ["host": "localhost:9442", "origin": origin])
            }
            try connect("https://panel.example")

            for other in ["http://panel.example", "https://panel.example:8443", "https://a.panel.example", "https://panel.example.evil"] {
                #expect(throws: SimulatedHub.Refused.self) { try connect(other) }
            }
            // That the page is welcome does not make every name lead here.
            #expect(throws: SimulatedHub.Refused.self) {
                try sim.connect(over: .loopback, headers: ["host": "panel.example", "origin": "https://panel.example"])
            }
        }
    }

    @Test func `nobody from the network comes in unless the owner opened the port`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()

            #expect { try sim.connect(over: .network) } throws: { ($0 as? SimulatedHub.Refused)?.sentence.contains("--lan-plain") == true }
        }
    }

    @Test func `one connection more than allowed is told to come back later`() async throws {
        try await onLoop {
            var limits = WireLimits()
            limits.connections = 2
            let sim = try SimulatedHub(limits: limits)
            let kept = [try sim.remote(id: "one-client"), try sim.remote(id: "two-client")]

            #expect { try sim.connect() } throws: { ($0 as? SimulatedHub.Refused)?.status == 503 }
            #expect(kept.allSatisfy { $0.closed == nil })
        }
    }
}
