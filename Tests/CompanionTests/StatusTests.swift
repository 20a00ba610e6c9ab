import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

/// What single requests are answered with. BT-HTTP-015 BT-HTTP-016
@Suite struct `A request over HTTP` {
    @Loop
    private static func ask(_ sim: SimulatedHub, _ method: HTTPRequest.Method, _ path: String, _ body: String = "") async -> HTTPResponse {
        await sim.router.respond(
            to: HTTPRequest(
                method: method, path: path, headers: ["host": "127.0.0.1"], body: Array(body.utf8),
                peer: Peer(channel: .loopback, address: "127.0.0.1")))
    }

    @Test func `has the status of its error code`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let cases: [(CommandKind?, String, Int, ErrorCode)] = [
                (.volumeSet, "", 400, .badRequest), (nil, "", 501, .unknownCommand), (.pause, #","p":{"later":1}"#, 501, .unsupported),
                (.pause, #","if":1"#, 501, .unsupported), (.pause, #","room":"attic""#, 404, .notFound),
                (.jump, #","p":{"entry":"qzzz9"}"#, 409, .gone), (.deviceList, "", 403, .forbidden),
                (.queueClear, #","k":"key-1","p":{"base":987654}"#, 409, .queueConflict), (.pause, #","ct":-1000000000"#, 409, .expired),
            ]
            for (kind, members, status, code) in cases {
                let command = #""m":"\#(kind?.rawValue ?? "make.tea")"\#(members)"#
                let answer = await Self.ask(sim, .post, "/baton/cmd", #"{"t":"cmd","id":1,\#(command)}"#)
                #expect(answer.status == status, "\(command)")
                #expect(String(decoding: answer.body, as: UTF8.self).contains(#""code":"\#(code.rawValue)""#), "\(command)")
            }
            #expect(await Self.ask(sim, .post, "/baton/cmd", #"{"t":"sync"}"#).status == 400)
        }
    }

    @Test(
        arguments: [
            (HTTPRequest.Method.delete, "/baton/state", 405, "GET"), (.post, "/baton/state", 405, "GET"), (.get, "/baton/cmd", 405, "POST"),
            (.post, "/healthz", 405, "GET, HEAD"), (.get, "/baton", 426, nil), (.get, "/baton/state/more", 404, nil),
            (.get, "/nothing/here", 404, nil),
        ] as [(HTTPRequest.Method, String, Int, String?)])
    func `that is no command has a status, too`(method: HTTPRequest.Method, path: String, status: Int, allowed: String?) async throws {
        try await onLoop {
            let answer = try await Self.ask(SimulatedHub(), method, path)

            #expect(answer.status == status)
            #expect(answer.headers.first { $0.0 == "allow" }?.1 == allowed)
        }
    }
}

/// The clock of the view `watch`, which has 31 bits. BT-SEC-027
@Suite struct `A watch counts in 31 bits` {
    private static let startUs = Microseconds(2_147_483_648_000 + 5_000_000)

    @Test func `in lines, in stamps, and in the age of a press`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(time: VirtualTime(startUs: Self.startUs))
            let watch = try sim.remote(.watch, over: .loopback)
            let other = try sim.remote(.remote, id: "other-1", over: .loopback)
            #expect(watch.frames.contains { $0.contains(#""l":[0,"#) && !$0.contains("21474") })

            let pause = watch.send(Commands.VolumeSet(20), ct: 5000)
            let late = watch.send(Commands.VolumeSet(21), ct: -1500)
            let early = watch.send(Commands.VolumeSet(22), ct: 2_147_483_647)
            let plain = other.send(Commands.VolumeSet(23), ct: 5000)

            #expect(watch.frames.contains { $0.contains(#""id":\#(pause),"#) && $0.contains(#""rx":5000,"tx":5000"#) })
            #expect(watch.reply(pause)?.reply.isSuccess == true)
            #expect(watch.reply(late)?.reply.outcome.error?.known == .expired)
            #expect(watch.reply(early)?.reply.outcome.error?.known == .expired)
            #expect(other.reply(plain)?.reply.outcome.error?.known == .expired)
        }
    }
}
