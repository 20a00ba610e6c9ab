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

    @Test func `a version the hub does not speak is refused with the ones it does`() async throws {
        try await onLoop {
            let remote = try SimulatedHub().connect()

            remote.sendText(#"{"t":"hello","v":[7],"profile":"watch","client":{"id":"abcdefgh"}}"#)

            #expect(remote.frames.first?.contains(#""v":[1]"#) == true)
            #expect(remote.closed?.code == 4406)
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

            remote.sendText(#"{"t":"hello","v":[1],"profile":"watch","role":"admin","client":{"id":"abcdefgh"}}"#)

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
