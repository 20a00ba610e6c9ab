/// Each limit of `Protocol/core/7-limits.md`, "Limits", one below it, at it and one beyond.
/// What ends at a socket is measured in `LinkTests`, and every limit through a real link by
/// `Protocol/scenarios/limits.json`. BT-BAD-012 BT-SLO-004
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Foundation
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

@Suite struct `Limits hold to the last one` {
    // MARK: Inside a message

    private static let shapes: [(name: String, limit: Int, text: @Sendable (Int) -> String)] = [
        ("depth", 8, { depth in #"{"x":"# + String(repeating: "[", count: depth - 2) + String(repeating: "]", count: depth - 2) + "}" }),
        ("members", 64, { count in "{" + (0..<count).map { "\"a\($0)\":1" }.joined(separator: ",") + "}" }),
        ("array", 1000, { count in #"{"x":["# + repeatElement("1", count: count).joined(separator: ",") + "]}" }),
        ("string", 4096, { count in #"{"x":""# + String(repeating: "s", count: count) + #""}"# }),
        ("member_name", 64, { count in "{\"" + String(repeating: "n", count: count) + "\":1}" }),
    ]

    @Test(arguments: shapes.indices) func `of a message's shape`(index: Int) async throws {
        let (name, limit, text) = Self.shapes[index]
        try await onLoop {
            for (count, isTaken) in [(limit - 1, true), (limit, true), (limit + 1, false)] {
                let remote = try SimulatedHub().remote()
                remote.forgetFrames()

                remote.sendText(#"{"t":"cmd","id":1,"m":"hub.info","p":\#(text(count))}"#)

                #expect(
                    remote.frames.last?.hasPrefix(isTaken ? #"{"t":"res""# : #"{"t":"err","err":{"code":"bad_request""#) == true,
                    "\(name) \(count)")
                #expect(remote.closed == nil)
            }
        }
    }

    @Test func `malformed messages: the third within a minute ends it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            for wait in [0, 1, 60_000, 59_000] {
                sim.time.pass(.milliseconds(wait))
                remote.sendText("{")
                #expect(remote.closed == nil)
            }
            remote.sendText("{")
            #expect(remote.closed?.code == 4400)
        }
    }

    @Test func `bytes of a frame are told to the link when the remote is known`() async throws {
        try await onLoop {
            var limits = WireLimits()
            limits.frameBeforeWelcome = 4097
            limits.clientFrame = 16_385
            limits.binaryFrame = 20_481
            let remote = try SimulatedHub(limits: limits).connect()
            #expect([remote.bounds.textBytes, remote.bounds.binaryBytes] == [4097, 4097] as [Int])

            remote.send(JSONWriter.bytes(Hello(view: "full", client: .init(id: "abcdefgh")).encode))

            #expect([remote.bounds.textBytes, remote.bounds.binaryBytes] == [16_385, 20_481] as [Int])
        }
    }

    @Test func `frames at once and a second are told to the link, and are never less than twice the commands`() async throws {
        try await onLoop {
            let usual = try SimulatedHub().connect()
            #expect(usual.bounds.allowance == FrameAllowance(perSecond: 100, burst: 500, late: 200, windowMs: 10_000))
            var limits = WireLimits()
            limits.commandsPerSecond = 300
            limits.commandBurst = 400
            limits.floodRejections = 9
            let busy = try SimulatedHub(limits: limits).connect()
            #expect(busy.bounds.allowance == FrameAllowance(perSecond: 600, burst: 800, late: 9, windowMs: 10_000))
        }
    }

    @Test func `a page of the queue stays below the hub's own frame`() async throws {
        try await onLoop {
            var limits = WireLimits()
            limits.hubFrame = 32_768
            let sim = try SimulatedHub(limits: limits)
            let remote = try sim.remote()
            let name = "/music/" + String(repeating: "long", count: 100)
            _ = await remote.awaitReply(remote.send(Commands.QueueAdd([ItemURI("\(name):100")]), key: "key-1"))
            remote.forgetFrames()

            remote.send(Commands.QueueWindow())

            let bytes = try #require(remote.frames.last?.utf8.count)
            #expect(bytes <= 32_768 && bytes > 20_000)
        }
    }

    // MARK: Connections

    @Test func `connections in all`() async throws {
        try await onLoop {
            var limits = WireLimits()
            limits.connections = 3
            let sim = try SimulatedHub(limits: limits)
            let kept = try (1...3).map { try sim.remote(id: "client-\($0)") }

            #expect { try sim.connect() } throws: { ($0 as? SimulatedHub.Refused)?.status == 503 }
            kept[0].drop()
            _ = try sim.remote(id: "client-4")
        }
    }

    @Test func `connections of one device from elsewhere; on this machine there is no such limit`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(lanPlain: .remote)
            @Loop func open(_ run: String, over channel: Peer.Channel) throws -> TestRemote {
                let remote = try sim.connect(over: channel, from: "10.0.0.7")
                remote.send(JSONWriter.bytes(Hello(view: "watch", client: .init(id: "ana-phone", run: run)).encode))
                return remote
            }
            let first = try (1...4).map { try open("run-\($0)", over: .network) }
            #expect(first.allSatisfy { $0.closed == nil })

            let fifth = try open("run-5", over: .network)
            #expect(fifth.closed?.code == 4429 && fifth.frames.isEmpty)

            // A reconnect replaces its own half-open socket, and is none too many.
            let again = try open("run-4", over: .network)
            #expect(again.closed == nil && first[3].closed?.code == 4409)
            let local = try (1...6).map { try open("run-\($0)", over: .loopback) }
            #expect(local.allSatisfy { $0.closed == nil })
        }
    }

    @Test func `silent connections from one address elsewhere`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(lanPlain: .remote)
            let silent = try (1...4).map { _ in try sim.connect(over: .network, from: "10.0.0.7") }

            #expect { try sim.connect(over: .network, from: "10.0.0.7") } throws: { ($0 as? SimulatedHub.Refused)?.status == 429 }
            _ = try sim.connect(over: .network, from: "10.0.0.8")
            for _ in 0..<9 { _ = try sim.connect(over: .loopback) }
            silent[0].send(JSONWriter.bytes(Hello(view: "watch", client: .init(id: "ana-phone")).encode))
            _ = try sim.connect(over: .network, from: "10.0.0.7")
        }
    }

    @Test func `hello has five seconds, give or take the hub's own tick`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.connect()

            sim.time.pass(.milliseconds(5000))
            #expect(remote.closed == nil)
            sim.time.pass(.milliseconds(1100))
            #expect(remote.closed?.code == 4408)
        }
    }

