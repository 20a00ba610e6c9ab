import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// What the socket tells a session.
extension Session: LinkOwner {
    func linkOpened(_ link: any Link) {
        self.link = link
        link.messageLimit = hub.limits.frameBeforeWelcome
        link.binaryLimit = hub.limits.frameBeforeWelcome
        link.patience = hub.limits.patience(with: .full)
        link.allowance = hub.limits.frameAllowance
        hub.subscribers.enter(self)
    }

    func linkReceived(text: [UInt8]) {
        guard phase != .ended else { return }
        let receivedUs = hub.clock.nowUs
        do throws(ProtocolFault) {
            let message = try ClientMessage.decode(text, limits: hub.limits)
            if isLive { take(message, receivedUs: receivedUs) } else { greet(message, text, receivedUs: receivedUs) }
        } catch {
            guard isLive else { return end(.malformed, error.sentence) }
            if error.isStrike, abuse.strikes(atUs: receivedUs, allowed: hub.limits) {
                return end(.malformed, error.sentence)
            }
            refuse(error)
        }
    }

    func linkReceived(binary: [UInt8]) {
        // No binary channel goes this way yet; an unknown one is ignored once the peer is known.
        if !isLive { end(.malformed, "The first message must be hello.") }
    }

    func linkWritable() {
        stalledSinceUs = nil
        guard let link, phase == .live || !lane.isEmpty else { return }
        if !lane.isEmpty {
            repeat { link.write(takeFirst()) } while !lane.isEmpty && link.isReady
            return link.wantWritable()
        }
        catchUp(atUs: hub.clock.nowUs)
        sendPicture()
    }

    /// The pipe gets all it takes at once: a turn brings several commands, and one answer a turn would let
    /// the answers of somebody who reads pile up.
    private func takeFirst() -> Frame {
        let frame = lane.removeFirst()
        laneBytes -= frame.payloadCount
        return frame
    }

    func linkClosed() {
        abandonPairing()
        phase = .ended
        giveUpWork()
        lane = []
        hub.people.leave(self)
        hub.subscribers.leave(self)
        link = nil
    }
}
