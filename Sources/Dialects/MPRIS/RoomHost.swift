import BatonCore
import BatonProtocol
import BatonSeams

/// A room of this hub behind its player, and the programs that have pressed something there.
@Loop
final class RoomHost: PlayerHost {
    /// A program on the bus, for as long as it stays there.
    final class Program {
        let caller: BusCaller
        let identity: Identity
        var lane: CommandLane?
        var isFlooding = false
        var last: (name: String, atMs: Milliseconds)?

        init(_ caller: BusCaller, _ identity: Identity) {
            self.caller = caller
            self.identity = identity
        }
    }

    let room: RoomID
    private weak var dialect: MPRIS?
    private let ports: DialectPorts
    private(set) lazy var player = MPRISPlayer(PlayerView(room: room, name: room.text), host: self)
    private(set) var programs: [Program] = []
    /// The revisions of the sections that decide which rows there are, so that these are read only when one has changed.
    private var rowRevisions: [Int] = []

    init(_ room: RoomID, _ dialect: MPRIS) {
        self.room = room
        self.dialect = dialect
        ports = dialect.ports
    }

    var nowUs: Microseconds { ports.reactor.nowUs }

    // MARK: State

    /// The state that programs see now. The URL of the picture is added by the dialect.
    func view(from ports: DialectPorts) -> PlayerView {
        let state = ports.state
        var view = player.view
        let name = view.name
        view = PlayerView(room: room, name: name)
        view.abilities.opensFiles = true
        for value in state.snapshot(of: [.now, .timeline, .volume, .modes, .queue, .rooms, .playlists, .sources], in: room) {
            switch value {
            case .now(let now): view.now = now
            case .timeline(let timeline): view.timeline = timeline
            case .volume(let volume): view.volume = volume
            case .modes(let modes): view.modes = modes.modes
            case .queue(let queue): view.queue = queue
            case .rooms(let rooms): view.name = rooms.rooms.first { $0.id == room }?.name ?? name
            case .playlists(let playlists): view.playlists = playlists
            case .sources(let sources): view.sources = sources.sources.map(\.name)
            default: break
            }
        }
        view.sources += ItemURI.usualSources.subtracting(view.sources).sorted()
        view.tracks = rows(in: view.queue)
        return view
    }

    private func rows(in queue: QueueSection?) -> [QueueRow] {
        let revisions = [Section.now, .queue].map { ports.state.posted($0, of: room)?.revision ?? -1 }
        guard revisions != rowRevisions else { return player.view.tracks }
        rowRevisions = revisions
        let page = ports.queues.page(of: room, from: PlayerView.firstTrack(around: queue?.index), count: PlayerView.mostTracks)
        return page?.rows ?? []
    }

    // MARK: Presses

    func take(_ press: PlayerPress, named name: String, from caller: BusCaller, answer: @escaping @Loop (BusFault?) -> Void) {
        switch press {
        case .command(let command): send(command, named: name, from: caller) { answer(Self.fault(in: $0)) }
        case .add(let uri, let place, let plays):
            send(Commands.QueueAdd([uri], place: place), named: name, from: caller) { [weak self] reply in
                guard let self, plays, let entry = reply.queue?.ids?.first else { return answer(Self.fault(in: reply)) }
                send(Commands.Jump(entry), named: name, from: caller) { answer(Self.fault(in: $0)) }
            }
        case .nothing, .raise, .quit, .listPlaylists: answer(nil)
        }
    }

    func playlists(most: Int, from caller: BusCaller?, answer: @escaping @Loop (Result<[PlaylistRow], BusFault>) -> Void) {
        playlists(found: [], most: most, from: caller ?? BusCaller(name: "", uid: dialect?.parts.uid ?? 0), answer)
    }

    private func playlists(
        found: [PlaylistRow], most: Int, from caller: BusCaller, _ answer: @escaping @Loop (Result<[PlaylistRow], BusFault>) -> Void
    ) {
        let count = min(100, most - found.count)
        guard count > 0 else { return answer(.success(found)) }
        send(Commands.Playlists(from: found.count, limit: count), named: "GetPlaylists", from: caller) { [weak self] reply in
            if let fault = Self.fault(in: reply) { return answer(.failure(fault)) }
            let rows = (reply.data as? PlaylistList)?.rows ?? []
            guard let self, rows.count == count else { return answer(.success(found + rows)) }
            playlists(found: found + rows, most: most, from: caller, answer)
        }
    }

    /// Passes a command to the door. The player shows its effect before the program has its answer, so that a second press means what it
    /// has led to.
    private func send(
        _ command: any CommandRequest, named name: String, from caller: BusCaller, _ answer: @escaping @Loop (Reply) -> Void
    ) {
        guard let dialect else { return answer(Self.refusal("The hub is stopping.")) }
        guard let program = program(of: caller, in: dialect) else {
            return answer(Self.refusal("Only programs of the hub's own user may do this."))
        }
        if let fault = ports.attendance.refusal(of: program.identity, from: room) { return answer(Self.refusal(fault.sentence)) }
        guard !program.isFlooding else { return answer(Self.refusal("This program asks for too much.")) }
        program.last = (name, dialect.parts.wallMs())
        let press = dialect.nextPress()
        let context = CommandContext(
            program.identity, .lane(lane(of: program)), number: press.number, key: command.needsKey ? press.key : nil, room: room)
        ports.door.take(command, context) { [weak self, weak dialect] reply in
            if let self { dialect?.refresh(self) }
            answer(reply)
        }
    }

    private func program(of caller: BusCaller, in dialect: MPRIS) -> Program? {
        if let known = programs.first(where: { $0.caller == caller }) { return known }
        guard caller.uid == dialect.parts.uid || caller.uid == 0 else { return nil }
        let scope = "\(Grant.userScope)\(caller.uid)"
        let identity = Identity(
            dialect: dialect.name, client: "\(scope)/\(caller.name)", displayName: "Desktop", role: .remote,
            trust: Grant.trust(of: .remote), origin: scope)
        let program = Program(caller, identity)
        // The player's own questions have no name, and no connection that could end.
        if !caller.name.isEmpty { programs.append(program) }
        return program
    }

    private func lane(of program: Program) -> CommandLane {
        if let lane = program.lane { return lane }
        let lane = ports.door.openLane { [weak program] in program?.isFlooding = true }
        program.lane = lane
        return lane
    }

    private static func refusal(_ sentence: String) -> Reply { Reply(id: 0, .failed(WireError(ProtocolFault(.forbidden, sentence)))) }

    private static func fault(in reply: Reply) -> BusFault? {
        guard case .failed(let error) = reply.outcome else { return nil }
        switch error.known {
        case .forbidden: return .accessDenied(error.message)
        case .rateLimited: return .limitsExceeded(error.message)
        default: return .failed(error.message)
        }
    }

    // MARK: Programs

    func left(_ caller: BusCaller) {
        for program in programs where program.caller == caller { program.lane.map { ports.door.close($0) } }
        programs.removeAll { $0.caller == caller }
        ports.connectionEnded()
    }

    func connectionChanged(to state: BusState) { dialect?.connectionChanged(of: self) }

    func close() {
        player.close()
        for program in programs { program.lane.map { ports.door.close($0) } }
        programs = []
    }

    var facts: [DialectFacts.Connection] {
        programs.map { program in
            DialectFacts.Connection(
                address: program.caller.name, role: program.identity.role, room: room, lastCommand: program.last?.name,
                lastMs: program.last?.atMs)
        }
    }
}
