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
    /// The messages for clients that learn no names of other people.
    private var nameless = StateFrames(hidesNames: true)
    private var queueFrames: [RoomID: (last: Int, frames: [Int: Frame])] = [:]
    private var sessionNumbers = 0
    /// Number of connected clients that speak an earlier version, by their address.
    private var earlierClients: [String: Int] = [:]

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

    // MARK: Connections

    func earlierClientCame(from address: String) { earlierClients[address, default: 0] += 1 }

    func earlierClientLeft(from address: String) {
        guard let count = earlierClients[address] else { return }
        earlierClients[address] = count > 1 ? count - 1 : nil
    }

    /// Number of connections from this address that have not been welcomed.
    func strangers(from address: String) -> Int { subscribers.count(fromAddress: address) + (earlierClients[address] ?? 0) }

    // MARK: Frames

    /// One state message for all clients that lack the same changes.
    func frame(for key: StateFrames.Key) -> Frame? {
        key.learnsNames ? frames.frame(for: key, state: state) : nameless.frame(for: key, state: state)
    }

    /// A state message with exactly these sections, or with none.
    func write(_ sections: SectionSet, _ key: StateFrames.Key) -> Frame {
        key.learnsNames ? frames.write(sections, for: key, of: state) : nameless.write(sections, for: key, of: state)
    }

    /// A whole state with the hub's profiles, for a single request.
    func wholeState(of room: RoomID, _ wanted: SectionSet, learnsNames: Bool) -> [UInt8] {
        let features = ports.profiles.features()
        return learnsNames
            ? frames.whole(wanted, of: room, naming: features, from: state)
            : nameless.whole(wanted, of: room, naming: features, from: state)
    }

    /// The content of `frame(for:)` in several messages, for a client with a size limit.
    func parts(of key: StateFrames.Key, within longest: Int) -> [Frame] {
        key.learnsNames ? frames.parts(of: key, within: longest, state) : nameless.parts(of: key, within: longest, state)
    }

    /// The content of `write` in several messages, for a client with a size limit.
    func parts(_ sections: SectionSet, _ key: StateFrames.Key, within longest: Int) -> [Frame] {
        key.learnsNames
            ? frames.parts(sections, for: key, within: longest, of: state) : nameless.parts(sections, for: key, within: longest, of: state)
    }

    func encoded(_ sections: SectionSet, of room: RoomID, learnsNames: Bool) -> [EncodedSection] {
        learnsNames ? frames.encoded(sections, of: room, state) : nameless.encoded(sections, of: room, state)
    }

    /// One message for all clients that lack the same changes of a queue. A client whose size limit is too small for it reads the rows, or
    /// the queue, again.
    func queueNews(of room: RoomID, since number: Int, to last: Int, within longest: Int?, learnsNames: Bool) -> Frame? {
        let frame = queueNews(of: room, since: number, to: last, learnsNames: learnsNames)
        guard let longest, let frame, frame.payloadCount > longest, var news = ports.queues.news(of: room, since: number) else {
            return frame
        }
        if !learnsNames { news = news.withoutNames }
        if let cut = Frame.encoding(within: longest, news.encode) { return cut }
        news.rows = []
        // A number that no step has yields the news to read the queue again.
        let reset = ports.queues.news(of: room, since: -1)
        return Frame.encoding(within: longest, news.encode) ?? reset.map { reset in .encoding { reset.encode(into: &$0) } }
    }

    private func queueNews(of room: RoomID, since number: Int, to last: Int, learnsNames: Bool) -> Frame? {
        guard learnsNames else { return ports.queues.news(of: room, since: number).map { .encoding($0.withoutNames.encode) } }
        if queueFrames[room]?.last != last { queueFrames[room] = (last, [:]) }
        if let known = queueFrames[room]?.frames[number] { return known }
        guard let news = ports.queues.news(of: room, since: number) else { return nil }
        let frame = Frame.encoding(news.encode)
        queueFrames[room]?.frames[number] = frame
        return frame
    }

    // MARK: As the hub sees it

    package var connections: Int { subscribers.count + earlierClients.values.reduce(0, +) }
    package var connectionsByDevice: [DeviceID: Int] { subscribers.connections }
    package var memoryFigures: [HubDiagnostics.Memory.Figure] {
        [
            .init("sessions", subscribers.count), .init("queuedBytes", subscribers.queuedBytes),
            .init("frames", frames.count + nameless.count),
        ]
    }

    package func end(_ device: DeviceID, _ fault: ProtocolFault) {
        subscribers.end(device, with: fault.code == .revoked ? .revokedOrForbidden : .restarting, because: fault)
    }

    package func usersChanged() {
        for session in subscribers.sessions { session.checkUser() }
    }

    package func close() { subscribers.endAll(.goingAway, "The hub is stopping.") }
}
