import BatonSeams
import EventLoop
import Glibc

/// How a connection is slowed down by what it sends, and what is still read of one that is ending.
extension Connection {
    /// Slows a peer down that sends more than it may, and ends the connection when that does not help.
    func keepPace(with count: Int) {
        guard phase == .open else { return drain(count) }
        switch meter.charge(frames: reader.takeFrames(), bytes: count, atUs: server.time.nowUs, moreWaits: socket.hasUnreadBytes) {
        case .goOn: break
        case .pause(let us):
            readSignal?.pause()
            pauseAlarm = server.time.after(.microseconds(us)) { [weak self] in self?.readSignal?.resume() }
        case .close:
            close(4429, "Too much was sent, and more after that.")
            hearNoMore()
        }
    }

    /// The peer's own close frame may stand behind what it was sending, so some of that is read.
    func drain(_ count: Int) {
        drainedBytes += count
        if drainedBytes > server.limits.closingBytes { hearNoMore() }
    }

    /// Nothing is read from here on: what the peer still sends fills the kernel's room for it and then
    /// waits on the peer's side, until `closingTime` is over and the connection is cut.
    private func hearNoMore() {
        guard phase == .closing || phase == .discarding, socket.isOpen else { return }
        pauseAlarm?.cancel()
        readSignal?.pause()
        socket.pauseReading()
        isDeaf = true
        sayEnd()
        expire(after: server.limits.closingTime)
    }
}
