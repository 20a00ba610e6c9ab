public import BatonCore
import BatonPairing
public import BatonProtocol
public import BatonWire

/// One greeted connection to a hub: a mirror that follows by itself, a clock that is known, and
/// commands that are answered.
///
/// Made by `withHub`, which owns the reading and ends it. States: greeting, live, ended; what was
/// asked and not answered when it ends fails with a sentence.
public actor HubConnection {
    public nonisolated let endpoint: Endpoint
    /// What the hub granted.
    public nonisolated let welcome: Welcome
    private let channel: any Channel
    private let nowUs: @Sendable () -> Int64

    public private(set) var mirror = Mirror()
    package private(set) var clock = ClockFilter()
    /// The queue of the first room, while it is open.
    public private(set) var queue: QueueMirror?
    /// Whether this connection has brought a state of its own; a kept copy may be old.
    private var isFresh = false

    private var nextID = 1
    private var unanswered: [Int: CheckedContinuation<ReceivedReply, any Error>] = [:]
    /// Questions about the queue that this connection asks by itself.
    private var pages: Set<Int> = []
    private var clockWaiters: [Int64: CheckedContinuation<Void, any Error>] = [:]
    private var watchers: [AsyncStream<Change>.Continuation] = []
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

    /// Who connects, and what for.
    public struct Plan: Sendable {
        public var endpoint: Endpoint
        public var hello: Hello
        /// What an earlier connection left, to go on from; counts only beside `hello.resume`.
        public var kept: Mirror?
        /// How far down the queue is open from the start; `nil` leaves it closed.
        public var queueWanted: Int?
        public var greetingLimit: Duration = .seconds(5)
        /// Shows a hub elsewhere who this is.
        public var credential: Credential?

        public init(endpoint: Endpoint, hello: Hello, kept: Mirror? = nil) {
            self.endpoint = endpoint
            self.hello = hello
            self.kept = kept
        }
    }

    /// Connects, greets, lends the connection to `body`, and says goodbye.
    public static func withHub<Result: Sendable>(
        _ plan: Plan, over transport: any Transport, nowUs: @escaping @Sendable () -> Int64 = Uptime.us,
        _ body: @escaping @Sendable (HubConnection) async throws -> Result
    ) async throws -> Result {
        let late = "\(plan.endpoint) did not answer in time."
        let channel = try await limited(to: plan.greetingLimit, sentence: late) { try await transport.connect(to: plan.endpoint) }
        defer { channel.close(CloseCode.normal.rawValue) }
        let connection = try await limited(to: plan.greetingLimit, sentence: late) { try await greet(plan, channel, nowUs) }
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                for await text in channel.messages { await connection.hear(text) }
                await connection.end()
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

    private static func greet(_ plan: Plan, _ channel: any Channel, _ nowUs: @escaping @Sendable () -> Int64) async throws -> HubConnection
    {
        var hello = plan.hello
        hello.t1 = nowUs()
        if channel.security?.exporter != nil { hello.caps.append("cb.exp") }
        let said = JSONWriter.bytes(hello.encode)
        channel.send(said)
        var proof: (of: DeviceProof, with: Credential)?
        for await text in channel.messages {
            switch try HubMessage.decode(text) {
            case .challenge(let challenge):
                proof = try answer(challenge, text, plan, said, channel)
            case .welcome(let welcome):
                try check(welcome, proof, plan)
                let connection = HubConnection(plan, channel, welcome, nowUs)
                await connection.begin(plan, nowUs())
                return connection
            case .error(let error): throw error
            default: throw ConnectFault(.strange, "\(plan.endpoint) did not greet as a hub does.")
            }
        }
        throw await ended(channel)
    }

    /// Shows who this is.
    private static func answer(
        _ challenge: Challenge, _ text: [UInt8], _ plan: Plan, _ said: [UInt8], _ channel: any Channel
    ) throws(ConnectFault) -> (of: DeviceProof, with: Credential) {
        guard let security = channel.security else {
            throw ConnectFault(.strange, "\(plan.endpoint) asks who this is on a connection that is not encrypted.")
        }
        guard let credential = plan.credential else {
            throw ConnectFault(.notPaired, "This machine is not paired with “\(challenge.name)”. Pair it: baton pair \(plan.endpoint)")
        }
        let nonce = credential.cryptography.random(DeviceProof.nonceBytes)
        let proof = DeviceProof(
            binding: try ChannelBinding(challenge.binding, security), hello: said, challenge: text, nonce: nonce, credential.cryptography)
        let mac = proof.mac(of: .client, key: credential.key)
        channel.send(JSONWriter.bytes(Authentication(device: credential.device, nonce: nonce, mac: mac).encode))
        return (proof, credential)
    }

    /// Over TLS a hub has to show who it is, too, before anything it says counts.
    private static func check(_ welcome: Welcome, _ proof: (of: DeviceProof, with: Credential)?, _ plan: Plan) throws(ConnectFault) {
        guard plan.endpoint.isSecure else { return }
        guard let proof, let mac = welcome.mac.flatMap(Base64URL.bytes), proof.of.isProof(mac, of: .hub, key: proof.with.key) else {
            throw ConnectFault(.otherKey, "\(plan.endpoint) could not show that it is the hub this machine was paired with.")
        }
    }

    /// Messages are over; closing, too, because giving up reading is no end to the other side.
    private static func ended(_ channel: any Channel) async -> ConnectFault {
        channel.close(CloseCode.normal.rawValue)
        let ending = await channel.ending()
        return ConnectFault(.ended(code: ending.code), ending.sentence.isEmpty ? "The hub ended the connection." : ending.sentence)
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
        case .welcome, .challenge, .pair, .operation, .bye, .unrecognised: break
        }
    }

    private func take(_ update: StateUpdate) {
        guard let applied = try? mirror.apply(update) else { return }
        switch applied {
        case .applied:
            isFresh = true
            tell(.state(mirror))
        case .gap: channel.send(JSONWriter.bytes(ClientMessage.sync.encode))
        }
    }

    private func take(_ ops: QueueOps) {
        guard ops.room == mirror.room else { return }
        queue?.apply(ops)
        queueChanged()
    }

    private func takePage(_ reply: ReceivedReply) {
        guard case .applied = reply.reply.outcome, let page = reply.data.flatMap({ try? QueuePage(from: $0) }) else { return }
        queue?.take(page)
        queueChanged()
    }

    private func queueChanged() {
        askForQueue()
        if let queue, queue.revision != nil { tell(.queue(queue)) }
    }

    /// One question at a time: each answer may change what is still to be asked.
    private func askForQueue() {
        // A question about the queue has no parameter that could be refused here.
        guard pages.isEmpty, let question = queue?.need.question,
            let frame = try? CommandFrame(id: nextID, question, room: mirror.room)
        else { return }
        pages.insert(nextID)
        nextID += 1
        channel.send(JSONWriter.bytes(frame.encode))
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

    /// Sends a command and waits for its one reply. A reply that says no is thrown as `WireError`.
    @discardableResult
    public func command(
        _ method: String, _ params: JSONObject = JSONObject(), key: String? = nil, room: RoomID? = nil
    ) async throws -> ReceivedReply {
        try await send(Press(method, params, key: key, room: room, atUs: nowUs()))
    }

    func deliver(_ command: some CommandRequest, key: String?, room: RoomID?) async throws -> ReceivedReply {
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

    /// Follows the queue of the first room from now on, as far down as is wanted; `queue` holds it.
    public func openQueue(wanted: Int = .max) async throws {
        let subscription = opening(wanted)
        let received = try await answer(to: subscription.id, JSONWriter.bytes(subscription.encode))
        if case .failed(let error) = received.reply.outcome { throw error }
    }

    private func opening(_ wanted: Int) -> Subscription {
        defer { nextID += 1 }
        queue = QueueMirror(wanted: wanted)
        pages.insert(nextID)
        return Subscription(id: nextID, queue: .set(.init(from: 0, count: min(wanted, 100))))
    }

    private func answer(to id: Int, _ text: [UInt8]) async throws -> ReceivedReply {
        try await exchange { continuation in
            unanswered[id] = continuation
            channel.send(text)
        }
    }

    /// Asks, and waits for `hear` to resume what was asked. Giving up ends the connection, because an
    /// answer that came later would have no receiver.
    private func exchange<Answer: Sendable>(_ ask: (CheckedContinuation<Answer, any Error>) -> Void) async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting in
                // The connection may have ended before this closure runs. `hear` would resume nothing from then on.
                if let fault { waiting.resume(throwing: fault) } else { ask(waiting) }
            }
        } onCancel: {
            channel.close(CloseCode.normal.rawValue)
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
}
