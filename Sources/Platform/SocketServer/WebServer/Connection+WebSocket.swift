import BatonSeams
import CLinux
import EventLoop
import Glibc

/// A connection that has become a WebSocket: messages in, frames out.
///
/// Frames contain their own header, so they are written to libwebsockets as raw data: the header would be the same for every watcher.
extension Connection {
    // MARK: Receiving

    /// Reads and handles waiting bytes. One piece a turn, so that a busy peer does not delay the others; but there is no signal again for
    /// bytes that TLS has decrypted.
    func takeIn() {
        let room = unsafe server.loop.inbox
        repeat {
            switch unsafe socket.receive(into: room) {
            case .done(let count): unsafe read(UnsafeRawBufferPointer(rebasing: room[..<count]))
            case .later: return
            case .over: return leave()
            }
        } while readSignal?.isPaused == false && socket.holdsDecryptedBytes
    }

    func read(_ bytes: UnsafeRawBufferPointer) {
        var rest = unsafe bytes[...]
        var isHeard = false
        do throws(FrameReader.Violation) {
            while let event = try unsafe frames.next(from: &rest, within: bounds) {
                if !isHeard { heard() }
                isHeard = true
                take(event)
            }
        } catch {
            close(error.code, error.sentence)
        }
        answerPing()
        watchOverMessage()
        keepPace(with: bytes.count)
    }

    private func take(_ event: FrameReader.Event) {
        switch event {
        case .message(let bytes, let isBinary):
            alarms.endMessage()
            guard phase == .open else { return }
            if isBinary { owner?.linkReceived(binary: bytes) } else { owner?.linkReceived(text: bytes) }
        case .ping(let payload): owed.owePong(payload)
        case .pong: break
        case .close(let code):
            if phase == .open { sendClosing(code ?? 1000, "") }
            leave()
        }
    }

    /// A started message must be complete in time.
    private func watchOverMessage() {
        guard frames.isInsideMessage, phase == .open else { return alarms.endMessage() }
        guard !alarms.awaitsMessage else { return }
        alarms.expectMessage(
            until: server.time.after(server.limits.message) { [weak self] in
                self?.close(4408, "A message was not complete in time.")
            })
    }

    // MARK: Sending

    package var isReady: Bool {
        phase == .open && socket.hasRoom
    }

    package func write(_ frame: Frame) {
        guard mayWrite else { return }
        frame.layHeader()
        let start = Frame.headroom - frame.headerCount
        server.written.add(1, bytes: frame.storage.count - start)
        if unsafe !frame.storage.withUnsafeMutableBytes({ unsafe socket.write($0, from: start) }) { cut() }
    }

    package func write(_ frame: Frame, then next: Frame) {
        guard mayWrite else { return }
        var (both, start) = frame.joined(with: next)
        server.written.add(2, bytes: both.count - start)
        if unsafe !both.withUnsafeMutableBytes({ unsafe socket.write($0, from: start) }) { cut() }
    }

    private nonisolated static let headroom = [UInt8](repeating: 0, count: Frame.headroom)

    private var mayWrite: Bool {
        if isReady { return true }
        assert(phase != .open, "A frame was written while another one waits in the socket library.")
        return false
    }

    /// Answers the last ping, if several came together or before the pipe had room (RFC 6455, 5.5.3).
    private func answerPing() {
        guard phase == .open, let payload = owed.pong else { return }
        guard isReady else { return socket.askForRoom() }
        owed.sentPong()
        control(0x8a, payload)
    }

    func control(_ first: UInt8, _ payload: [UInt8]) {
        var bytes = Self.headroom + [first, UInt8(payload.count)] + payload
        if unsafe !bytes.withUnsafeMutableBytes({ unsafe socket.write($0, from: Frame.headroom) }) { cut() }
    }

    package func wantWritable() {
        guard phase == .open else { return }
        owed.wantWritable()
        socket.askForRoom()
    }

    func writable() {
        if owed.closing != nil { return sayClosing() }
        guard phase == .open else { return }
        answerPing()
        guard owed.wantsWritable else { return }
        guard isReady else { return socket.askForRoom() }
        owed.ownerTold()
        owner?.linkWritable()
    }

    // MARK: Closing

    package func close(_ code: UInt16, _ reason: String) {
        guard phase == .open else { return }
        // A peer that is disconnected because it did not read gets no further wait.
        guard socket.isOpen, socket.hasRoom || code != 4430 else { return cut() }
        sendClosing(code, reason)
        expire(after: server.limits.closingTime)
    }

    private func sendClosing(_ code: UInt16, _ reason: String) {
        phase = .closing
        frames.skipMessages()
        owed.oweClosing(code, reason)
        sayClosing()
    }

    /// Sends the close frame once the pipe has room: a peer that reads earlier frames makes room, and one that does not is cut after a
    /// timeout.
    private func sayClosing() {
        guard let payload = owed.closing else { return }
        guard socket.hasRoom else { return socket.askForRoom() }
        owed.sentClosing()
        control(0x88, payload)
        sayEnd()
    }

    /// After the close frame of a connection that is no longer read, nothing follows in either direction.
    func sayEnd() {
        if drain.isDeaf, owed.closing == nil, socket.hasRoom { shutdown(socket.descriptor, Int32(SHUT_WR)) }
    }
}
