package import BatonSeams
import CLinux
import CWebSockets
import Glibc
import Synchronization
package import Threads

/// The loop thread: libwebsockets on libev, which also runs the jobs of `Loop.jobs`.
///
/// A process has one loop at a time. `run` uses the calling thread until its body returns; `background` starts a loop on a thread of its
/// own, for tools and tests. Every C callback runs inside `Loop.jobs.callback`, so that the jobs it queued run before the loop serves its
/// sockets again. An idle loop makes no system call.
@Loop
@safe
package final class EventLoop: Reactor {
    /// The running loop of this process.
    static var current: EventLoop?
    private static var count = 0

    /// A number for parts that may outlive the loop: a weak reference would make each use of the loop slower.
    let number: Int

    package let engine: Engine
    package nonisolated let log: Log
    /// Created at the first use of TLS, since it takes OpenSSL some milliseconds.
    private var tls: (vhost: OpaquePointer, context: OpaquePointer)?
    /// Created at first use; see `EventLoop+Outgoing.swift`.
    var outgoing: [OutgoingKey: OutgoingHost] = [:]
    /// Owners of sockets that keep themselves alive: our own connections to others.
    private var kept: [ObjectIdentifier: any SocketHandler] = [:]

    /// Runs blocking work, and the parts of the main task that are not isolated to the loop.
    package let blockingPool = BlockingPool(threads: blockingThreads)
    /// Two threads for requests of remotes, and four for calls that a slow disk may block.
    private nonisolated static let blockingThreads = 6

    // Descriptors and deadlines: see `EventLoop+Reactor.swift`.
    var watches: [UInt64: Descriptor] = [:]
    var nextWatch: UInt64 = 2
    var alarms: AlarmTimer
    let ready = UnsafeMutablePointer<epoll_event>.allocate(capacity: eventsPerTurn)
    private let nestedEpoll = NestedEpoll()
    /// Watches of signal descriptors, which end with their streams.
    var signalWatches: [Int32: any Watch] = [:]

    // Callbacks: see `EventLoop+Callbacks.swift`.
    var watchdog = Watchdog()
    var depth = 0
    /// Whether a connection was ever accepted.
    var hasAccepted = false
    /// Sockets to end on the next turn.
    var socketsToEnd: [Socket] = []
    let posted = Mutex<[@Loop @Sendable () -> Void]>([])

    private var exitCode: Int32 = 0
    private var main: Task<Void, Never>?

    /// A buffer for received bytes while they are parsed. 1 KiB holds a dozen commands, so one peer gets at most that many handled before
    /// others are served.
    package let inbox = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_024, alignment: 16)

    private init(_ engine: Engine, _ log: Log) {
        self.engine = engine
        self.log = log
        alarms = AlarmTimer(engine.timer)
        Self.count += 1
        number = Self.count
        Descriptor.control(
            engine.epoll, verb: EPOLL_CTL_ADD, descriptor: Engine.wakeEvent, mask: EPOLLIN.rawValue | EPOLLET.rawValue, id: Self.wakeID)
        Descriptor.control(engine.epoll, verb: EPOLL_CTL_ADD, descriptor: engine.timer, mask: EPOLLIN.rawValue, id: Self.timerID)
        unsafe "http".withCString {
            unsafe nestedEpoll.socket.wsi = baton_lws_adopt_file(engine.vhost, engine.epoll, $0, nestedEpoll.socket.opaque)
        }
    }

    isolated deinit {
        unsafe ready.deallocate()
        unsafe inbox.deallocate()
    }

    // MARK: Life

    /// Runs the loop on the calling thread until `body` returns, finishes every job that was accepted, and returns the result of `body`.
    /// `signals` are blocked in this thread and in all that it starts from here on, so that `signals(_:)` can deliver them. Without TLS the
    /// start takes a third of the time, since OpenSSL is not initialised.
    package nonisolated static func run(
        log: Log, blocking signals: [Int32] = [], hasTLS: Bool = true, _ body: @escaping @Loop @Sendable (EventLoop) async -> Int32
    ) throws(SocketsError) -> Int32 {
        Signals.block(signals)
        Signals.ignorePipe()
        raiseDescriptorLimit()
        let engine = try Engine(log: log, hasTLS: hasTLS)
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

    static func running(_ number: Int) -> EventLoop? { current?.number == number ? current : nil }

    private func live(_ body: @Loop @Sendable (EventLoop) async -> Int32) async {
        leave(with: await body(self))
    }

    private func leave(with code: Int32) {
        exitCode = code
        unsafe ev_break(engine.events, Int32(EVBREAK_ALL))
    }

    /// Ends the loop. Destroying the context closes all sockets, and calls their owners once more. Jobs run before and after it, so that no
    /// accepted job is lost.
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

    // MARK: Sockets

    /// Passes a connected descriptor to libwebsockets, which owns it from here on. False if it has no room: the descriptor is closed then,
    /// and the handler may or may not have got events.
    package func adopt(_ socket: Socket) -> Bool {
        let secure = unsafe socket.isSecure ? tls?.vhost : nil
        precondition(unsafe !socket.isSecure || secure != nil, "A connection with TLS came before a certificate was shown.")
        let host = unsafe secure ?? engine.vhost
        guard let wsi = unsafe baton_lws_adopt_connection(host, socket.descriptor, socket.isSecure ? 1 : 0, socket.opaque) else {
            return false
        }
        unsafe socket.wsi = wsi
        socket.cancelTimeout()
        return true
    }

    /// Presents this identity to new TLS connections; open ones keep theirs.
    package func show(_ identity: TLSIdentity) throws(SocketsError) {
        if unsafe tls == nil { unsafe tls = try engine.makeSecureVhost() }
        guard let tls = unsafe tls else { preconditionFailure("A virtual host that was just made is gone.") }
        try unsafe TLS.show(identity, in: tls.context)
    }

    /// Keeps a socket's owner alive until `release`.
    package func retain(_ handler: any SocketHandler) { kept[ObjectIdentifier(handler)] = handler }
    package func release(_ handler: any SocketHandler) { kept[ObjectIdentifier(handler)] = nil }
}
