import BatonCore
import BatonSeams
import CLinux
import EventLoop
import Glibc

/// One connection of lines: a descriptor, lines that wait to be delivered, and bytes that wait to be sent.
///
/// Memory is limited on both sides. One piece of input is stored beyond a line, since nothing is read while lines wait; a peer that lets
/// more than `unsentBytes` pile up, or accepts none for `stalled`, is cut. The owner is called once at a time: its actions inside a call
/// take effect when the call returns.
@Loop
final class LineSocket: LineConnection {
    private enum Phase { case open, closing, gone }

    let peer: Peer
    private let server: LineServer
    private let descriptor: Int32
    private var owner: (any LineOwner)?
    private var phase = Phase.open

    private var reader: LineReader
    private var isPaused = false
    private var isDelivering = false
    private var output = LineOutput()
    /// True after a `write` that was not sent at once and so promised `lineWritable`.
    private var owesWritable = false
    private var watch: (any Watch)?
    private var interest: Readiness = .readable
    /// Set while lines wait for the next turn.
    private var nextTurn: (any Alarm)?
    /// True once the peer sends nothing more.
    private var peerHasEnded = false

    var isOpen: Bool { phase == .open }

    // A deadline that is gone needs no look: the alarm finds none when it rings.
    var idle: Duration? { didSet { if idle != nil { look() } } }
    private var deadlines: LineDeadlines
    private let alarm = DeadlineAlarm()

    init(of server: LineServer, _ descriptor: Int32, from peer: Peer) {
        self.server = server
        self.descriptor = descriptor
        self.peer = peer
        reader = LineReader(limit: server.limits.lineBytes)
        idle = server.limits.idle
        deadlines = LineDeadlines(nowUs: server.loop.nowUs)
    }

    func open(_ owner: any LineOwner) {
        self.owner = owner
        watch = server.loop.watch(descriptor, for: interest) { [weak self] in self?.ready($0) }
        wantRead()
        look()
    }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) { push() }
        guard phase != .gone else { return }
        if readiness.contains(.readable) { take() } else if readiness.contains(.broken) { broken() }
    }

    /// Handles a peer that has closed both sides. Its waiting lines are still delivered, since it sent them before.
    private func broken() {
        watch?.cancel()
        watch = nil
        peerHasEnded = true
        if phase == .closing { gone() } else { endIfDone() }
    }

    // MARK: Receiving

    private func take() {
        let room = unsafe server.room
        let count = unsafe recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
        if count < 0 { return errno == EAGAIN || errno == EINTR ? () : cut() }
        if count > 0 {
            guard phase == .open else { return }
            unsafe reader.append(UnsafeRawBufferPointer(rebasing: room[..<count]))
            deliver()
        } else {
            peerHasEnded = true
            endIfDone()
        }
    }

    /// After the peer's end, waiting lines are delivered and waiting answers are sent before ours.
    private func endIfDone() {
        guard phase != .gone, peerHasEnded else { return }
        if unsentBytes == 0, phase == .closing || (!isPaused && nextTurn == nil) { gone() } else { wantRead() }
    }

    private func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        var left = server.limits.linesPerTurn
        do throws(LineReader.TooLong) {
            while phase == .open, !isPaused, left > 0, let line = try reader.next() {
                left -= 1
                deadlines.heardUs = server.loop.nowUs
                owner?.received(line: line)
            }
        } catch {
            end(.lineTooLong(server.limits.lineBytes))
        }
        isDelivering = false
        if left == 0, phase == .open, !isPaused, nextTurn == nil {
            nextTurn = server.loop.after(.zero) { [weak self] in
                self?.nextTurn = nil
                self?.deliver()
            }
        }
        if peerHasEnded { endIfDone() } else { wantRead() }
    }

    func pause() {
        isPaused = true
        wantRead()
    }

    func resume() {
        guard isPaused, phase == .open else { return }
        isPaused = false
        deadlines.heardUs = server.loop.nowUs
        look()
        deliver()
    }

    /// Reads while no line waits to be delivered, and while waiting for the peer's end.
    private func wantRead() {
        guard phase != .gone else { return }
        let reads = !peerHasEnded && (phase == .closing || (!isPaused && nextTurn == nil))
        var wanted = Readiness(rawValue: 0)
        if reads { wanted.formUnion(.readable) }
        if output.count > 0 { wanted.formUnion(.writable) }
        guard wanted != interest else { return }
        interest = wanted
        watch?.change(to: wanted)
    }

    // MARK: Sending

    var unsentBytes: Int { output.count }

    func write(_ bytes: [UInt8]) {
        guard phase == .open else { return }
        send(bytes)
    }

    private func send(_ bytes: [UInt8]) {
        let waited = unsentBytes > 0
        output.append(bytes)
        if !waited {
            deadlines.movedUs = server.loop.nowUs
            push()
        }
        guard phase != .gone, unsentBytes > 0 else { return }
        owesWritable = true
        if unsentBytes > server.limits.unsentBytes { cut() } else { look() }
    }

    private func push() {
        switch output.send(to: descriptor) {
        case .broken: return cut()
        case .part(let hasMoved):
            if hasMoved { deadlines.movedUs = server.loop.nowUs }
            return wantRead()
        case .all:
            deadlines.movedUs = server.loop.nowUs
            wantRead()
        }
        if phase == .closing { return endSending() }
        if owesWritable {
            owesWritable = false
            owner?.lineWritable()
        }
        endIfDone()
    }

    // MARK: Ending

    func close() {
        guard phase == .open else { return }
        phase = .closing
        nextTurn?.cancel()
        nextTurn = nil
        deadlines.closingUs = server.loop.nowUs + server.limits.closingTime.us
        look()
        wantRead()
        if unsentBytes == 0 { endSending() }
    }

    /// Ends the connection with the dialect's last words.
    func end(_ end: LineEnd) {
        guard phase == .open else { return }
        let words = server.dialect.lastWords(end)
        if !words.isEmpty { send(words) }
        close()
    }

    /// Shuts down sending. Later bytes of the peer are read and dropped, so that the last words reach it.
    private func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
        endIfDone()
    }

    /// Ends the connection now. Bytes that the kernel holds for the peer are lost.
    func cut() {
        guard phase != .gone else { return }
        var now = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        gone()
    }

    /// Closes the descriptor; the kernel still sends its bytes.
    func gone() {
        guard phase != .gone else { return }
        phase = .gone
        watch?.cancel()
        alarm.cancel()
        nextTurn?.cancel()
        Glibc.close(descriptor)
        output.clear()
        let owner = owner
        self.owner = nil
        server.forget(self)
        owner?.lineClosed()
    }

    // MARK: Deadlines

    /// Time of the connection's next check; `.max` for never.
    private var deadlineUs: Microseconds {
        deadlines.nextUs(
            isClosing: phase == .closing, isSending: unsentBytes > 0, stalled: server.limits.stalled, idle: isPaused ? nil : idle)
    }

    private func look() {
        guard phase != .gone else { return }
        alarm.set(deadlineUs, on: server.loop) { [weak self] in self?.ring() }
    }

    private func ring() {
        guard server.loop.nowUs >= deadlineUs else { return look() }
        if phase == .open, let idle, !isPaused, unsentBytes == 0 { end(.idle(idle)) } else { cut() }
        look()
    }
}
