/// The protocol of MPD: its dialect, the ports and the socket file at which programs reach it, and its announcement on the network.
import BatonCore
import BatonHub
import BatonProtocol
import BatonSeams
import Configuration
import Discovery
import Disk
import EventLoop
import Glibc
import MPD
import SocketServer
import Stores

@Loop
final class MPDAssembly: SwitchedDialect {
    private let settings: HubSettings
    private let loop: EventLoop
    private let log: Log
    private let dialect: MPD
    private let parts = OpenedParts()
    private var servers: [LineServer] = []
    private var addresses: [String] = []
    private var problem: String?
    private var isOn: Bool
    private var hasBegun = false
    /// The port on which other machines reach it; `nil` when none can.
    private var networkPort: UInt16?
    private weak var hub: HubAssembly?

    /// Limits of the original for a line, and of this machine's programs.
    private static var limits: LineLimits {
        var limits = LineLimits()
        limits.lineBytes = 8_191
        limits.connections = 2_048
        limits.connectionsPerAddress = 2_048
        return limits
    }

    /// Limits for other machines.
    private static var networkLimits: LineLimits {
        var limits = limits
        limits.connections = 256
        limits.connectionsPerAddress = 32
        return limits
    }

    private static let standardPort: UInt16 = 6_600

    init(_ settings: HubSettings, _ hub: Hub, disk: any FolderReading, on loop: EventLoop, log: Log) {
        self.settings = settings
        self.loop = loop
        self.log = log
        isOn = settings.mpd != nil
        dialect = MPD(
            hub.ports,
            .init(
                songs: { [parts] in parts.songs }, stickers: { [parts] in parts.store }, passwords: { [parts] in parts.passwords },
                folders: disk, musicFolders: { settings.music }, wallMs: { Clock.wallMs() },
                random: { SystemRandomNumberGenerator().number }, idle: Self.limits.idle))
        hub.add(dialect)
    }

    // MARK: Opening

    /// Opens the ports, unless it was switched off.
    func begin(_ hub: HubAssembly) {
        self.hub = hub
        hasBegun = true
        guard isOn else { return }
        open()
        if networkPort != nil { hub.announceAgain() }
    }

    /// Opens the ports. One that is taken is a problem, and the hub runs without it.
    private func open() {
        problem = nil
        let port = settings.mpd ?? Self.standardPort
        let hosts = settings.mpdListen
        let near = LineServer(loop, for: dialect, limits: Self.limits)
        servers.append(near)
        // A port that is open at all addresses is open on this machine, too.
        if !hosts.contains(where: { $0 == "0.0.0.0" || $0 == "::" }) { listen(on: "127.0.0.1", port, by: near) }
        openSocket(near)
        for room in settings.mpdRooms {
            let server = LineServer(loop, for: dialect.door(of: RoomID(room.room)), limits: Self.limits)
            servers.append(server)
            listen(on: "127.0.0.1", room.port, by: server)
        }
        guard !hosts.isEmpty else { return }
        let far = LineServer(loop, for: dialect, limits: Self.networkLimits)
        servers.append(far)
        for host in hosts { if let opened = listen(on: host, port, by: far) { networkPort = networkPort ?? opened } }
    }

    @discardableResult
    private func listen(on host: String, _ port: UInt16, by server: LineServer) -> UInt16? {
        do throws(ListenFault) {
            let opened = try server.listen(tcp: host, port: port)
            addresses.append(ListenAddress(host: host, port: opened).text)
            return opened
        } catch {
            note(error)
            return nil
        }
    }

    private func openSocket(_ server: LineServer) {
        guard let slash = settings.socket.lastIndex(of: "/") else { return }
        let path = settings.socket[...slash] + "mpd.sock"
        do throws(ListenFault) {
            try server.listen(unix: String(path), mode: 0o660)
            addresses.append(String(path))
        } catch {
            note(error)
        }
    }

    private func note(_ fault: ListenFault) {
        problem = problem ?? fault.sentence
        log(.warning, "MPD: \(fault.sentence)")
    }

    /// The store of stickers and passwords; `nil` when it cannot be opened.
    static func store(_ settings: HubSettings, on loop: EventLoop, log: Log) async -> DialectStore? {
        switch await withTaskExecutorPreference(loop.blockingPool, operation: { await Self.opened(in: settings.data) }) {
        case .success(let store):
            for notice in store.notices { log(.warning, notice) }
            return store
        case .failure(let fault):
            log(.error, "The stickers and passwords of MPD cannot be opened: \(fault.sentence)")
            return nil
        }
    }

    private nonisolated static func opened(in folder: String) async -> Result<DialectStore, SourceFault> {
        Result { () throws(SourceFault) in try DialectStore(folder: folder) }
    }

    /// Takes over what was opened after the hub had begun to answer.
    func open(songs: (any SongReading)?, store: DialectStore?, passwords: (any DialectPasswords)?) {
        parts.songs = songs
        parts.store = store
        parts.passwords = passwords
    }

    /// Its services on the network. What only this machine can reach is not announced.
    var services: [ServiceRecord] { networkPort.map { [ServiceRecord(type: "_mpd._tcp", port: $0)] } ?? [] }

    func close() async {
        let servers = servers
        self.servers = []
        addresses = []
        networkPort = nil
        for server in servers { await server.close() }
    }

    // MARK: As its owner sees it

    var name: String { MPD.name }

    var facts: DialectFacts {
        DialectFacts(isOn: isOn, addresses: addresses, problem: problem, connections: dialect.connected)
    }

    func turn(on isOn: Bool) async {
        guard isOn != self.isOn else { return }
        self.isOn = isOn
        guard hasBegun else { return }
        if isOn {
            open()
        } else {
            problem = nil
            await close()
        }
        hub?.announceAgain()
    }

    func passwordsChanged() { dialect.passwordsChanged() }
}

/// The parts that exist once their files are open.
@Loop
private final class OpenedParts {
    var songs: (any SongReading)?
    var store: DialectStore?
    var passwords: (any DialectPasswords)?
}

extension SystemRandomNumberGenerator {
    fileprivate var number: UInt64 {
        var generator = self
        return generator.next()
    }
}
