import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import Configuration
import EventLoop
import Glibc
import Terminals
import WebClient

/// The program behind `baton`: reads the command line, finds the hub and runs a verb on it.
struct Satellite: Sendable {
    let finder: HubFinder
    let transport: SocketTransport
    let memory: Memory

    // MARK: Start

    private static let signals = [SIGINT, SIGTERM]

    static func main(_ arguments: [String]) -> Int32 {
        do {
            switch try CommandLineText(Array(arguments.dropFirst()), .current()) {
            case .help(let text):
                Output.verbatim(text)
                return Exit.done.rawValue
            case .nothing(let help):
                Output.complain(help)
                return Exit.usage.rawValue
            case .call(let call, let verb):
                let log = Log(threshold: .error) { Output.trouble("\($0.name): \($1)") }
                // A program with a full screen restores the terminal at any end, so it handles more signals.
                let blocked = signals + (verb.isFullScreen ? Terminal.signals : [])
                return try EventLoop.run(log: log, blocking: blocked, hasTLS: mayLeaveMachine(verb, call)) { loop in
                    await perform(verb, call, on: loop).rawValue
                }
            }
        } catch {
            let stop = stop(for: error)
            Output.trouble(stop.sentence)
            return stop.exit.rawValue
        }
    }

    /// Verbs that also look at other hubs.
    private static let looking: Set<String> = ["discover", "doctor", "pair"]
    /// Verbs that may wait for typing, and those with a screen or a file: they run off the loop, so that its sockets
    /// keep working.
    private static let slow: Set<String> = ["backup", "pair", "passwd", "signin", "signup", "source", "top", "user", "watch"]

    /// Whether the verb may leave this machine. The local hub is reached by its socket, without TLS; if that refuses
    /// connections, the hub may have moved.
    private static func mayLeaveMachine(_ verb: Verb, _ call: Invocation) -> Bool {
        guard call.hub == nil, !looking.contains(verb.name), case .unix(let path)? = HubFinder.localSocket(call.environment) else {
            return true
        }
        return !Client.takesConnection(path)
    }

    /// The executor of a verb. The loop itself avoids switching threads, which would take longer than most verbs.
    private static func place(of verb: Verb) -> (any TaskExecutor)? {
        verb.isFullScreen || verb.has("yes") || slow.contains(verb.name) ? nil : Loop.jobs
    }

    @Loop
    private static func perform(_ verb: Verb, _ call: Invocation, on loop: EventLoop) async -> Exit {
        let memory = Memory(call.environment)
        let satellite = Satellite(
            finder: HubFinder(loop: loop, memory: memory, around: call.environment),
            transport: SocketTransport(loop: loop, timeout: call.timeout), memory: memory)
        let interrupts = loop.signals(signals)
        return await withTaskGroup(of: Exit.self) { group in
            group.addTask(executorPreference: place(of: verb)) { await satellite.run(verb, call) }
            group.addTask {
                for await _ in interrupts { break }
                return .done
            }
            if waiting.contains(verb.name), isPipe(STDOUT_FILENO) {
                group.addTask {
                    await readerIsGone(on: loop)
                    return .done
                }
            }
            let first = await group.next() ?? .done
            group.cancelAll()
            return first
        }
    }

    /// Verbs that wait for events. All others complete even if no program reads their output.
    private static let waiting: Set<String> = ["idle", "log", "watch"]

    private static func isPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Returns when the reader of the output has exited. A verb that waits would notice only at its next output.
    @Loop
    private static func readerIsGone(on loop: EventLoop) async {
        let (stream, sink) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        // The system always reports a pipe without a reader, even for an empty mask.
        let watch = loop.watch(STDOUT_FILENO, mask: 0) { _ in sink.yield() }
        for await _ in stream { break }
        watch.cancel()
    }

