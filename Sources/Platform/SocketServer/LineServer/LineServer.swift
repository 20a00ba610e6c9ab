package import BatonSeams
package import EventLoop
import Glibc

/// `LineListener` over the event loop: accepts connections, counts them, and ends them in order.
///
/// Each connection enforces its own limits; see `LineSocket`.
@Loop
@safe
package final class LineServer: LineListener {
    let loop: EventLoop
    let dialect: any LineDialect
    let limits: LineLimits
    /// Receive buffer, used by one connection at a time.
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)

    private var listeners: [Listener] = []
    private var connections: [ObjectIdentifier: LineSocket] = [:]
    private var perAddress: [String: Int] = [:]
    private var emptied: CheckedContinuation<Void, Never>?

    package init(_ loop: EventLoop, for dialect: any LineDialect, limits: LineLimits = LineLimits()) {
        self.loop = loop
        self.dialect = dialect
        self.limits = limits
    }

    isolated deinit { unsafe room.deallocate() }

    package var connectionCount: Int { connections.count }

    package func listen(tcp host: String, port: UInt16) throws(ListenFault) -> UInt16 {
        do throws(SocketsError) {
            let listener = try Listener(tcp: host, port: port, backlog: limits.backlog)
            attend(listener)
            return listener.port
        } catch {
            throw ListenFault(error.sentence)
        }
    }

    package func listen(unix path: String, mode: UInt32 = 0o660) throws(ListenFault) {
        do throws(SocketsError) {
            attend(try Listener(unix: path, mode: mode, backlog: limits.backlog))
        } catch {
            throw ListenFault(error.sentence)
        }
    }

    private func attend(_ listener: Listener) {
        listeners.append(listener)
        listener.attend(on: loop) { [weak self] descriptor, peer in
            if let self { self.accept(descriptor, peer) } else { Glibc.close(descriptor) }
        }
    }

    private func accept(_ descriptor: Int32, _ peer: Peer) {
        if let most = exceeded(peer.address) { return refuse(descriptor, .tooManyConnections(most)) }
        let connection = LineSocket(of: self, descriptor, from: peer)
        guard let owner = dialect.admit(connection), connection.isOpen else { return connection.gone() }
        connections[ObjectIdentifier(connection)] = connection
        perAddress[peer.address, default: 0] += 1
        connection.open(owner)
    }

    /// The limit that one more connection of this address would exceed.
    private func exceeded(_ address: String) -> Int? {
        if connections.count >= limits.connections { return limits.connections }
        return perAddress[address, default: 0] >= limits.connectionsPerAddress ? limits.connectionsPerAddress : nil
    }

    /// Sends the refusal in one piece to an empty pipe, so that no state is needed for the peer.
    private func refuse(_ descriptor: Int32, _ end: LineEnd) {
        let words = dialect.lastWords(end)
        _ = unsafe words.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) }
        Glibc.close(descriptor)
    }

    func forget(_ connection: LineSocket) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        let left = perAddress[connection.peer.address, default: 0] - 1
        perAddress[connection.peer.address] = left > 0 ? left : nil
        connections.dropSpareRoom()
        guard connections.isEmpty else { return }
        emptied?.resume()
        emptied = nil
    }

    package func close(grace: Duration = .milliseconds(500)) async {
        for listener in listeners { listener.close() }
        listeners = []
        for connection in Array(connections.values) { connection.end(.closing) }
        guard !connections.isEmpty else { return }
        let alarm = loop.after(grace) { [weak self] in
            guard let self else { return }
            for connection in Array(self.connections.values) { connection.cut() }
        }
        await withCheckedContinuation { waiting in
            // Other work may have run on the loop in the meantime.
            if connections.isEmpty { waiting.resume() } else { emptied = waiting }
        }
        alarm.cancel()
    }
}
