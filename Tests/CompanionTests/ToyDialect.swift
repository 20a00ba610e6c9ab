import BatonCore
import BatonProtocol
import BatonSeams

/// A protocol of lines, as small as one can be: `next KEY`, `now`, `clear`. It knows the hub's ports and no hub, as every
/// dialect does.
@Loop
final class ToyDialect: LineDialect, Dialect {
    let ports: DialectPorts
    /// What its clients may do.
    var role = Role.remote
    private(set) var owners: [ToyConnection] = []

    init(_ ports: DialectPorts) { self.ports = ports }

    func admit(_ connection: any LineConnection) -> (any LineOwner)? {
        // A remote of the companion protocol has this name too.
        let identity = Identity(dialect: "toy", client: "local/owner-1", displayName: "A toy", role: role, trust: .itemsOnly)
        let owner = ToyConnection(self, connection, identity)
        owners.append(owner)
        return owner
    }

    func lastWords(_ end: LineEnd) -> [UInt8] { Array("BYE\n".utf8) }

    func left(_ owner: ToyConnection) { owners.removeAll { $0 === owner } }

    // MARK: As the hub sees it

    var connections: Int { owners.count }
    var connectionsByDevice: [DeviceID: Int] { [:] }
    var memoryFigures: [HubDiagnostics.Memory.Figure] { [.init("toys", owners.count)] }
    func end(_ device: DeviceID, _ fault: ProtocolFault) {}
    func close() { for owner in owners { owner.connection.close() } }
}

/// One client: its lines become commands on a lane of its own.
@Loop
final class ToyConnection: LineOwner {
    let connection: any LineConnection
    private let ports: DialectPorts
    private let identity: Identity
    private let lane: CommandLane
    private weak var dialect: ToyDialect?
    private var number = 0

    init(_ dialect: ToyDialect, _ connection: any LineConnection, _ identity: Identity) {
        self.dialect = dialect
        self.connection = connection
        self.identity = identity
        ports = dialect.ports
        lane = dialect.ports.door.openLane { [weak connection] in connection?.close() }
    }

    func received(line: [UInt8]) {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
        switch words.first {
        case "next" where words.count == 2: take(Commands.Next(from: current?.entry), key: words[1], line)
        case "clear": take(Commands.QueueClear(queue), key: "clear-\(number)", line)
        case "now": say(current.map { "NOW \($0.tags.title)" } ?? "NOW nothing")
        default: refuse(line)
        }
    }

    private var current: NowSection? {
        guard case .now(let now)? = ports.state.snapshot(of: SectionSet([.now]), in: ports.state.firstRoom).first else { return nil }
        return now
    }

    /// The revision of the queue that its client sees.
    private var queue: Int {
        guard case .queue(let queue)? = ports.state.snapshot(of: SectionSet([.queue]), in: ports.state.firstRoom).first else { return 0 }
        return queue.revision
    }

    private func context(key: String?, _ line: [UInt8]) -> CommandContext {
        number += 1
        let print = line.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) }
        return CommandContext(
            identity, .lane(lane), number: number, key: key.map { .init($0, fingerprint: print) })
    }

    private func take(_ command: any CommandRequest, key: String, _ line: [UInt8]) {
        ports.door.take(command, context(key: key, line)) { [weak self] reply in self?.tell(reply) }
    }

    private func refuse(_ line: [UInt8]) {
        ports.door.refuse(ProtocolFault(.unknownCommand, "There is no such line."), kind: nil, context: context(key: nil, line)) {
            [weak self] reply in
            self?.tell(reply)
        }
    }

    private func tell(_ reply: Reply) {
        switch reply.outcome {
        case .failed(let error): say("ERR \(error.code)")
        default: say(reply.why == .dup ? "OK again" : "OK")
        }
    }

    private func say(_ text: String) { connection.write(Array("\(text)\n".utf8)) }

    func lineWritable() {}

    func lineClosed() {
        ports.door.close(lane)
        dialect?.left(self)
    }
}
