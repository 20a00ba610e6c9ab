public import BatonCore
package import BatonProtocol
import BatonWire

/// A hub across several connections: the mirror continues after a reconnect, and a command whose reply was lost is
/// sent again with the same key.
///
/// States: connected, away, given up. `withHub` creates it. The first connection must succeed; later ones are retried
/// with backoff for as long as `patience` allows.
public actor ReconnectingHub {
    /// The address of the hub, the same for every connection.
    public nonisolated let endpoint: Endpoint
    private let transport: any Transport
    let nowUs: @Sendable () -> Microseconds
    private let settings: Settings
    private var plan: HubConnection.Plan

    /// The current connection; `nil` while away.
    private var connection: HubConnection?
    /// The reason why reconnecting has stopped.
    private var fault: (any Error)?
    private var waiting: [AsyncStream<HubConnection>.Continuation] = []
    private var watchers: [AsyncStream<Change>.Continuation] = []
    var quickNext = QuickNext()
    /// The newest press of each wish, by its number.
    private var newest: [Press.Wish: Int] = [:]
    private var pressCount = 0
    /// Presses of *next* and *previous* that were never sent, by their numbers.
    private var unsent: Set<Int> = []
    /// The open queue. While the hub is away, and until the next connection has loaded its own, this is the last
    /// known one.
    public private(set) var queue: QueueMirror?

    /// A change that watchers receive.
    public enum Change: Sendable {
        /// A change on the current connection.
        case hub(HubConnection.Change)
        /// The connection was lost; reported once until the next connection.
        case away(ConnectFault)
    }

    private init(
        _ plan: HubConnection.Plan, over transport: any Transport, settings: Settings, nowUs: @escaping @Sendable () -> Microseconds
    ) {
        endpoint = plan.endpoint
        self.plan = plan
        self.transport = transport
        self.settings = settings
        self.nowUs = nowUs
    }

    // MARK: Life

    /// Connects, runs `body` with the hub, and then closes it. Fails at once if no hub answers.
    public static func withHub<Result: Sendable>(
        _ plan: HubConnection.Plan, over transport: any Transport, settings: Settings = .lasting,
        nowUs: @escaping @Sendable () -> Microseconds = Uptime.us,
        run body: @escaping @Sendable (ReconnectingHub) async throws -> Result
    ) async throws -> Result {
        let hub = ReconnectingHub(plan, over: transport, settings: settings, nowUs: nowUs)
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                await hub.stayConnected()
                return nil
            }
            group.addTask {
                _ = try await hub.live()
                return try await body(hub)
            }
            defer { group.cancelAll() }
            while let finished = try await group.next() {
                if let result = finished { return result }
            }
            throw await hub.fault ?? CancellationError()
        }
    }

    /// Reconnects until cancelled or given up.
    private func stayConnected() async {
        var backoff = Backoff(isVisible: settings.isVisible)
        var random = SystemRandomNumberGenerator()
        var loss: (fault: ConnectFault, atUs: Microseconds)?
        while !Task.isCancelled {
            let startedUs = nowUs()
            let error = await stayOnce()
            if let lost = await leave(error) {
                loss = (lost, nowUs())
                if nowUs() - startedUs > Microseconds(Backoff.stableMs) { backoff.reset() }
            }
            // There is no retry before the first connection.
            guard let loss else { return giveUp(error) }
            guard let afterMs = Settings.retryMs(after: error) else { return giveUp(error) }
            // The first loss is reported, because the latest error may only say that no hub answers.
            guard isPatient(loss.atUs) else { return giveUp(loss.fault) }
            do { try await Task.sleep(for: backoff.next(atLeastMs: afterMs, random: &random)) } catch { break }
        }
        giveUp(CancellationError())
    }

    /// Stores the connection's state for the next one; `nil` if there was no connection.
    private func leave(_ error: any Error) async -> ConnectFault? {
        guard let lost = connection else { return nil }
        connection = nil
        let mirror = await lost.mirror
        plan.lastMirror = mirror
        plan.hello.resume = await lost.hasLostState ? nil : mirror.resume(epoch: lost.welcome.epoch)
        let fault = error as? ConnectFault ?? ConnectFault(.ended(code: nil), "The connection was given up.")
        tell(.away(fault))
        return fault
    }

    private func isPatient(_ awaySinceUs: Microseconds) -> Bool {
        settings.patience.map { Duration.microseconds(nowUs() - awaySinceUs) < $0 } ?? true
    }

    /// Runs one connection until it ends; returns the reason.
    private func stayOnce() async -> any Error {
        do {
            return try await HubConnection.withHub(plan, over: transport, nowUs: nowUs) { connection in
                let changes = await connection.changes()
                await self.adopt(connection)
                return try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { for await change in changes { await self.tell(.hub(change)) } }
                    if self.settings.keepsClock { group.addTask { try await Self.keepClock(of: connection) } }
                    defer { group.cancelAll() }
                    try await group.next()
                    return await connection.fault ?? CancellationError()
                }
            }
        } catch {
            return error
        }
    }

    private func adopt(_ connection: HubConnection) {
        self.connection = connection
        for waiter in waiting {
            waiter.yield(connection)
            waiter.finish()
        }
        waiting = []
    }

    /// Exchanges clocks four times at once, then every ten seconds. A missing answer means that the hub is gone; the
    /// time limit follows the pace that the hub announced.
    private static func keepClock(of connection: HubConnection) async throws {
        let silence = Duration.milliseconds(connection.welcome.pace.maxMs * 2 + 5000)
        for count in 1... {
            _ = try await limited(to: silence, sentence: "The hub fell silent.") { try await connection.exchangeClocks() }
            if count >= 4 { try await Task.sleep(for: .seconds(10)) }
        }
    }

    private func giveUp(_ error: any Error) {
        fault = error
        for waiter in waiting { waiter.finish() }
        for watcher in watchers { watcher.finish() }
        waiting = []
        watchers = []
    }

    private func tell(_ change: Change) {
        if case .hub(.queue(let queue)) = change { self.queue = queue }
        for watcher in watchers { watcher.yield(change) }
    }

    // MARK: Use

    /// The current connection, or the next one.
    public func live() async throws -> HubConnection {
        if let connection, await connection.fault == nil { return connection }
        if let fault { throw fault }
        let (stream, waiter) = AsyncStream.makeStream(of: HubConnection.self)
        waiting.append(waiter)
        for await connection in stream { return connection }
        throw fault ?? CancellationError()
    }

    /// All changes from now on, including the loss of a connection. Ends when reconnecting has stopped.
    public func changes() -> AsyncStream<Change> {
        let (stream, watcher) = AsyncStream.makeStream(of: Change.self, bufferingPolicy: .bufferingNewest(64))
        if fault != nil { watcher.finish() } else { watchers.append(watcher) }
        return stream
    }

    /// The hub's state, as soon as it is known.
    public func state() async throws -> Mirror { try await onceAnswered { try await $0.state() } }

    /// Follows another room, on later connections too. Commands without a room apply to it.
    public func follow(_ room: RoomID) async throws {
        try await onceAnswered { try await $0.follow(room) }
        guard plan.hello.rooms != [room] else { return }
        queue = nil
        plan.hello.rooms = [room]
        // An open queue belongs to the first room, which has changed.
        if let wanted = plan.queueWanted { try await onceAnswered { try await $0.openQueue(wanted: wanted) } }
    }

    /// Keeps the queue of the first room open, on later connections too; `queue` holds it.
    public func openQueue(wanted: Int = .max) async throws {
        plan.queueWanted = wanted
        try await onceAnswered { connection in
            // A connection made in the meantime has opened the queue itself.
            if await connection.queue?.wanted != wanted { try await connection.openQueue(wanted: wanted) }
        }
    }

    /// The newest known state; the hub may be away.
    public var mirror: Mirror {
        get async { await connection?.mirror ?? plan.lastMirror ?? Mirror() }
    }

    /// The profiles of the hub, as soon as it has been reached.
    public func features() async throws -> HubFeatures { try await live().features }

    /// True while there is a connection.
    public var isConnected: Bool { connection != nil }

    /// The room's current position; while the hub is away, the last one that it reported.
    public func positionMs() async -> Milliseconds {
        await connection?.positionMs() ?? plan.lastMirror?.timeline?.positionMs ?? 0
    }

    /// The remaining time of the sleep timer; `nil` if there is none or the time is unknown.
    public func sleepLeftMs() async -> Milliseconds? { await connection?.sleepLeftMs() ?? plan.lastMirror?.sleep?.leftMs }

    /// The delay between receiving and playing a station's sound; `nil` while it plays live.
    public func behindMs() async -> Milliseconds? { await connection?.behindMs() ?? plan.lastMirror?.timeline?.behindMs }

    /// Converts a local time to the hub's clock, with the possible error; `nil` while the hub's clock is unknown.
    public func hubMoment(of us: Microseconds) async -> (us: Microseconds, errorUs: Microseconds)? {
        guard let filter = await connection?.clock else { return nil }
        let nowUs = nowUs()
        return filter.best(atUs: nowUs).map { (us + $0.offsetUs, filter.errorUs(of: $0, atUs: nowUs)) }
    }

    func deliver(_ command: some WireCommand, key: String?, room: RoomID?) async throws -> ReceivedReply {
        try await deliver(command, key: key, room: room, pressedUs: nowUs())
    }

    func deliver(_ command: some WireCommand, key: String?, room: RoomID?, pressedUs: Microseconds) async throws -> ReceivedReply {
        try await deliver(Press(command, key: key, room: homeRoom(room), atUs: pressedUs, ttlMs: settings.ttlMs))
    }

    /// The room is always named, so that a repeated command means the same on any connection.
    private func homeRoom(_ room: RoomID?) -> RoomID? { room ?? plan.hello.rooms?.first }

    private func deliver(_ press: Press) async throws -> ReceivedReply {
        let number = count(press)
        defer { unsent.remove(number) }
        return try await limited(to: .milliseconds(settings.ttlMs), sentence: "\(endpoint) did not answer in time.") {
            while true {
                do {
                    return try await self.onceAnswered { connection in
                        // A level that could not be sent until a newer one was made is worth nothing.
                        if case .volume = press.wish, await self.isOutdated(press, number) { throw Self.outdated }
                        if press.meansCurrent {
                            // Only a state tells since when the entry is current.
                            let now = try await connection.state().now
                            if await self.isFirstSending(number), await self.isNewer(now, thanUs: press.atUs) { throw Self.passed }
                        }
                        return try await connection.send(press)
                    }
                } catch let error as WireError {
                    guard error.known == .rateLimited || error.known == .busy, let asked = error.afterMs else { throw error }
                    let afterMs = max(Self.leastWaitMs, asked)
                    guard await self.isValid(press, forMs: afterMs) else { throw error }
                    try await Task.sleep(for: .milliseconds(afterMs))
                    // Nothing waits for this press, so a pause may have been answered while a play before it waited.
                    if await self.isOutdated(press, number) { throw Self.outdated }
                }
            }
        }
    }

    /// The number of a press; it is the newest one of its wish now.
    private func count(_ press: Press) -> Int {
        pressCount += 1
        if let wish = press.wish { newest[wish] = pressCount }
        if press.meansCurrent { unsent.insert(pressCount) }
        return pressCount
    }

    private func isOutdated(_ press: Press, _ number: Int) -> Bool { press.wish.map { newest[$0] != number } ?? false }

    /// Whether the entry became current after a press at this local time, which then meant the one before.
    package func isNewer(_ now: NowSection?, thanUs pressedUs: Microseconds) async -> Bool {
        guard let sinceUs = now?.sinceUs, let pressed = await hubMoment(of: pressedUs) else { return false }
        return sinceUs > pressed.us + pressed.errorUs
    }

    private func isFirstSending(_ number: Int) -> Bool { unsent.remove(number) != nil }

    private static let passed = WireError(.cancelled, "What was playing then is over.")
    private static let outdated = WireError(.cancelled, "A newer press has taken its place.")

    /// The shortest wait before a command is sent again, whatever the hub says: with 0 the two would exchange messages without end.
    private static let leastWaitMs: Milliseconds = 50

    /// Whether a press is still wanted after another wait.
    private func isValid(_ press: Press, forMs waitMs: Milliseconds) -> Bool {
        Milliseconds(nowUs() - press.atUs) + waitMs < settings.ttlMs
    }

    /// Sends a request again on the next connection if one ends without an answer.
    func onceAnswered<Answer: Sendable>(_ ask: @Sendable (HubConnection) async throws -> Answer) async throws -> Answer {
        while true {
            let connection = try await live()
            do { return try await ask(connection) } catch let fault as ConnectFault {
                if Task.isCancelled { throw fault }
            }
        }
    }
}
