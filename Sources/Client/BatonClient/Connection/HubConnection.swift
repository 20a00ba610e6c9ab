public import BatonCore
public import BatonProtocol
package import BatonWire

/// One greeted connection to a hub: a mirror that follows by itself, a clock that is known, and
/// commands that are answered.
///
/// Made by `withHub`, which owns the reading and ends it. States: greeting, live, ended; what was
/// asked and not answered when it ends fails with a sentence.
public actor HubConnection {
    public nonisolated let endpoint: Endpoint
    /// What the hub granted.
    public nonisolated let welcome: Welcome
    let channel: any Channel
    private let nowUs: @Sendable () -> Int64

    public private(set) var mirror = Mirror()
    package private(set) var clock = ClockFilter()
    /// The queue of the first room, while it is open.
    public internal(set) var queue: QueueMirror?
    /// Whether this connection has brought a state of its own; a kept copy may be old.
    private var isFresh = false
    /// A state was lost on the way, and a whole one was asked for.
    private var isLost = false

    var nextID = 1
    private var unanswered: [Int: CheckedContinuation<ReceivedReply, any Error>] = [:]
    /// Questions about the queue that this connection asks by itself.
    var pages: Set<Int> = []
    private var clockWaiters: [Int64: CheckedContinuation<Void, any Error>] = [:]
    private var watchers: [AsyncStream<Change>.Continuation] = []
    /// The artwork channel: see `HubConnection+Picture.swift`.
    var arriving = ArrivingPictures()
    /// What the hub has announced as the reason of the close frame that follows, which some libraries do not pass on.
    private var farewell: ConnectFault?
    /// Why there is no connection any more.
    public private(set) var fault: ConnectFault?

    /// What a watcher is told.
    public enum Change: Sendable {
        case state(Mirror)
        /// The queue that is open, as far as it is known by now.
        case queue(QueueMirror)
        case trouble(WireError)
    }

    private init(_ plan: Plan, _ channel: any Channel, _ welcome: Welcome, _ nowUs: @escaping @Sendable () -> Int64) {
        endpoint = plan.endpoint
        self.channel = channel
        self.welcome = welcome
        self.nowUs = nowUs
        // A copy of another store is worth nothing; what arrives then is whole.
        if let kept = plan.kept, plan.hello.resume?.epoch == welcome.epoch { mirror = kept }
    }

    // MARK: Life

    /// Connects, greets, lends the connection to `body`, and says goodbye.
    public static func withHub<Result: Sendable>(
        _ plan: Plan, over transport: any Transport, nowUs: @escaping @Sendable () -> Int64 = Uptime.us,
        _ body: @escaping @Sendable (HubConnection) async throws -> Result
    ) async throws -> Result {
        let late = "\(plan.endpoint) did not answer in time."
        let channel = try await limited(to: plan.greetingLimit, sentence: late) { try await transport.connect(to: plan.endpoint) }
        defer { channel.close(CloseCode.normal.rawValue) }
        let connection = try await limited(to: plan.greetingLimit, sentence: late) { try await greeted(plan, channel, nowUs) }
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
            group.addTask { try await body(connection) }
            // Closed before the group ends: the reader leaves when the connection has ended.
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
        _ plan: Plan, _ channel: any Channel, _ nowUs: @escaping @Sendable () -> Int64
    ) async throws -> HubConnection {
        let welcome = try await Greeting(plan: plan, channel: channel).run(t1: nowUs())
        let connection = HubConnection(plan, channel, welcome, nowUs)
        await connection.begin(plan, nowUs())
        return connection
    }

    private func begin(_ plan: Plan, _ receivedUs: Int64) {
        clock.add(welcome.clock, receivedUs: receivedUs)
        if let wanted = plan.queueWanted { channel.send(JSONWriter.bytes(opening(wanted).encode)) }
    }

    // MARK: Reading

    private func hear(_ text: [UInt8]) {
        // What cannot be read is from a newer hub or a broken one; neither is a reason to stop.
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
        case .welcome, .challenge, .pair, .operation, .unrecognised: break
        }
    }

    private func take(_ update: StateUpdate) {
        // After a lost state only a whole one is a ground to go on from.
        guard !isLost || update.header.full, let applied = try? mirror.apply(update) else { return }
        switch applied {
        case .applied:
            isLost = false
            isFresh = true
            tell(.state(mirror))
        case .gap:
            isLost = true
            channel.send(JSONWriter.bytes(ClientMessage.sync.encode))
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
        arriving.end(with: fault)
        for watcher in watchers { watcher.finish() }
        watchers = []
    }

    // MARK: Using

    /// The state and the open queue, as far as they are known yet, and every change from now on. A watcher that is slow sees the
    /// newest state and misses older ones.
    public func changes() -> AsyncStream<Change> {
        let (stream, continuation) = AsyncStream.makeStream(of: Change.self, bufferingPolicy: .bufferingNewest(64))
        if isFresh { continuation.yield(.state(mirror)) }
        if let queue, queue.revision != nil { continuation.yield(.queue(queue)) }
        if fault != nil { continuation.finish() } else { watchers.append(continuation) }
        return stream
    }

    /// The state, once this connection has brought one.
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

    /// The same for a command that may have been sent before.
    package func send(_ press: Press) async throws -> ReceivedReply {
        let us = nowUs()
        let frame = press.frame(id: nextID, atUs: us, hubUs: clock.hubUs(atUs: us))
        nextID += 1
        let received = try await answer(to: frame.id, JSONWriter.bytes(frame.encode))
        if case .failed(let error) = received.reply.outcome { throw error }
        return received
    }

    /// Follows another room from now on: the mirror shows it when this returns.
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

    /// Asks, and waits for `hear` to resume what was asked. Giving up ends the connection, because an
    /// answer that came later would have no receiver.
    func exchange<Answer: Sendable>(_ ask: (CheckedContinuation<Answer, any Error>) -> Void) async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting in
                // The connection may have ended before this closure runs. `hear` would resume nothing from then on.
                if let fault { waiting.resume(throwing: fault) } else { ask(waiting) }
            }
        } onCancel: {
            // Not 1000, which would say that the client is wanted no more: one that stays connects again.
            channel.close(CloseCode.goingAway.rawValue)
        }
    }

    /// How many commands wait for their answer.
    package var waitingCommands: Int { unanswered.count }

    /// One exchange of clocks; how long it took to the hub and back, in microseconds.
    package func exchangeClocks() async throws -> Int64 {
        let t1 = nowUs()
        try await exchange { (continuation: CheckedContinuation<Void, any Error>) in
            clockWaiters[t1] = continuation
            channel.send(JSONWriter.bytes(ClientMessage.time(t1: t1).encode))
        }
        return nowUs() - t1
    }

    /// Sends text as it is; for people who try the protocol by hand.
    package func sendRaw(_ text: String) { channel.send(Array(text.utf8)) }

    /// Where the room is now, in what it plays.
    public func positionMs() -> Int {
        let us = nowUs()
        return mirror.positionMs(atHubUs: clock.hubUs(atUs: us) ?? us)
    }

    /// What is left of the sleep timer now; `nil` where that is not known, or where there is none.
    public func sleepLeftMs() -> Int? {
        let us = nowUs()
        return mirror.sleep?.leftMs(atMs: (clock.hubUs(atUs: us) ?? us) / 1000)
    }

    /// How long ago the sound of a station was received that is heard now; `nil` while it is heard as it comes.
    public func behindMs() -> Int? {
        let us = nowUs()
        return mirror.behindMs(atHubUs: clock.hubUs(atUs: us) ?? us)
    }
}