    @Test(arguments: StateView.allCases) func `silence is as long as the view sleeps`(view: StateView) async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote(view)

            #expect(
                remote.bounds.patience
                    == (view == .watch ? Patience(pingMs: 60_000, endMs: 150_000) : Patience(pingMs: 20_000, endMs: 45_000)))
        }
    }

    // MARK: Commands

    @Test func `commands at once, and a second after that`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            @Loop func press(_ count: Int) -> Int {
                (0..<count).count { _ in
                    let id = remote.send(Commands.VolumeSet(3))
                    return remote.reply(id).map { if case .failed = $0.reply.outcome { false } else { true } } ?? false
                }
            }

            #expect(press(39) == 39)
            #expect(press(1) == 1)
            let refused = remote.send(Commands.Pause())
            guard case .failed(let error) = remote.reply(refused)?.reply.outcome else { return #expect(Bool(false), "not refused") }
            #expect(error.code == "rate_limited" && error.afterMs == 51)
            sim.time.pass(.milliseconds(51))
            #expect(press(2) == 1)
            sim.time.pass(.seconds(1))
            #expect(press(30) == 20)
        }
    }

    @Test func `refusals: more than 200 within ten seconds end it, and only those that did not wait`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let hasty = try sim.remote(id: "hasty-1")
            // Forty are done, one is told to wait, and 200 did not.
            for _ in 0..<241 { hasty.send(Commands.Pause()) }
            #expect(hasty.closed == nil)
            hasty.send(Commands.Pause())
            #expect(hasty.closed?.code == 4429)

            let patient = try sim.remote(id: "patient-1")
            for _ in 0..<40 { patient.send(Commands.Pause()) }
            for _ in 0..<300 {
                patient.send(Commands.Pause())
                sim.time.pass(.milliseconds(51))
                patient.send(Commands.Pause())
            }
            #expect(patient.closed == nil)
        }
    }

    @Test(arguments: [#"{"t":"sync"}"#, #"{"t":"sub","id":9,"sections":["vol"]}"#])
    func `what makes the hub tell everything counts as a command`(message: String) async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote()
            remote.forgetFrames()

            for _ in 0..<241 { remote.sendText(message) }
            #expect(remote.closed == nil)
            #expect(remote.frames.count { $0.hasPrefix(#"{"t":"state""#) } == 40)
            #expect(remote.frames.last?.contains(#""code":"rate_limited""#) == true)
            remote.sendText(message)

            #expect(remote.closed?.code == 4429)
        }
    }

    @Test func `unanswered commands`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(sourceDelay: .seconds(1))
            let remote = try sim.remote()
            let ids = (1...17).map { remote.send(Commands.QueueAdd([ItemURI("/music/\($0)")]), key: "key-\($0)") }

            #expect(ids.dropLast().allSatisfy { remote.reply($0) == nil })
            guard case .failed(let error) = remote.reply(ids[16])?.reply.outcome else { return #expect(Bool(false), "not refused") }
            #expect(error.code == "busy")
        }
    }

    @Test(arguments: [(499, true), (500, true), (501, false)]) func `items named at once`(count: Int, isTaken: Bool) async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote()
            let uris = (0..<count).map { ItemURI("/m/\($0)") }

            let reply = await remote.awaitReply(remote.send(Commands.QueueAdd(uris), key: "key-1"))

            #expect(reply?.reply.isSuccess == isTaken)
            #expect((remote.mirror.queue?.length ?? 0) == (isTaken ? count : 0))
        }
    }

    @Test func `entries of a queue, however many commands they come by`() async throws {
        try await onLoop {
            var limits = WireLimits()
            limits.queueLength = 10
            let remote = try SimulatedHub(limits: limits).remote()
            @Loop func add(_ count: Int, _ key: String) async -> String? {
                let uri = ItemURI("/music/album:\(count)")
                guard
                    case .failed(let error) = await remote.awaitReply(remote.send(Commands.QueueAdd([uri]), key: key))?.reply.outcome
                else { return nil }
                return error.code
            }

            #expect(await add(9, "key-1") == nil)
            #expect(await add(2, "key-2") == "quota")
            #expect(await add(1, "key-3") == nil)
            #expect(await add(1, "key-4") == "quota")
            #expect(remote.mirror.queue?.length == 10)
            let whole = await remote.awaitReply(remote.send(Commands.Play(ItemURI("/music/album:11")), key: "key-5"))
            #expect(whole?.reply.isSuccess == false)
        }
    }

    // MARK: Reading

    @Test func `unread answers: up to the limit they wait, one byte more ends it`() async throws {
        try await onLoop {
            var limits = WireLimits()
            limits.controlLane = 16_384
            let sim = try SimulatedHub(limits: limits)
            let remote = try sim.remote()
            let session = try #require(sim.companion.subscribers.sessions.last)
            remote.isReading = false
            var before = 0
            while remote.closed == nil, session.queuedBytes <= 16_384 {
                before = session.queuedBytes
                remote.sendText(#"{"t":"time","t1":1}"#)
            }

            #expect(before <= 16_384 && before > 16_384 - 100)
            #expect(remote.closed?.code == 4430)
        }
    }

    @Test func `answers that piled up leave at once when they are read again, however fast more is asked`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            let (turns, known) = (remote.turns, remote.frames.count)
            remote.isReading = false
            for _ in 0..<100 { remote.sendText(#"{"t":"time","t1":1}"#) }
            remote.isReading = true

            #expect(remote.frames.count == known + 100)
            #expect(remote.turns <= turns + 2)
        }
    }

    @Test func `an unread answer has ten seconds, give or take the hub's own tick`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            sim.time.pass(.seconds(7))
            remote.isReading = false
            remote.sendText(#"{"t":"time","t1":1}"#)

            sim.time.pass(.milliseconds(10_000))
            #expect(remote.closed == nil)
            sim.time.pass(.milliseconds(5100))
            #expect(remote.closed?.code == 4430)
        }
    }

    // MARK: Over HTTP

    @Test func `commands over HTTP have the same measure and the same size`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            @Loop func post(_ body: String) async -> HTTPResponse {
                await sim.router.respond(
                    to: HTTPRequest(
                        method: .post, path: "/baton/cmd", headers: ["host": "127.0.0.1"], body: Array(body.utf8),
                        peer: Peer(channel: .loopback, address: "127.0.0.1")))
            }
            let padding = { (count: Int) in String(repeating: " ", count: count) }
            let pause = Commands.Pause().frameText()

            #expect(await post(pause + padding(16_384 - pause.utf8.count)).status == 200)
            #expect(await post(pause + padding(16_385 - pause.utf8.count)).status == 413)
            for _ in 0..<39 { #expect(await post(pause).status == 200) }
            let refused = await post(pause)
            #expect(refused.status == 429)
            #expect(String(decoding: refused.body, as: UTF8.self).contains(#""code":"rate_limited""#))
            sim.time.pass(.milliseconds(51))
            #expect(await post(pause).status == 200)
        }
    }
}
