public import BatonCore
public import BatonProtocol
package import BatonWire

/// A connection to a hub after the greeting: a mirror of its state, an estimate of its clock, and commands with their
/// replies.
///
/// `withHub` creates it, reads from it and closes it. States: greeting, live, ended. Commands without a reply fail
/// when it ends.
public actor HubConnection {
    /// The address to which this connection was made.
    public nonisolated let endpoint: Endpoint
    /// The answer of the hub to the greeting.
    public nonisolated let welcome: Welcome
    /// The profiles that the hub has; only those among them that `hello` named, if it named any.
    public nonisolated let features: HubFeatures
    let channel: any Channel
    private let nowUs: @Sendable () -> Microseconds

    /// The state as of the last update; before the first, that of an earlier connection if it is of the same epoch.
    public private(set) var mirror = Mirror()
    /// The estimate of the hub's clock, which `welcome` starts and each exchange refines.
    package private(set) var clock = ClockFilter()
    /// The queue of the first room, while it is open.
    public internal(set) var queue: QueueMirror?
    /// Whether this connection has delivered a state; a state from an earlier connection may be old.
    private var isFresh = false
    /// An update was lost, and a full state was requested.
    private var isLost = false
    /// Number of lost updates, and of requests for the full state after the last one.
    private var losses = 0
    private var syncs = 0
    private let syncLimit: Duration
    /// Wakes the task that waits for the full state.
    private let lost = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Whether the full state never came, so that the next connection must not continue this state.
    private(set) var hasLostState = false

    var nextID = 1
    private var unanswered: [Int: CheckedContinuation<ReceivedReply, any Error>] = [:]
    /// Ids of the connection's own requests for queue rows.
    var pages: Set<Int> = []
    private var clockWaiters: [Int64: CheckedContinuation<Void, any Error>] = [:]
    private var watchers: [AsyncStream<Change>.Continuation] = []
    /// Incoming pictures; see `HubConnection+Picture.swift`.
    var arriving = ArrivingPictures()
    /// The reason that the hub announced before its close frame, because some WebSocket libraries do not report the
    /// frame's reason.
    private var farewell: ConnectFault?
    /// The reason why the connection ended.
    public private(set) var fault: ConnectFault?

    /// A change that watchers receive.
    public enum Change: Sendable {
        /// The whole state after an update, and the present one for a new watcher.
        case state(Mirror)
        /// The open queue, as far as it is loaded.
        case queue(QueueMirror)
        /// An error of the hub that belongs to no command; the connection continues.
        case trouble(WireError)
    }

    private init(_ plan: Plan, over channel: any Channel, welcome: Welcome, nowUs: @escaping @Sendable () -> Microseconds) {
        endpoint = plan.endpoint
        self.channel = channel
        self.welcome = welcome
        features = HubFeatures(welcome.features)
        self.nowUs = nowUs
        syncLimit = max(plan.syncLimit, .milliseconds(welcome.pace.minMs))
        // A state is reused only for the same epoch of the hub; otherwise the hub sends a full one.
        if let lastMirror = plan.lastMirror, plan.hello.resume?.epoch == welcome.epoch { mirror = lastMirror }
    }

    // MARK: Life

    /// Connects, greets, runs `body` with the connection, and closes it.
    public static func withHub<Result: Sendable>(
        _ plan: Plan, over transport: any Transport, nowUs: @escaping @Sendable () -> Microseconds = Uptime.us,
        _ body: @escaping @Sendable (HubConnection) async throws -> Result
    ) async throws -> Result {
        let late = "\(plan.endpoint) did not answer in time."
        let channel = try await limited(to: plan.greetingLimit, sentence: late) { try await transport.connect(to: plan.endpoint) }
        defer { channel.close(CloseCode.normal.rawValue) }
        let connection = try await limited(to: plan.greetingLimit, sentence: late) { try await greeted(plan, over: channel, nowUs: nowUs) }
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                for await text in channel.messages { await connection.hear(text) }
                await connection.end()
                return nil
            }
            group.addTask {
                for await frame in channel.pictures { await connection.take(pictureFrame: frame) }
                return nil
            }
            group.addTask {
                for await _ in connection.lost.stream { try await connection.waitForFullState() }
                return nil
            }
            group.addTask { try await body(connection) }
            // The channel closes before the group ends, because the reader stops only with the connection.
            defer {
                channel.close(CloseCode.normal.rawValue)
                group.cancelAll()
            }
            while let finished = try await group.next() {
                if let result = finished { return result }
            }
            throw await connection.closed()
        }
    }

    private static func greeted(
        _ plan: Plan, over channel: any Channel, nowUs: @escaping @Sendable () -> Microseconds
    ) async throws -> HubConnection {
        let welcome = try await Greeting(plan: plan, channel: channel).run(atUs: nowUs())
        let connection = HubConnection(plan, over: channel, welcome: welcome, nowUs: nowUs)
        await connection.begin(plan, nowUs())
        return connection
    }

    private func begin(_ plan: Plan, _ receivedUs: Microseconds) {
        clock.add(welcome.clock, receivedUs: receivedUs)
        if let wanted = plan.queueWanted { channel.send(JSONWriter.bytes(opening(wanted).encode)) }
    }

    // MARK: Reading

    private func hear(_ text: [UInt8]) {
        // An unreadable message comes from a newer or faulty hub; the connection continues.
        guard let message = try? HubMessage.decode(text) else { return }
        let receivedUs = nowUs()
        switch message {
        case .state(let update): take(update)
        case .reply(let reply):
            if let update = reply.state { take(update) }
            if pages.remove(reply.reply.id) != nil { takePage(reply) }
            unanswered.removeValue(forKey: reply.reply.id)?.resume(returning: reply)
        case .time(let sample):
            clock.add(sample, receivedUs: receivedUs)
            if let t1 = sample.t1 { clockWaiters.removeValue(forKey: t1)?.resume() }
        case .queue(let ops): take(ops)
        case .error(let error): tell(.trouble(error))
        case .bye(let code, let why):
            farewell = UInt16(exactly: code).map { ConnectFault(.ended(code: $0), why.isEmpty ? "The hub ended the connection." : why) }
        case .welcome, .challenge, .pair, .unrecognised: break
        }
    }

    private func take(_ update: StateUpdate) {
        // After a lost update only a full state can be applied.
        guard !isLost || update.header.full, let applied = try? mirror.apply(update) else { return }
        switch applied {
        case .applied:
            isLost = false
            isFresh = true
            tell(.state(mirror))
        case .gap:
            isLost = true
            losses += 1
            syncs = 0
            sync()
            lost.continuation.yield()
        }
    }

    private func sync() {
        syncs += 1
        channel.send(JSONWriter.bytes(ClientMessage.sync.encode))
    }

    /// Number of requests for a full state before the connection is given up.
    private static let mostSyncs = 3

    /// Asks for the full state again if it does not come, and then closes the connection, whose successor begins anew.
    private func waitForFullState() async throws {
        while isLost {
            let loss = losses
            try await Task.sleep(for: syncLimit)
            // Another update may have been lost since, which was asked for later.
            guard isLost, losses == loss else { continue }
            guard syncs < Self.mostSyncs else {
                hasLostState = true
                farewell = ConnectFault(.ended(code: nil), "\(endpoint) did not send its state again.")
                return channel.close(CloseCode.goingAway.rawValue)
            }
            sync()
        }
    }

    func tell(_ change: Change) {
        for watcher in watchers { watcher.yield(change) }
    }

    private func closed() async -> ConnectFault {
        let fault = await channel.closed()
        return farewell ?? fault
    }

    private func end() async {
        let fault = await closed()
        self.fault = fault
        for waiting in unanswered.values { waiting.resume(throwing: fault) }
        for waiting in clockWaiters.values { waiting.resume(throwing: fault) }
        unanswered = [:]
        clockWaiters = [:]
        lost.continuation.finish()
        arriving.end(with: fault)
        for watcher in watchers { watcher.finish() }
        watchers = []
    }

    // MARK: Use

    /// The current state and queue, and all later changes. A slow watcher misses older states and gets the newest one.
    public func changes() -> AsyncStream<Change> {
        let (stream, continuation) = AsyncStream.makeStream(of: Change.self, bufferingPolicy: .bufferingNewest(64))
        if isFresh { continuation.yield(.state(mirror)) }
        if let queue, queue.revision != nil { continuation.yield(.queue(queue)) }
        if fault != nil { continuation.finish() } else { watchers.append(continuation) }
        return stream
    }

    /// The state, as soon as this connection has delivered one.
    public func state() async throws -> Mirror {
        if isFresh { return mirror }
        for await change in changes() {
            if case .state(let mirror) = change { return mirror }
        }
        throw fault ?? CancellationError()
    }

    func deliver(_ command: some WireCommand, key: String?, room: RoomID?) async throws -> ReceivedReply {
        try await send(Press(command, key: key, room: room, atUs: nowUs()))
    }

    /// Sends a command that may have been sent before.
    package func send(_ press: Press) async throws -> ReceivedReply {
        let us = nowUs()
        let frame = press.frame(id: nextID, atUs: us, hubUs: clock.hubUs(atUs: us))
        nextID += 1
        let received = try await answer(to: frame.id, JSONWriter.bytes(frame.encode))
        if case .failed(let error) = received.reply.outcome { throw error }
        return received
    }

    /// Follows another room. The mirror shows that room when this returns.
    public func follow(_ room: RoomID) async throws {
        let subscription = Subscription(id: nextID, rooms: [room])
        nextID += 1
        let received = try await answer(to: subscription.id, JSONWriter.bytes(subscription.encode))
        if case .failed(let error) = received.reply.outcome { throw error }
    }

    func answer(to id: Int, _ text: [UInt8]) async throws -> ReceivedReply {
        try await exchange { continuation in
            unanswered[id] = continuation
            channel.send(text)
        }
    }

    /// Sends a request and waits until `hear` resumes it. Cancelling closes the connection, because a late answer
    /// would have no receiver.
    func exchange<Answer: Sendable>(_ ask: (CheckedContinuation<Answer, any Error>) -> Void) async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting in
                // The connection may have ended before this closure runs; then `hear` would never resume it.
                if let fault { waiting.resume(throwing: fault) } else { ask(waiting) }
            }
        } onCancel: {
            // Code 1000 would mean that the client leaves for good; this one may connect again.
            channel.close(CloseCode.goingAway.rawValue)
        }
    }

    /// Number of commands without a reply.
    package var waitingCommands: Int { unanswered.count }

    /// Exchanges clock times once; returns the round trip.
    package func exchangeClocks() async throws -> Microseconds {
        let t1 = nowUs()
        try await exchange { (continuation: CheckedContinuation<Void, any Error>) in
            clockWaiters[t1.count] = continuation
            channel.send(JSONWriter.bytes(ClientMessage.time(t1: t1.count).encode))
        }
        return nowUs() - t1
    }

    /// The room's current position in the item that plays.
    public func positionMs() -> Milliseconds {
        let us = nowUs()
        return mirror.positionMs(atHubUs: clock.hubUs(atUs: us) ?? us)
    }

    /// The remaining time of the sleep timer; `nil` if there is none or the time is unknown.
    public func sleepLeftMs() -> Milliseconds? {
        let us = nowUs()
        return mirror.sleep?.leftMs(atMs: Milliseconds(clock.hubUs(atUs: us) ?? us))
    }

    /// The delay between receiving and playing a station's sound; `nil` while it plays live.
    public func behindMs() -> Milliseconds? {
        let us = nowUs()
        return mirror.behindMs(atHubUs: clock.hubUs(atUs: us) ?? us)
    }
}
