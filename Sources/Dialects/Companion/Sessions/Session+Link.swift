import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// Events of the session's socket.
extension Session: LinkOwner {
    func linkOpened(_ link: any Link) {
        self.link = link
        link.bounds = companion.limits.linkBoundsBeforeWelcome
        companion.subscribers.enter(self)
    }

    func linkReceived(text: [UInt8]) {
        guard phase != .ended else { return }
        let receivedUs = companion.reactor.nowUs
        do throws(ProtocolFault) {
            let message = try ClientMessage.decode(text, limits: companion.limits)
            if isLive { take(message, receivedUs: receivedUs) } else { greet(message, text, receivedUs: receivedUs) }
        } catch {
            guard isLive else { return refuseGreeting(error) }
            if error.code == .unsupportedVersion { return refuse(Self.helloComesOnce) }
            if error.isStrike, strikes.isOneTooMany(atUs: receivedUs, allowed: companion.limits) {
                return end(.malformed, error.sentence)
            }
            refuse(error)
        }
    }

    func linkReceived(binary: [UInt8]) {
        // There is no binary channel in this direction; an unknown one is ignored once the peer is known.
        if !isLive { end(.malformed, "The first message must be hello.") }
    }

    func linkWritable() {
        stalledSinceUs = nil
        guard let link, phase == .live || hasQueued else { return }
        if hasQueued {
            repeat { link.write(takeFirst()) } while hasQueued && link.isReady
            return link.wantWritable()
        }
        catchUp(atUs: companion.reactor.nowUs)
        sendPicture()
    }

    /// The next frame. The pipe gets as much as it accepts at once: one turn brings several commands, so with one answer a turn the answers
    /// would pile up.
    private func takeFirst() -> Frame {
        let frame = queued.removeFirst()
        queuedBytes -= frame.payloadCount
        return frame
    }

    func linkClosed() {
        abandonPairing()
        phase = .ended
        giveUpWork()
        queued = []
        companion.subscribers.leave(self)
        link = nil
    }
}