    private func run(_ verb: Verb, _ call: Invocation) async -> Exit {
        do {
            try await verb.run(call, self)
            return .done
        } catch {
            // An error after cancellation is no fault.
            guard !Task.isCancelled else { return .done }
            let stop = Self.stop(for: error)
            Output.trouble(stop.sentence)
            return stop.exit
        }
    }

    /// Converts any error to a sentence and a documented exit code.
    static func stop(for error: any Error) -> Stop {
        switch error {
        case let stop as Stop: stop
        case let error as WireError: Stop(.refused, error.message)
        case let missing as MissingProfile: Stop(.refused, missing.inWords)
        case let error as SocketsError: Stop(.connection, error.sentence)
        case let fault as KeyStoreFault: Stop(.refused, fault.sentence)
        case let fault as ConnectFault: Stop(fault.code == .nobody ? .noHub : .connection, fault.sentence)
        case let fault as ProtocolFault: Stop(.connection, "The hub said something that makes no sense here: \(fault.sentence)")
        default: Stop(.connection, "\(error)")
        }
    }

    // MARK: Hubs

    /// Connects to the hub, reconnects if necessary, and runs `body`.
    func withHub(
        _ call: Invocation, settings: ReconnectingHub.Settings? = nil, caps: [String] = [],
        run body: @escaping @Sendable (ReconnectingHub) async throws -> Void
    ) async throws {
        // The longest `ttl` that the protocol allows.
        let settings = settings ?? .brief(ttlMs: min(600_000, Milliseconds(call.timeout)))
        try await atHub(call) { endpoint in
            var plan = try plan(endpoint, call)
            plan.hello.caps = caps
            try await ReconnectingHub.withHub(plan, over: transport, settings: settings, nowUs: Clock.nowUs) { [memory] hub in
                memory.remember(endpoint)
                if let room = call.room { try await Self.enter(room, on: hub, for: call) }
                try await body(hub)
            }
        }
    }

    func plan(_ endpoint: Endpoint, _ call: Invocation) throws -> HubConnection.Plan {
        var plan = HubConnection.Plan(endpoint: endpoint, hello: hello(call))
        plan.greetingLimit = call.timeout
        plan.credential = memory.knownHub(at: endpoint)?.credential
        plan.hello.user = try memory.userToken(at: endpoint)
        return plan
    }

    /// Follows the room from now on.
    private static func enter(_ room: String, on hub: ReconnectingHub, for call: Invocation) async throws {
        let mirror = try await hub.state(withWhole: .rooms)
        let source = call.options["room"] == nil ? "BATON_ROOM" : nil
        let id = try RoomNames(mirror).find(room, from: source)
        if id != mirror.room { try await hub.follow(id) }
    }

    /// Tries the addresses where the hub may be, in their order. The next one is tried only when no hub answers at a socket or
    /// an address, because its hub may have stopped or moved.
    func atHub(_ call: Invocation, _ use: (Endpoint) async throws -> Void) async throws {
        try memory.checkReadable()
        var silent: ConnectFault?
        for endpoint in try await finder.find(call.hub) {
            do {
                return try await use(endpoint)
            } catch let fault as ConnectFault where fault.isElsewhere && finder.maySearch(call.hub) {
                if fault.code == .timedOut { silent = silent ?? fault }
            }
        }
        do {
            try await use(try await finder.onNetwork(call.hub))
        } catch let stop as Stop where stop.exit == .noHub {
            // A hub was found but does not answer: it is busy or stuck.
            if let silent { throw silent }
            throw stop
        }
    }

    func hello(_ call: Invocation) -> Hello {
        Hello(
            view: StateView.full.rawValue,
            client: .init(
                id: memory.clientID, run: Keys.random(length: 6), name: call.ownName,
                app: "baton/\(BatonVersion.text)"),
            // No room is named, because the effect of a command must not depend on the room of an earlier one.
            rooms: [])
    }
}

extension ConnectFault {
    /// Whether the hub may have another address by now.
    fileprivate var isElsewhere: Bool { code == .nobody || code == .timedOut || code == .otherKey }
}
