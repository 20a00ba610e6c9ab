import BatonClient
import BatonCore
import BatonProtocol

/// Verbs that look and change nothing.
extension Verb {
    @Sendable static func status(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try await satellite.withHub(call) { hub in
            let status = StatusText(mirror: await hub.state(), positionMs: await hub.positionMs())
            if call.json { return Output.json(status.encode) }
            if let format = call.format { return Output.line(try status.filled(into: format)) }
            for line in status.lines { Output.line(line) }
        }
    }

    /// Follows the hub until interrupted, across restarts of the hub and holes in the network.
    @Sendable static func watch(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        var backoff = Backoff(isVisible: true)
        var random = SystemRandomNumberGenerator()
        let screen = Screen(call)
        var wasConnected = false
        // Once found it is this hub that is watched, also while it is away and another one is not.
        let place = Place()
        while !Task.isCancelled {
            let startedUs = Clock.nowUs()
            var call = call
            if call.hub == nil { call.hub = await place.endpoint?.text }
            do {
                try await satellite.withHub(call) { hub in
                    await place.settle(hub.endpoint)
                    try await follow(hub, screen)
                }
            } catch let fault as ConnectFault where wasConnected || fault.code != .nobody {
                if case .ended(let code?) = fault.code, CloseCode(rawValue: code)?.advice.mayRetry == false { throw fault }
                await screen.tell("Connection lost: \(fault.sentence) Trying again.")
            } catch let stop as Stop where wasConnected && stop.exit == .noHub {
                await screen.tell("\(stop.sentence) Trying again.")
            }
            wasConnected = true
            if Clock.nowUs() - startedUs > Int64(Backoff.stableMs) * 1000 { backoff.reset() }
            try await Task.sleep(for: backoff.next(random: &random))
        }
    }

    private actor Place {
        private(set) var endpoint: Endpoint?
        func settle(_ endpoint: Endpoint) { self.endpoint = endpoint }
    }

