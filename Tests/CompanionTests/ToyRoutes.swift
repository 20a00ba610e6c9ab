import BatonCore
import BatonProtocol
import BatonSeams

/// A protocol over HTTP and WebSocket, as small as one can be: `GET /toy/now`, `POST /toy/next` and lines `next KEY` over the
/// subprotocol `toy.v1`. It registers in the same table as the companion protocol and knows the hub's ports only.
@Loop
final class ToyRoutes: Dialect {
    let ports: DialectPorts
    private(set) var sockets: [ToySocket] = []
    /// How often a route was called.
    private(set) var calls = 0

    init(_ ports: DialectPorts) { self.ports = ports }

    func register(in routes: inout Routes) {
        routes.add([.get], .exact("/toy/now"), for: .proved) { [self] _, grant in
            calls += 1
            return .sentence(200, "\(title) for the \(grant.role.rawValue)")
        }
        routes.add([.post], .exact("/toy/next"), for: .proved, needing: ["X-Toy-Key"], bodyBytes: 100) { [self] request, grant in
            calls += 1
            let sender = CommandContext.Sender.alone(meter: "toy \(grant.scope)")
            let reply = await ports.door.take(Commands.Next(), context(grant, sender, key: request.headers["x-toy-key"] ?? ""))
            return .sentence(200, Self.words(reply))
        }
        routes.addUpgrade(.exact("/toy"), subprotocol: "toy.v1", for: .proved) { [self] _, grant in
            calls += 1
            return .accept(ToySocket(self, grant))
        }
    }

    private var title: String {
        guard case .now(let now)? = ports.state.snapshot(of: SectionSet([.now]), in: ports.state.firstRoom).first else { return "Nothing" }
        return now.tags.title
    }

    func context(_ grant: Grant, _ sender: CommandContext.Sender, key: String) -> CommandContext {
        CommandContext(grant.identity(), sender, number: calls, key: .init(key, fingerprint: 1))
    }

    static func words(_ reply: Reply) -> String {
        if case .failed(let error) = reply.outcome { return "ERR \(error.code)" }
        return reply.why == .dup ? "OK again" : "OK"
    }

    // MARK: As the hub sees it

    func entered(_ socket: ToySocket) { sockets.append(socket) }
    func left(_ socket: ToySocket) { sockets.removeAll { $0 === socket } }
    var connections: Int { sockets.count }
    var connectionsByDevice: [DeviceID: Int] { [:] }
    var memoryFigures: [HubDiagnostics.Memory.Figure] { [] }
    func end(_ device: DeviceID, _ fault: ProtocolFault) {}
    func close() { for socket in sockets { socket.link?.close(1001, "") } }
}

/// One WebSocket of the toy protocol.
@Loop
final class ToySocket: LinkOwner {
    private(set) var link: (any Link)?
    private let dialect: ToyRoutes
    private let grant: Grant
    private var lane: CommandLane?

    init(_ dialect: ToyRoutes, _ grant: Grant) {
        self.dialect = dialect
        self.grant = grant
    }

    func linkOpened(_ link: any Link) {
        self.link = link
        lane = dialect.ports.door.openLane { [weak link] in link?.close(1008, "") }
        dialect.entered(self)
    }

    func linkReceived(text: [UInt8]) {
        let words = String(decoding: text, as: UTF8.self).split(separator: " ")
        guard let lane, words.count == 2, words[0] == "next" else { return }
        let context = dialect.context(grant, .lane(lane), key: String(words[1]))
        dialect.ports.door.take(Commands.Next(), context) { [weak self] reply in
            self?.link?.write(Frame(payload: ToyRoutes.words(reply).utf8))
        }
    }

    func linkReceived(binary: [UInt8]) {}
    func linkWritable() {}

    func linkClosed() {
        if let lane { dialect.ports.door.close(lane) }
        dialect.left(self)
    }
}
