import BatonCore
package import BatonProtocol
package import BatonSeams
import BatonWire

/// The companion protocol: its sessions, their frames, and the calls over HTTP that belong to it.
///
/// Like every dialect, it sends commands to the door and reads state from `HubState`.
@Loop
package final class Companion: Dialect {
    let ports: DialectPorts
    let limits: WireLimits
    let reactor: any Reactor
    let door: any CommandDoor
    let state: HubState
    let subscribers: Subscribers
    private var frames = StateFrames()
    private var queueFrames: [RoomID: (last: Int, frames: [Int: Frame])] = [:]
    private var sessionNumbers = 0

    package init(_ ports: DialectPorts) {
        self.ports = ports
        limits = ports.limits
        reactor = ports.reactor
        door = ports.door
        state = ports.state
        subscribers = Subscribers(reactor: ports.reactor, limits: ports.limits, ended: ports.connectionEnded)
        _ = state.observe { [weak subscribers] in subscribers?.tell() }
    }

    func nextSession() -> Int {
        sessionNumbers += 1
        return sessionNumbers
    }

    // MARK: Frames

    /// One state message for all clients that lack the same changes.
    func frame(for key: StateFrames.Key) -> Frame? { frames.frame(for: key, state: state) }

    /// A state message with exactly these sections, or with none.
    func write(_ sections: SectionSet, _ key: StateFrames.Key) -> Frame { frames.write(sections, for: key, of: state) }

    /// The content of `frame(for:)` in several messages, for a client with a size limit.
    func parts(of key: StateFrames.Key, within longest: Int) -> [Frame] { frames.parts(of: key, within: longest, state) }

    /// The content of `write` in several messages, for a client with a size limit.
    func parts(_ sections: SectionSet, _ key: StateFrames.Key, within longest: Int) -> [Frame] {
        frames.parts(sections, for: key, within: longest, of: state)
    }

    func encoded(_ sections: SectionSet, of room: RoomID) -> [EncodedSection] { frames.encoded(sections, of: room, state) }

    /// One message for all clients that lack the same changes of a queue. A client whose size limit is too small for it reads the rows, or
    /// the queue, again.
    func queueNews(of room: RoomID, since number: Int, to last: Int, within longest: Int?) -> Frame? {
        let frame = queueNews(of: room, since: number, to: last)
        guard let longest, let frame, frame.payloadCount > longest, var news = ports.queues.news(of: room, since: number) else {
            return frame
        }
        if let cut = Frame.encoding(within: longest, news.encode) { return cut }
        news.rows = []
        // A number that no step has yields the news to read the queue again.
        let reset = ports.queues.news(of: room, since: -1)
        return Frame.encoding(within: longest, news.encode) ?? reset.map { reset in .encoding { reset.encode(into: &$0) } }
    }

    private func queueNews(of room: RoomID, since number: Int, to last: Int) -> Frame? {
        if queueFrames[room]?.last != last { queueFrames[room] = (last, [:]) }
        if let known = queueFrames[room]?.frames[number] { return known }
        guard let news = ports.queues.news(of: room, since: number) else { return nil }
        let frame = Frame.encoding(news.encode)
        queueFrames[room]?.frames[number] = frame
        return frame
    }

    // MARK: As the hub sees it

    package var connections: Int { subscribers.count }
    package var connectionsByDevice: [DeviceID: Int] { subscribers.connections }
    package var memoryFigures: [HubDiagnostics.Memory.Figure] {
        [.init("sessions", subscribers.count), .init("queuedBytes", subscribers.queuedBytes), .init("frames", frames.count)]
    }

    package func end(_ device: DeviceID, _ fault: ProtocolFault) {
        subscribers.end(device, with: fault.code == .revoked ? .revokedOrForbidden : .restarting, because: fault)
    }

    package func usersChanged() {
        for session in subscribers.sessions { session.checkUser() }
    }

    package func close() { subscribers.endAll(.goingAway, "The hub is stopping.") }
}
