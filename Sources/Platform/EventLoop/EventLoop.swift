package import BatonSeams
import CLinux
import CWebSockets
import Glibc
import Synchronization
package import Threads

/// The loop thread: libwebsockets on libev, lent to `Loop.jobs` as its executor.
///
/// One loop at a time in a process. `run` lends the calling thread until its body returns;
/// `background` starts a loop on a thread of its own, for tools and tests. Every C callback runs
/// inside `Loop.jobs.callback`, so that what it queued runs before the loop looks at its sockets
/// again. An idle loop makes no system call.
@Loop
@safe
package final class EventLoop: Reactor {
    /// The loop of this process, while it runs.
    static var current: EventLoop?

    let engine: Engine
    /// Made when TLS is first asked for, which takes OpenSSL some milliseconds.
    private var tls: (vhost: OpaquePointer, context: OpaquePointer)?
    let log: Log
    /// Those of our own connections to others, until libwebsockets forgets them.
    var clients: [ObjectIdentifier: Socket] = [:]

    /// Where work that blocks is done, and whatever of the main task is not on the loop.
    package let blockingPool = BlockingPool(threads: blockingThreads)
    /// Two for those who are served, and one for each question that a disk may hold for a while.
    private nonisolated static let blockingThreads = 6

    private var watches: [UInt64: Descriptor] = [:]
    private var nextWatch: UInt64 = 2
    private var alarms = AlarmQueue()
    private var armedUs: Int64 = .max
    private var watchdog = Watchdog()
    private var depth = 0
    /// Sockets to be ended on the next round.
    private var socketsToEnd: [Socket] = []
    private let nestedEpoll = NestedEpoll()
    private let posted = Mutex<[@Loop @Sendable () -> Void]>([])
    private var exitCode: Int32 = 0
    private var main: Task<Void, Never>?
    private let ready = UnsafeMutablePointer<epoll_event>.allocate(capacity: eventsPerTurn)
    /// What a WebSocket has sent, while it is read. A piece is a dozen commands: so many one peer may have
    /// done, and their answers wait for it, before others are served.
    let inbox = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_024, alignment: 16)

    /// How many descriptors of others one turn serves.
    private nonisolated static let eventsPerTurn = 64
    /// How many sockets one turn ends.
    private nonisolated static let endsPerTurn = 32
    private nonisolated static let wakeID: UInt64 = 0
    private nonisolated static let timerID: UInt64 = 1

    private init(_ engine: Engine, _ log: Log) {
        self.engine = engine
        self.log = log
        nestedEpoll.loop = self
        Self.control(engine.epoll, EPOLL_CTL_ADD, Engine.wakeEvent, EPOLLIN.rawValue | EPOLLET.rawValue, Self.wakeID)
        Self.control(engine.epoll, EPOLL_CTL_ADD, engine.timer, EPOLLIN.rawValue, Self.timerID)
        unsafe nestedEpoll.wsi = "http".withCString { unsafe baton_lws_adopt_file(engine.vhost, engine.epoll, $0, nestedEpoll.opaque) }
    }

    isolated deinit {
        unsafe ready.deallocate()
        unsafe inbox.deallocate()
    }

    // MARK: Life

    /// Lends the calling thread to the loop until `body` returns, finishes every job that was
    /// accepted, and returns what `body` returned. `signals` are blocked in this thread and in all
    /// that it starts from here on, so that `signals(_:)` can deliver them.
    package nonisolated static func run(
        log: Log, blocking signals: [Int32] = [], _ body: @escaping @Loop @Sendable (EventLoop) async -> Int32
    ) throws(SocketsError) -> Int32 {
        Signals.block(signals)
        Signals.ignorePipe()
        raiseDescriptorLimit()
        let engine = try Engine(log: log)
        Loop.jobs.adopt(wake: Engine.ring)
        let loop = Loop.assumeIsolated { () -> EventLoop in
            let loop = EventLoop(engine, log)
            current = loop
            loop.main = Task(executorPreference: loop.blockingPool) { await loop.live(body) }
            return loop
        }
        unsafe ev_run(engine.events, 0)
        return Loop.assumeIsolated { loop.end() }
    }

    /// The loop of a process whose main thread has other things to do. Started once, never ended.
    /// Its first caller stands outside of the loop: what is isolated to `Loop` waits for one.
    package nonisolated static func background(log: Log = .silent) async throws(SocketsError) -> EventLoop {
        try await Background.start(log)
    }

    private func live(_ body: @Loop @Sendable (EventLoop) async -> Int32) async {
        leave(with: await body(self))
    }

    private func leave(with code: Int32) {
        exitCode = code
        unsafe ev_break(engine.events, Int32(EVBREAK_ALL))
    }

    /// Sockets are closed by destroying the context, which calls their owners once more; jobs run
    /// before and after, so that none that was accepted is lost.
    private func end() -> Int32 {
        runPosted()
        finishJobs()
        engine.close()
        finishJobs()
        for watch in watches.values { watch.forget() }
        watches = [:]
        Self.current = nil
        return exitCode
    }

    private func finishJobs() {
        while !Loop.jobs.isEmpty { Loop.jobs.turn() }
    }

    /// How many descriptors this process may open; the most connections there can be.
    package nonisolated static var descriptorLimit: Int {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }

    /// A venue's remotes need more than the customary 1,024. libwebsockets makes a table of this
    /// size, so it is kept from being absurd.
    private nonisolated static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = max(min(limit.rlim_max, 65_536), min(limit.rlim_cur, 1_048_576))
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    // MARK: TLS

    /// Where connections with TLS belong; shows this identity to those that come from now on.
    func secureVhost(showing identity: TLSIdentity) throws(SocketsError) -> OpaquePointer {
        if unsafe tls == nil { unsafe tls = try engine.makeSecureVhost() }
        guard let tls = unsafe tls else { preconditionFailure("A virtual host that was just made is gone.") }
        try unsafe TLS.show(identity, in: tls.context)
        return unsafe tls.vhost
    }

    // MARK: Callbacks

    /// How many callbacks took more than 5 ms of processor time.
    package var slowCallbacks: Int { watchdog.slow }

    func deliver(_ reason: lws_callback_reasons, to socket: Socket, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
        socket.inside += 1
        let answer = watched(socket) {
            unsafe socket.called(for: reason, bytes, count)
        }
        socket.inside -= 1
        if reason == LWS_CALLBACK_WSI_DESTROY {
            unsafe socket.wsi = nil
            socket.destroyed()
        }
        if socket.mustEnd {
            socket.mustEnd = false
            return -1
        }
        return answer
    }

    /// Runs one callback and what it queued, and names it when that took long.
    func watched<Answer>(_ socket: Socket, _ body: @Loop () -> Answer) -> Answer {
        depth += 1
        if depth == 1 { watchdog.begin() }
        let answer = Loop.jobs.callback { Loop.assumeIsolated(body) }
        depth -= 1
        if depth == 0, let spent = watchdog.end() {
            log(.warning, "A callback of \(socket.label) kept the loop busy for \(spent / 1_000) us.")
        }
        return answer
    }

    /// Runs `body` on the next round; callable from any thread, for callbacks that cannot wait.
    nonisolated func post(_ body: @escaping @Loop @Sendable () -> Void) {
        posted.withLock { $0.append(body) }
        Engine.ring()
    }

    private func runPosted() {
        let bodies = posted.withLock { bodies in
            defer { bodies = [] }
            return bodies
        }
        for body in bodies { body() }
    }

    /// Ends a socket on the next round.
    func scheduleEnd(_ socket: Socket) {
        if socketsToEnd.isEmpty { Engine.ring() }
        socketsToEnd.append(socket)
    }

    private func endScheduledSockets() {
        let sockets = socketsToEnd.prefix(Self.endsPerTurn)
        socketsToEnd.removeFirst(sockets.count)
        if !socketsToEnd.isEmpty { Engine.ring() }
        for socket in sockets { socket.endNow() }
    }

    // MARK: Reactor

    package var nowUs: Int64 { Watchdog.now(CLOCK_MONOTONIC) / 1_000 }

    package func watch(_ descriptor: Int32, for interest: Readiness, _ action: @escaping @Loop (Readiness) -> Void) -> any Watch {
        watch(descriptor, mask: Descriptor.mask(interest), action)
    }

    /// The same with epoll's own mask, for interests that others have no use for.
    func watch(_ descriptor: Int32, mask: UInt32, _ action: @escaping @Loop (Readiness) -> Void) -> Descriptor {
        let id = nextWatch
        nextWatch += 1
        let watch = Descriptor(self, id, descriptor, mask, action)
        watches[id] = watch
        return watch
    }

    package func after(_ delay: Duration, _ action: @escaping @Loop () -> Void) -> any Alarm {
        let (seconds, attoseconds) = delay.components
        let us = seconds * 1_000_000 + (attoseconds + 999_999_999_999) / 1_000_000_000_000
        let alarm = alarms.add(nowUs + max(0, us), for: self, action)
        arm()
        return alarm
    }

    func alarmCancelled() {
        alarms.noteCancelled()
        arm()
    }

    func forget(_ id: UInt64) {
        watches[id] = nil
        watches.dropSpareRoom()
    }

    /// How many descriptors are watched, and how many alarms are set, cancelled ones included.
    package var watchCount: Int { watches.count }
    package var alarmCount: Int { alarms.count }

    /// Sets the timer to the earliest alarm, if it stands anywhere else.
    private func arm() {
        let earliest = alarms.earliestUs ?? .max
        guard earliest != armedUs else { return }
        armedUs = earliest
        var setting = itimerspec()
        if earliest != .max {
            setting.it_value.tv_sec = Int(earliest / 1_000_000)
            setting.it_value.tv_nsec = max(1, Int(earliest % 1_000_000) * 1_000)
        }
        unsafe timerfd_settime(engine.timer, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }

    private func ringAlarms() {
        var ticks: UInt64 = 0
        unsafe read(engine.timer, &ticks, 8)
        armedUs = .max
        // What an alarm sets for now waits for the next turn: the sockets come in between.
        let now = nowUs
        while let action = alarms.takeDue(now) { action() }
        arm()
    }

    /// The nested epoll has something: whoever is ready is called by number, so that news of a
    /// descriptor that was given up in the meantime is dropped.
    fileprivate func serveDescriptors() {
        let count = unsafe epoll_wait(engine.epoll, ready, Int32(Self.eventsPerTurn), 0)
        for index in 0..<max(0, Int(count)) {
            let event = unsafe ready[index]
            let id = unsafe event.data.u64
            switch id {
            case Self.wakeID: runPosted()
            case Self.timerID: ringAlarms()
            default: watches[id]?.fire(unsafe event.events)
            }
        }
        // Last, so that a ring for those left over is not heard by this very turn.
        endScheduledSockets()
    }

    @discardableResult
    static func control(_ epoll: Int32, _ verb: Int32, _ descriptor: Int32, _ mask: UInt32, _ id: UInt64) -> Int32 {
        var event = unsafe epoll_event()
        unsafe event.events = mask
        unsafe event.data.u64 = id
        return unsafe epoll_ctl(epoll, verb, descriptor, &event) == 0 ? 0 : errno
    }
}

/// The nested epoll as libwebsockets sees it: one readable file.
private final class NestedEpoll: Socket {
    weak var loop: EventLoop?

    override func called(for reason: lws_callback_reasons, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
        if reason == LWS_CALLBACK_RAW_RX_FILE { loop?.serveDescriptors() }
        return 0
    }

    override var label: String { "a job, a timer or a descriptor" }
}

/// One loop for a process that does not lend its main thread.
private enum Background {
    private static let loop = Task<Result<EventLoop, SocketsError>, Never>.detached {
        await withCheckedContinuation { continuation in
            OwnThread.start {
                do throws(SocketsError) {
                    _ = try EventLoop.run(log: .silent) { loop in
                        continuation.resume(returning: .success(loop))
                        // A stream that nobody ends.
                        let (never, end) = AsyncStream<Never>.makeStream()
                        for await _ in never {}
                        withExtendedLifetime(end) {}
                        return 0
                    }
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }

    static func start(_ log: Log) async throws(SocketsError) -> EventLoop {
        let loop = try await loop.value.get()
        Engine.say.withLock { $0 = log }
        return loop
    }
}
