import BatonSeams
import CLinux
import CWebSockets
import Glibc

/// How a connection is slowed down by what it sends, and what is still read of one that is ending.
extension Connection {
    /// Slows a peer down that sends more than it may, and ends the connection when that does not help.
    func keepPace(with count: Int) {
        guard phase == .open else { return drain(count) }
        switch meter.charge(frames: reader.takeFrames(), bytes: count, atUs: server.loop.nowUs, moreWaits: moreWaits) {
        case .goOn: break
        case .pause(let us):
            intake?.pause()
            pauseAlarm = server.loop.after(.microseconds(us)) { [weak self] in self?.intake?.goOn() }
        case .close:
            close(4429, "Too much was sent, and more after that.")
            hearNoMore()
        }
    }

    private var moreWaits: Bool {
        var byte: UInt8 = 0
        if unsafe recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK)) > 0 { return true }
        return unsafe isSecure && TLS.holdsBytes(lws_get_ssl(wsi))
    }

    /// The peer's own close frame may stand behind what it was sending, so some of that is read.
    func drain(_ count: Int) {
        drainedBytes += count
        if drainedBytes > server.limits.closingBytes { hearNoMore() }
    }

    /// Nothing is read from here on: what the peer still sends fills the kernel's room for it and then
    /// waits on the peer's side, until `closingTime` is over and the connection is cut.
    private func hearNoMore() {
        guard phase == .closing || phase == .discarding, let wsi = unsafe wsi else { return }
        pauseAlarm?.cancel()
        intake?.pause()
        unsafe lws_rx_flow_control(wsi, 0)
        shutdown(descriptor, Int32(SHUT_WR))
        expire(after: server.limits.closingTime)
    }
}
