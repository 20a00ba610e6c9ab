package import BatonCore
package import BatonProtocol

/// One greeted connection to a hub: a mirror that follows by itself, a clock that is kept, and
/// commands that are answered.
///
/// Made by `withHub`, which owns the reading and ends it. States: greeting, live, ended; what was
/// asked and not answered when it ends fails with a sentence.
package actor HubConnection {
    package nonisolated let endpoint: Endpoint
    private let channel: any Channel
    private let nowUs: @Sendable () -> Int64

    package private(set) var welcome: Welcome
    package private(set) var mirror = Mirror()
    package private(set) var clock = ClockFilter()
    private var unit: Int64

    private var nextID = 1
    private var unanswered: [Int: CheckedContinuation<ReceivedReply, any Error>] = [:]
    private var clockWaiters: [Int64: CheckedContinuation<Void, any Error>] = [:]
    private var watchers: [AsyncStream<Change>.Continuation] = []
    /// Why there is no connection any more.
    private var fault: ConnectFault?

    /// What a watcher is told.
    package enum Change: Sendable {
        case state(Mirror)
        case queue(QueueOps)
        case trouble(WireError)
    }

    private init(endpoint: Endpoint, channel: any Channel, welcome: Welcome, profile: Profile, nowUs: @escaping @Sendable () -> Int64) {
        self.endpoint = endpoint
        self.channel = channel
        self.welcome = welcome
        self.nowUs = nowUs
        unit = profile.stampUnitUs
    }

    // MARK: Life

    /// Who connects, and what for.
    package struct Plan: Sendable {
        package var endpoint: Endpoint
        package var hello: Hello
        /// What an earlier connection left, to go on from.
        package var kept: Mirror?
        package var greetingLimit: Duration = .seconds(5)

        package init(endpoint: Endpoint, hello: Hello, kept: Mirror? = nil) {
            self.endpoint = endpoint
            self.hello = hello
            self.kept = kept
        }
    }

    /// Connects, greets, lends the connection to `body`, and says goodbye.
    package static func withHub<Result: Sendable>(
        _ plan: Plan, over transport: any Transport, nowUs: @escaping @Sendable () -> Int64,
        _ body: @escaping @Sendable (HubConnection) async throws -> Result
    ) async throws -> Result {
        let channel = try await limited(to: plan.greetingLimit, sentence: "\(plan.endpoint.text) did not answer in time.") {
            try await transport.connect(to: plan.endpoint)
        }
        defer { channel.close(CloseCode.normal.rawValue) }
        var incoming = channel.messages.makeAsyncIterator()
        let connection = try await greet(plan, channel, &incoming, nowUs)
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            let reader = Reader(incoming)
            group.addTask {
                await reader.read(into: connection)
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
            throw await ended(channel)
        }
    }

    private static func greet(
        _ plan: Plan, _ channel: any Channel, _ incoming: inout AsyncStream<[UInt8]>.Iterator, _ nowUs: @escaping @Sendable () -> Int64
    ) async throws -> HubConnection {
        var hello = plan.hello
        hello.t1 = nowUs()
        channel.send(JSONWriter.bytes(hello.encode))
        while let text = await incoming.next() {
            switch try HubMessage.decode(text) {
            case .welcome(let welcome):
                let connection = HubConnection(
                    endpoint: plan.endpoint, channel: channel, welcome: welcome, profile: hello.profile, nowUs: nowUs)
                await connection.begin(with: plan.kept, nowUs())
                return connection
            case .error(let error): throw error
            default: throw ConnectFault(.strange, "\(plan.endpoint.text) did not greet as a hub does.")
            }
        }
        throw await ended(channel)
    }

    private static func ended(_ channel: any Channel) async -> ConnectFault {
        let ending = await channel.ending()
        return ConnectFault(.ended(code: ending.code), ending.sentence.isEmpty ? "The hub ended the connection." : ending.sentence)
    }

    private func begin(with kept: Mirror?, _ receivedUs: Int64) {
        if let kept { mirror = kept }
        clock.add(welcome.clock, receivedUs: receivedUs)
    }

    // MARK: Reading

    /// Carries the incoming messages into the task that reads them; nobody else touches the iterator then.
    private struct Reader: @unchecked Sendable {
        private let iterator: AsyncStream<[UInt8]>.Iterator
        init(_ iterator: AsyncStream<[UInt8]>.Iterator) { self.iterator = iterator }

        func read(into connection: HubConnection) async {
            var iterator = iterator
            while let text = await iterator.next() { await connection.hear(text) }
            await connection.end()
        }
    }

    private func hear(_ text: [UInt8]) {
        // What cannot be read is from a newer hub or a broken one; neither is a reason to stop.
        guard let message = try? HubMessage.decode(text) else { return }
        let receivedUs = nowUs()
        switch message {
        case .state(let update): take(update)
        case .reply(let reply):
            if let update = reply.state { take(update) }
            unanswered.removeValue(forKey: reply.reply.id)?.resume(returning: reply)
        case .time(let sample):
            clock.add(sample, receivedUs: receivedUs)
            if let t1 = sample.t1 { clockWaiters.removeValue(forKey: t1)?.resume() }
        case .queue(let ops): tell(.queue(ops))
        case .error(let error): tell(.trouble(error))
        case .welcome, .operation, .bye, .unrecognised: break
        }
    }

    private func take(_ update: StateUpdate) {
        guard let applied = try? mirror.apply(update) else { return }
        switch applied {
        case .applied: tell(.state(mirror))
        case .gap: channel.send(JSONWriter.bytes(ClientMessage.sync.encode))
        }
    }

    private func tell(_ change: Change) {
        for watcher in watchers { watcher.yield(change) }
    }

    private func end() async {
        let fault = await Self.ended(channel)
        self.fault = fault
        for waiting in unanswered.values { waiting.resume(throwing: fault) }
        for waiting in clockWaiters.values { waiting.resume(throwing: fault) }
        unanswered = [:]
        clockWaiters = [:]
        for watcher in watchers { watcher.finish() }
        watchers = []
    }

    // MARK: Using

    /// Every change from now on. A watcher that is slow sees the newest state and misses older ones.
    package func changes() -> AsyncStream<Change> {
        let (stream, continuation) = AsyncStream.makeStream(of: Change.self, bufferingPolicy: .bufferingNewest(64))
        if fault != nil { continuation.finish() } else { watchers.append(continuation) }
        return stream
    }

    /// The first state, once it is here.
    package func state() async -> Mirror {
        if mirror.revision > 0 { return mirror }
        for await change in changes() {
            if case .state(let mirror) = change { return mirror }
        }
        return mirror
    }

    /// Sends a command and waits for its one reply. A reply that says no is thrown as `WireError`.
    @discardableResult
    package func command(
        _ method: String, _ params: JSONObject = JSONObject(), key: String? = nil, room: RoomID? = nil
    ) async throws -> ReceivedReply {
        let frame = CommandFrame(id: nextID, method: method, key: key, room: room, params: params)
        nextID += 1
        let received = try await answer(to: frame.id, JSONWriter.bytes(frame.encode))
        if case .failed(let error) = received.reply.outcome { throw error }
        return received
    }

    private func answer(to id: Int, _ text: [UInt8]) async throws -> ReceivedReply {
        try await exchange { continuation in
            unanswered[id] = continuation
            channel.send(text)
        }
    }

    /// Asks, and waits for `hear` to resume what was asked. Giving up ends the connection: an answer
    /// that still came would find nobody.
    private func exchange<Answer: Sendable>(_ ask: (CheckedContinuation<Answer, any Error>) -> Void) async throws -> Answer {
        if let fault { throw fault }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation(ask)
        } onCancel: {
            channel.close(CloseCode.normal.rawValue)
        }
    }

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

    package func positionMs() -> Int {
        let us = nowUs()
        return mirror.positionMs(atHubUs: clock.hubUs(atUs: us) ?? us)
    }
}

/// Runs `body`, and gives up with a sentence when it takes longer than the limit.
package func limited<Result: Sendable>(
    to limit: Duration, sentence: String, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw ConnectFault(.timedOut, sentence)
        }
        defer { group.cancelAll() }
        return try await group.next()!  // Two children were added, so there is a first one to finish.
    }
}
