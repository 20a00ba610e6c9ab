import BatonSeams
import EventLoop
import Glibc

/// Rate limits of a connection, and the remaining reads of one that is ending.
extension Connection {
    /// Slows down a peer that sends too much, and ends the connection if that does not help.
    func keepPace(with count: Int) {
        guard phase == .open else { return dropRest(count) }
        switch frames.charge(bytes: count, atUs: server.time.nowUs, moreWaits: socket.hasUnreadBytes) {
        case .goOn: break
        case .pause(let us):
            readSignal?.pause()
            alarms.pause = server.time.after(.microseconds(us)) { [weak self] in self?.readSignal?.resume() }
        case .close:
            close(4429, "Too much was sent, and more after that.")
            hearNoMore()
        }
    }

    /// Reads some more bytes, since the peer's close frame may come after other data.
    func dropRest(_ count: Int) {
        if drain.take(count, most: server.limits.closingBytes) { hearNoMore() }
    }

    /// Stops reading: further bytes fill the kernel's buffer and then wait on the peer's side, until `closingTime` is over and the
    /// connection is cut.
    private func hearNoMore() {
        guard phase == .closing || phase == .discarding, socket.isOpen else { return }
        alarms.pause?.cancel()
        readSignal?.pause()
        socket.pauseReading()
        drain.stop()
        sayEnd()
        expire(after: server.limits.closingTime)
    }
}
