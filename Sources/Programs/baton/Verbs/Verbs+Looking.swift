import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Verbs that only show something.
extension Verb {
    @Sendable static func status(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try await satellite.withHub(call) { hub in
            let status = try await status(call, hub)
            if call.json { return Output.json(status.encode) }
            if let format = call.format { return Output.verbatim(status.filled(into: format)) }
            for line in status.lines { Output.verbatim(line) }
        }
    }

    /// The status, with the person's rating of the item, which the state does not include.
    static func status(_ call: Invocation, _ hub: ReconnectingHub) async throws -> StatusText {
        let mirror = try await hub.stateWithAllProblems()
        var mark: ItemMark?
        if let uri = mirror.now?.uri, try await hub.features().has(.libItem) {
            mark = try? await hub.send(Commands.Item(uri)).answer?.details.row.mark
        }
        return StatusText(
            mirror: mirror, positionMs: await hub.positionMs(), behindMs: await hub.behindMs(), ink: call.ink,
            width: Output.isTerminal ? Columns.available : Int.max, mark: mark)
    }

    @Sendable static func discover(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try satellite.memory.checkReadable()
        let found = await HubSearch(satellite.finder).run()
        if call.json {
            Output.json { writer in writer.array { list in for hub in found.hubs { hub.encode(into: &list) } } }
        } else {
            if let local = satellite.finder.localSocket { Output.line("This machine\t\(local.text)") }
            for hub in found.hubs { Output.line(hub.line) }
        }
        guard !found.hubs.isEmpty || !call.json && satellite.finder.localSocket != nil else {
            throw Stop(.noHub, found.advice ?? "No hub was found. \(HubFinder.byAddress)")
        }
        if let advice = found.advice { Output.trouble(advice) }
    }

    @Sendable static func ping(_ call: Invocation, _ satellite: Satellite) async throws {
        let text = call.operands.first ?? "5"
        guard let count = Int(text), (1...1000).contains(count) else { throw Stop(.usage, "“\(text)” is no count. Write 1 to 1000.") }
        try await satellite.withHub(call) { hub in
            let connection = try await hub.live()
            let trips = try await limited(to: call.timeout, sentence: "\(hub.endpoint) did not answer in time.") {
                var trips: [Microseconds] = []
                for _ in 0..<count { trips.append(try await connection.exchangeClocks()) }
                return trips
            }
            let now = Clock.nowUs()
            let filter = await connection.clock
            guard let best = filter.best(atUs: now) else { throw Stop(.connection, "The hub's clock could not be read.") }
            let middle = trips.sorted()[trips.count / 2]
            let error = filter.errorUs(of: best, atUs: now)
            if call.json {
                return Output.json { writer in
                    writer.object {
                        $0.member("count", count)
                        $0.member("roundTripUs", middle)
                        $0.member("bestRoundTripUs", best.roundTripUs)
                        $0.member("offsetUs", best.offsetUs)
                        $0.member("errorUs", error)
                    }
                }
            }
            Output.line(
                "\(hub.endpoint.text): \(count) exchanges, round trip \(TimeText.milliseconds(us: middle)) ms (best \(TimeText.milliseconds(us: best.roundTripUs)))"
            )
            Output.line("clock offset \(TimeText.milliseconds(us: best.offsetUs)) ms, known to \(TimeText.milliseconds(us: error)) ms")
        }
    }

    /// Sends a message as typed, and prints all messages up to its reply.
    @Sendable static func raw(_ call: Invocation, _ satellite: Satellite) async throws {
        let text = try call.operand(0, "a message")
        try await satellite.atHub(call) { endpoint in
            try await limited(to: call.timeout, sentence: "No answer came in time.") {
                let channel = try await satellite.transport.connect(to: endpoint)
                try await converse(text, over: channel, greeting: satellite.hello(call))
            }
        }
    }

    private static func converse(_ text: String, over channel: any Channel, greeting hello: Hello) async throws {
        defer { channel.close(CloseCode.normal.rawValue) }
        channel.send(JSONWriter.bytes(hello.encode))
        var isGreeted = false
        for await message in channel.messages {
            if isGreeted { Output.line(String(decoding: message, as: UTF8.self)) }
            switch try? HubMessage.decode(message) {
            case .state where !isGreeted:
                isGreeted = true
                channel.send(Array(text.utf8))
            case .reply, .error, .time: if isGreeted { return }
            default: break
            }
        }
        // Cancelling also ends the messages while the connection stays open; `ending` would wait for ever.
        channel.close(CloseCode.normal.rawValue)
        let ending = await channel.ending()
        throw Stop(.connection, ending.sentence.isEmpty ? "The hub ended the connection." : ending.sentence)
    }

    @Sendable static func web(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try await satellite.withHub(call) { hub in
            switch hub.endpoint {
            case .tcp: return tell(["http://\(hub.endpoint)/"], call)
            case .tls: return tell(["https://\(hub.endpoint)/"], call)
            case .unix: break
            }
            let info = try await hub.ask(Commands.Info())
            guard !info.pages.isEmpty else { throw Stop(.refused, "This hub serves no page: it listens on its socket only.") }
            // The browser that opens this link becomes an admin of the hub. The link works once, within two minutes.
            let ticket = try? await hub.ask(Commands.NewTicket()).text
            let pages = info.pages.map { page in page + (ticket.map { "#ticket=\($0)" } ?? "") }
            tell(pages, call)
        }
    }

    private static func tell(_ pages: [String], _ call: Invocation) {
        if call.json { return Output.json { $0.object { $0.member("pages", pages) } } }
        for page in pages { Output.line(page) }
    }
}