    private static func follow(_ hub: HubConnection, _ screen: Screen) async throws {
        let changes = await hub.changes()
        await screen.show(await hub.state(), await hub.positionMs())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await change in changes {
                    switch change {
                    case .state(let mirror): await screen.show(mirror, await hub.positionMs())
                    case .trouble(let error): await screen.tell(error.message)
                    case .queue: break
                    }
                }
                throw ConnectFault(.ended(code: nil), "The hub ended the connection.")
            }
            group.addTask { try await keepDrawing(hub, screen) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// A terminal shows the seconds pass; they are drawn here and cost the hub nothing.
    private static func keepDrawing(_ hub: HubConnection, _ screen: Screen) async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            await screen.redraw(await hub.mirror, await hub.positionMs())
        }
    }

    @Sendable static func discover(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        let hubs: [HubLine]
        do {
            hubs = try await satellite.finder.discover().map { record in
                HubLine(name: record.name, id: record.id ?? "", address: (try? satellite.finder.endpoint(of: record))?.text ?? "")
            }
        } catch {
            throw Stop(.noHub, "The network cannot be searched: \(error) A hub can still be named: --hub HOST:PORT.")
        }
        if call.json { return Output.json { writer in writer.array { list in for hub in hubs { hub.encode(into: &list) } } } }
        if let local = satellite.finder.localSocket { Output.line("This machine\t\(local.text)") }
        for hub in hubs { Output.line("\(hub.name)\t\(hub.address)") }
        if hubs.isEmpty, satellite.finder.localSocket == nil { throw Stop(.noHub, "No hub was found.") }
    }

    private struct HubLine: Sendable {
        let name: String
        let id: String
        let address: String

        func encode(into writer: inout JSONWriter) {
            writer.object { hub in
                hub.member("name", name)
                hub.member("id", id)
                hub.member("address", address)
            }
        }
    }

    @Sendable static func ping(_ call: Invocation, _ satellite: Satellite) async throws {
        let text = call.operands.first ?? "5"
        guard let count = Int(text), (1...1000).contains(count) else { throw Stop(.usage, "“\(text)” is no count. Write 1 to 1000.") }
        try await satellite.withHub(call) { hub in
            var trips: [Int64] = []
            for _ in 0..<count { trips.append(try await hub.exchangeClocks()) }
            let now = Clock.nowUs()
            let filter = await hub.clock
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
                "\(hub.endpoint.text): \(count) exchanges, round trip \(milliseconds(middle)) ms (best \(milliseconds(best.roundTripUs)))")
            Output.line("clock offset \(milliseconds(best.offsetUs)) ms, known to \(milliseconds(error)) ms")
        }
    }

    private static func milliseconds(_ us: Int64) -> String {
        let sign = us < 0 ? "-" : ""
        let part = String(us.magnitude % 1000)
        return "\(sign)\(us.magnitude / 1000).\(String(repeating: "0", count: 3 - part.count))\(part)"
    }

    /// Sends one message as it was typed and prints all that comes until its answer.
    @Sendable static func raw(_ call: Invocation, _ satellite: Satellite) async throws {
        let text = try call.operand(0, "a message")
        let hub = try await satellite.finder.find(call.hub).first
        let endpoint: Endpoint
        if let hub { endpoint = hub } else { endpoint = try await satellite.finder.only() }
        try await limited(to: call.timeout, sentence: "No answer came in time.") {
            let channel = try await satellite.transport.connect(to: endpoint)
            defer { channel.close(CloseCode.normal.rawValue) }
            channel.send(JSONWriter.bytes(satellite.hello(.full, call).encode))
            var isGreeted = false
            for await message in channel.messages {
                let line = String(decoding: message, as: UTF8.self)
                if isGreeted { Output.line(line) }
                switch try? HubMessage.decode(message) {
                case .state where !isGreeted:
                    isGreeted = true
                    channel.send(Array(text.utf8))
                case .reply, .error, .time: if isGreeted { return }
                default: break
                }
            }
            let ending = await channel.ending()
            throw Stop(.connection, ending.sentence.isEmpty ? "The hub ended the connection." : ending.sentence)
        }
    }

    @Sendable static func web(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try await satellite.withHub(call) { hub in
            if case .tcp(let host, let port) = hub.endpoint {
                return Output.line("http://\(host.contains(":") ? "[\(host)]" : host):\(port)/")
            }
            let received = try await hub.command("hub.info")
            let info = try HubInfo(from: received.data ?? .null)
            guard !info.pages.isEmpty else { throw Stop(.refused, "This hub serves no page: it listens on its socket only.") }
            for page in info.pages { Output.line(page) }
        }
    }
}

extension CloseCode.Advice {
    var mayRetry: Bool { if case .retry = self { true } else { false } }
}

/// Where `watch` draws. On a terminal the picture is replaced; in a pipe each change is one line.
private actor Screen {
    private let json: Bool
    private let format: String?
    private var drawn = 0

    init(_ call: Invocation) {
        json = call.json
        format = call.format
    }

    func show(_ mirror: Mirror, _ positionMs: Int) {
        let status = StatusText(mirror: mirror, positionMs: positionMs)
        if json { return Output.json(status.encode) }
        if let format { return Output.line((try? status.filled(into: format)) ?? format) }
        guard Output.isTerminal else { return Output.line(status.oneLine) }
        draw(status.lines)
    }

    func redraw(_ mirror: Mirror, _ positionMs: Int) {
        guard !json, format == nil, Output.isTerminal, mirror.timeline?.rate ?? 0 > 0 else { return }
        draw(StatusText(mirror: mirror, positionMs: positionMs).lines)
    }

    func tell(_ sentence: String) {
        drawn = 0
        Output.trouble(sentence)
    }

    private func draw(_ lines: [String]) {
        let up = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
        Output.line(up + lines.map { "\r\u{1B}[2K\($0)" }.joined(separator: "\n") + "\u{1B}[0J")
        drawn = lines.count
    }
}
