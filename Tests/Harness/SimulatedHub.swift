package import BatonCore
package import BatonHub
package import BatonProtocol
package import BatonSeams
import Sockets

/// The hub that ships, with its clock, journal, sources and players in memory. It can be killed and
/// started again on the same journal.
@Loop
package final class SimulatedHub {
    package let time: VirtualTime
    package let journal: MemoryJournal
    package private(set) var hub: Hub!
    package private(set) var desk: FrontDesk!
    package private(set) var players: [SimulatedPlayer] = []
    private let limits: WireLimits
    private let volume: VolumeRail
    package var broken: Set<String> = []

    package init(time: VirtualTime = VirtualTime(), limits: WireLimits = .standard, volume: VolumeRail = VolumeRail()) throws {
        self.time = time
        self.limits = limits
        self.volume = volume
        journal = MemoryJournal()
        try start()
    }

    package var player: SimulatedPlayer { players[players.count - 1] }

    /// As after a crash: whatever the hub had not kept is gone.
    package func restart() throws {
        players = []
        try start()
    }

    private func start() throws {
        let time = time
        hub = try Hub(
            HubParts(
                reactor: time, log: .silent, limits: limits, identity: HubIdentity(id: "sim", name: "Simulated", boot: "b1"),
                journal: journal, connectors: [MemoryFiles()],
                makeEngine: { [weak self] report in
                    let player = SimulatedPlayer(time: time, report: report)
                    player.broken = self?.broken ?? []
                    self?.players.append(player)
                    return player
                },
                wallMs: { 1_700_000_000_000 }, volume: volume))
        desk = FrontDesk(hub: hub, policy: .init())
    }

    /// A remote that is connected but has not said hello.
    package func connect(over channel: Peer.Channel = .loopback, headers: [String: String] = ["host": "127.0.0.1:9442"]) throws
        -> TestRemote
    {
        let request = HTTPRequest(
            method: .get, path: "/companion/v1", headers: headers, peer: Peer(channel: channel, address: "127.0.0.1"))
        switch desk.admit(request) {
        case .accept(let owner): return TestRemote(owner: owner, peer: request.peer)
        case .refuse(let response): throw Refused(status: response.status, sentence: String(decoding: response.body, as: UTF8.self))
        }
    }

    package struct Refused: Error, Equatable {
        package let status: Int
        package let sentence: String
    }

    /// A remote that has been welcomed and has its first state.
    package func remote(
        _ profile: Profile = .full, id: String = "client-1", over channel: Peer.Channel = .unix(uid: 0, gid: 0)
    ) throws -> TestRemote {
        let remote = try connect(over: channel)
        remote.send(JSONWriter.bytes(Hello(profile: profile, client: .init(id: id, run: "r1", name: id)).encode))
        return remote
    }
}

/// Any `file:` item exists; folders named `album:N` hold so many tracks.
private struct MemoryFiles: Connector {
    let source = "file"

    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [Offer] {
        let path = uri.text.hasPrefix("/") ? uri.text : String(uri.text.dropFirst("file:track/".count))
        if path.contains("missing") { throw SourceFault(.notFound, "There is no “\(path)”.") }
        if trust == .itemsOnly { throw SourceFault(.forbidden, "Guests may not name paths.") }
        guard let colon = path.firstIndex(of: ":"), let count = Int(path[path.index(after: colon)...]) else {
            return [Offer(uri: ItemURI("file:track/\(path)"), tags: Tags(title: path, durationMs: 180_000))]
        }
        return (1...count).map { Offer(uri: ItemURI("file:track/\(path)/\($0)"), tags: Tags(title: "\(path) \($0)", durationMs: 180_000)) }
    }

    func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        Playable(.file(String(uri.text.dropFirst("file:track/".count))))
    }
}
