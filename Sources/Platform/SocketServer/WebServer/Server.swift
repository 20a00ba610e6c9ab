import BatonCore
package import BatonSeams
package import EventLoop
import Glibc

/// An HTTP and WebSocket server on any number of listening sockets, TCP and unix, for one reception.
///
/// The listening sockets are our own, and accepted connections are passed to libwebsockets. So a port in use yields a proper error, and a
/// flood of connections is accepted in slices. One shared tick checks liveness and deadlines of all connections. Without connections there
/// is no tick, and with idle ones it comes when the first of them is due.
@Loop
package final class Server {
    package let loop: EventLoop
    /// The time for all limits of connections.
    let time: any Reactor
    let reception: any Reception
    /// Applies to later requests.
    package var proxies = TrustedProxies()
    let limits: Limits

    private var connections: [Connection] = []
    private var listeners: [Listener] = []
    /// Names of listening sockets without duplicates; connections store an index.
    private(set) var listenerNames: [ListenerName] = []
    /// Number of connections without a request, by the group that their address counts in.
    private var silent: [String: Int] = [:]
    /// TLS connections whose handshake may be pending, oldest first.
    private var handshakes: [Connection] = []
    private var tick: (any Alarm)?
    private var tickUs: Microseconds = .max
    /// The position of the current tick, and the earliest deadline found so far.
    private var cursor = 0
    private var dueUs: Microseconds = .max
    private var emptied: CheckedContinuation<Void, Never>?

    /// `time` is the loop's clock, except in tests.
    package init(_ loop: EventLoop, reception: any Reception, limits: Limits = Limits(), time: (any Reactor)? = nil) {
        self.loop = loop
        self.time = time ?? loop
        self.reception = reception
        self.limits = limits
    }

    /// Totals of sent WebSocket frames and bytes since the start.
    package struct Written: Sendable {
        package private(set) var frames = 0
        package private(set) var bytes = 0

        mutating func add(_ frames: Int, bytes: Int) {
            self.frames += frames
            self.bytes += bytes
        }
    }

    package internal(set) var written = Written()

    /// Number of all connections, HTTP and WebSocket.
    package var connectionCount: Int { connections.count }

    /// Listens on a numeric address or `localhost`; port 0 selects a free one. Returns the port.
    package func listen(tcp host: String, port: UInt16, as name: ListenerName = .plain) throws(SocketsError) -> UInt16 {
        let listener = try Listener(tcp: host, port: port, backlog: limits.backlog)
        attend(listener, as: name)
        return listener.port
    }

    /// Listens on a socket file, which only its owner and group may open. A file left by a dead process is replaced.
    package func listen(unix path: String, mode: UInt32 = 0o660) throws(SocketsError) {
        attend(try Listener(unix: path, mode: mode, backlog: limits.backlog), as: .unix)
    }

    /// Listens on a socket that the service manager has opened and keeps open after this process ends. Returns the port.
    package func listen(on inherited: Int32, as name: ListenerName) -> UInt16 {
        let listener = Listener(inherited: inherited)
        attend(listener, as: name)
        return listener.port
    }

    /// Listens with TLS 1.3 only. The peers are `Channel.tls`.
    package func listen(tls host: String, port: UInt16, as identity: TLSIdentity) throws(SocketsError) -> UInt16 {
        try loop.show(identity)
        return attendSecure(try Listener(tcp: host, port: port, backlog: limits.backlog))
    }

    /// Listens with TLS on a socket that the service manager has opened.
    package func listen(tlsOn inherited: Int32, as identity: TLSIdentity) throws(SocketsError) -> UInt16 {
        try loop.show(identity)
        return attendSecure(Listener(inherited: inherited))
    }

    private func attendSecure(_ listener: Listener) -> UInt16 {
        listeners.append(listener)
        let index = listenerIndex(of: .tls)
        listener.attend(on: loop) { [weak self] descriptor, peer in
            let peer = Peer(channel: .tls, address: peer.address)
            guard let self, self.reception.receives(peer) else {
                Glibc.close(descriptor)
                return
            }
            self.accept(descriptor, peer, at: index)
        }
        return listener.port
    }

    /// Presents this identity to new TLS connections.
    package func renew(_ identity: TLSIdentity) throws(SocketsError) { try loop.show(identity) }

    private func listenerIndex(of name: ListenerName) -> UInt8 {
        if !listenerNames.contains(name) { listenerNames.append(name) }
        return UInt8(clamping: listenerNames.firstIndex(of: name) ?? 0)
    }

    private func attend(_ listener: Listener, as name: ListenerName) {
        listeners.append(listener)
        let index = listenerIndex(of: name)
        listener.attend(on: loop) { [weak self] descriptor, peer in
            self?.accept(descriptor, peer, at: index)
        }
    }

    /// Stops listening, notifies every link, and waits until they are gone; after `grace` they are cut.
    package func close(_ code: UInt16 = 1001, _ reason: String = "The hub is stopping.", grace: Duration = .milliseconds(500)) async {
        for listener in listeners { listener.close() }
        listeners = []
        for connection in connections {
            if connection.phase == .open { connection.close(code, reason) } else if connection.phase != .closing { connection.cut() }
        }
        guard !connections.isEmpty else { return }
        let alarm = loop.after(grace) { [weak self] in self?.connections.forEach { $0.cut() } }
        await withCheckedContinuation { waiting in
            // Other work may have run on the loop in the meantime.
            if connections.isEmpty { waiting.resume() } else { emptied = waiting }
        }
        alarm.cancel()
    }

    // MARK: Connections

    private func accept(_ descriptor: Int32, _ peer: Peer, at index: UInt8) {
        let mayBeMany = peer.channel != .tls && peer.channel != .network
        guard mayBeMany || silent[Self.group(of: peer), default: 0] < limits.silentPerAddress else {
            Glibc.close(descriptor)
            return
        }
        let connection = Connection(of: self, descriptor, from: peer, at: index)
        connection.listing.index = connections.count
        connections.append(connection)
        if !mayBeMany {
            connection.listing.isSilent = true
            silent[Self.group(of: peer), default: 0] += 1
        }
        if peer.channel == .tls {
            makeRoom(for: peer)
            handshakes.append(connection)
        }
        guard loop.adopt(connection.socket) else { return forget(connection) }
        look(by: connection.deadlineUs)
    }

    private static func group(of peer: Peer) -> String {
        AddressGroup.isThisMachine(peer.address) ? "" : AddressGroup.of(peer.address)
    }

    /// Number of pending TLS handshakes.
    var handshakeCount: Int { handshakes.count { $0.isHandshaking } }

    /// Drops the oldest handshake for a new one: an honest peer has finished its own by then.
    private func makeRoom(for peer: Peer) {
        guard handshakes.count >= min(limits.handshakes, limits.handshakesPerAddress) else { return }
        handshakes.removeAll { !$0.isHandshaking }
        let group = Self.group(of: peer)
        let own = handshakes.filter { Self.group(of: $0.peer) == group }
        guard
            let oldest = own.count >= limits.handshakesPerAddress
                ? own.first : handshakes.count >= limits.handshakes ? handshakes.first : nil
        else { return }
        handshakes.removeAll { $0 === oldest }
        oldest.cut()
    }

    /// Called when the first request has arrived, or none will.
    func hasSpoken(_ connection: Connection) {
        guard connection.listing.isSilent else { return }
        connection.listing.isSilent = false
        handshakes.removeAll { $0 === connection }
        let group = Self.group(of: connection.peer)
        let left = silent[group, default: 0] - 1
        silent[group] = left > 0 ? left : nil
    }

    func forget(_ connection: Connection) {
        hasSpoken(connection)
        let index = connection.listing.index
        guard index < connections.count, connections[index] === connection else { return }
        let last = connections.removeLast()
        if last !== connection {
            connections[index] = last
            last.listing.index = index
        }
        connections.dropSpareRoom()
        guard connections.isEmpty else { return }
        tick?.cancel()
        tickUs = .max
        cursor = 0
        emptied?.resume()
        emptied = nil
    }

    // MARK: The shared tick

    /// The time between two ticks: short enough to keep the shortest limit within a quarter, and long enough that a thousand idle links do
    /// not wake the process twice in two seconds.
    private var pace: Microseconds {
        let limits = self.limits
        return min(
            .milliseconds(2_500), limits.message / 4, limits.request / 4, limits.answer / 4,
            .microseconds(limits.patience.pingUs / 4)
        ).us
    }

    /// Time for connections in one turn, so that ten thousand of them do not delay a command.
    private static let sliceUs: Microseconds = 1_000

    /// Ensures that connections are checked by this time, but no sooner than `pace` allows.
    func look(by us: Microseconds) {
        dueUs = min(dueUs, us)
        if us < tickUs, cursor == 0 { schedule(us) }
    }

    private func schedule(_ us: Microseconds) {
        tick?.cancel()
        tickUs = us
        tick = time.after(.microseconds(max(0, us - time.nowUs))) { [weak self] in self?.ticked() }
    }

    private func ticked() {
        let now = time.nowUs
        if cursor == 0 { dueUs = .max }
        // From the last to the first: a connection that ends is replaced by the last one, which was checked already.
        var index = min(cursor == 0 ? .max : cursor, connections.count)
        while index > 0 {
            index -= 1
            dueUs = min(dueUs, inspect(connections[index], now))
            if index % 32 == 0, time.nowUs - now > Self.sliceUs { break }
        }
        cursor = index
        tickUs = .max
        if cursor != 0 { return schedule(now) }
        if dueUs != .max { schedule(max(dueUs, now + pace)) }
    }

    /// Handles everything due for a connection, and returns the time of its next check.
    private func inspect(_ connection: Connection, _ now: Microseconds) -> Microseconds {
        if connection.deadlineUs != 0 {
            if now > connection.deadlineUs { connection.timeIsUp() }
            return connection.deadlineUs == 0 ? .max : connection.deadlineUs
        }
        guard connection.phase == .open else { return .max }
        switch connection.liveness.check(atUs: now, within: connection.bounds.patience) {
        case .wait(let untilUs): return untilUs
        case .ping(let endUs):
            connection.ping()
            return endUs
        case .tooSilent:
            connection.cut()
            return .max
        }
    }
}
