package import BatonClient
package import BatonCore
package import BatonHub
package import BatonKernel
package import BatonLibrary
package import BatonProtocol
package import BatonSeams
import BatonWire
package import Companion
import Crypto

/// The hub that ships, with its clock, journal, sources and players in memory. It can be killed and
/// started again on the same journal.
@Loop
package final class SimulatedHub {
    package let time: VirtualTime
    package let journal: MemoryJournal
    package let keyStore = MemoryKeyStore()
    /// SHA-256 of the public key that this hub would have.
    package static let hubKey = [UInt8](repeating: 0x5a, count: 32)
    package private(set) var hub: Hub!
    package private(set) var companion: Companion!
    package private(set) var router: (any Reception)!
    /// The player of each room, also of those that are gone.
    package private(set) var players: [RoomID: SimulatedPlayer] = [:]
    private let limits: WireLimits
    private let volume: VolumeRail
    private let guestVolume: ClosedRange<Int>?
    package var broken: Set<String> = []
    /// The chapters of all that plays, from the next player on.
    package var chapters: [ChapterList.Mark] = []
    /// Hears what players are told to do, from the next player on.
    package var onOrder: ((RoomID, String) -> Void)?
    /// The process that runs now.
    package private(set) var life = Lifetime()
    /// Where its questions to sources wait; without a `sourceDelay` they are answered at once.
    package private(set) var gate: SourceGate?
    private let sourceDelay: Duration
    private let trackMs: Milliseconds
    private let seed: UInt64
    private let output: String
    /// Where each room is heard.
    package private(set) var outputs: [RoomID: String] = [:]
    /// What the owner allows beside `devices`; a restart makes it so.
    package var allowedOutputs: [String]
    /// What the players list when they are asked; `nil` never answers.
    package var devices: [AudioDevice]? = []
    /// How often they were asked.
    package private(set) var deviceQuestions = 0
    private let lanPlain: Role?
    private let origins: [String]
    /// Sources beside the files, and what is stored of their items; `nil` is a hub without any of it.
    package let library: LibraryParts?
    private let blockingPool: (any TaskExecutor)?
    private let userPolicy: UserPolicy
    private let guestStayMs: Milliseconds?
    private let crashes: (any CrashNoting)?
    package let userStorage = MemoryUsers()
    package let passwords = PlainPasswords()
    /// Kept, since a stream ends with its last continuation.
    private var silences: [AsyncStream<Never>.Continuation] = []
    /// By how much the wall clock was set, forwards or backwards.
    package var wallShiftMs: Milliseconds = 0
    /// How often free memory was to be given back to the system.
    package private(set) var memoryReleases = 0
    /// What work between two looks at the clock takes.
    package var lookCostUs: Microseconds = 0

    package init(
        time: VirtualTime = VirtualTime(), limits: WireLimits = .standard, volume: VolumeRail = VolumeRail(),
        guestVolume: ClosedRange<Int>? = nil,
        sourceDelay: Duration = .zero, trackMs: Milliseconds = 180_000, seed: UInt64 = 0, output: String = "null",
        allowedOutputs: [String] = [],
        lanPlain: Role? = nil,
        origins: [String] = [], library: LibraryParts? = nil, blockingPool: (any TaskExecutor)? = nil,
        userPolicy: UserPolicy = UserPolicy(), guestStayMs: Milliseconds? = nil, crashes: (any CrashNoting)? = nil
    ) throws {
        self.crashes = crashes
        self.userPolicy = userPolicy
        self.guestStayMs = guestStayMs
        self.library = library
        self.blockingPool = blockingPool
        self.time = time
        self.limits = limits
        self.volume = volume
        self.guestVolume = guestVolume
        self.sourceDelay = sourceDelay
        self.trackMs = trackMs
        self.seed = seed
        self.output = output
        self.allowedOutputs = allowedOutputs
        self.lanPlain = lanPlain
        self.origins = origins
        journal = MemoryJournal { Milliseconds(time.nowUs) }
        try start()
    }

    /// The first room's.
    package var player: SimulatedPlayer { players[RoomID("main")]! }

    /// As after a crash: whatever the hub had not kept is gone.
    package func restart() throws {
        kill()
        try start()
    }

    package func kill() {
        life.end()
        players = [:]
    }

    package func start() throws {
        let time = time
        let life = Lifetime()
        self.life = life
        let reactor = MortalReactor(time: time, life: life) { [weak self] in self?.lookCostUs ?? 0 }
        gate = sourceDelay == .zero ? nil : SourceGate(time: time, life: life, seed: seed, longest: sourceDelay)
        let wallMs: @Sendable () -> Milliseconds = { [weak self] in
            Loop.assumeIsolated { 1_700_000_000_000 + Milliseconds(time.nowUs) + (self?.wallShiftMs ?? 0) }
        }
        let deviceRegistry = try DeviceRegistry(
            DeviceRegistry.Parts(
                cryptography: OpenSSL(), keyStore: keyStore, codec: .wire, hubKey: Self.hubKey, addresses: ["192.168.1.7:9443"]),
            limits: limits, reactor: reactor, log: .silent, wallMs: wallMs)
        let users = UserRegistry(
            UserRegistry.Parts(
                cryptography: OpenSSL(), passwords: passwords, storage: userStorage, policy: userPolicy, guestStayMs: guestStayMs),
            try userStorage.load(), reactor: reactor, log: .silent, wallMs: wallMs)
        hub = try Hub(
            HubParts(
                reactor: reactor, log: .silent, limits: limits, identity: HubIdentity(id: "sim", name: "Simulated", boot: "b1"),
                journal: MortalJournal(journal: journal, life: life), crashes: crashes, codec: .wire,
                connectors: [MemoryFiles(trackMs: trackMs, gate: gate)], blockingPool: blockingPool,
                makeEngine: { [weak self] room, output, report in
                    let player = SimulatedPlayer(time: reactor) { if !life.isOver { report($0) } }
                    player.trackMs = self?.trackMs ?? 180_000
                    player.broken = self?.broken ?? []
                    player.chapters = self?.chapters ?? []
                    if let hear = self?.onOrder { player.onOrder = { hear(room, $0) } }
                    self?.players[room] = player
                    self?.outputs[room] = output
                    return player
                }, output: output, allowedOutputs: allowedOutputs, listDevices: { [weak self] in await self?.listDevices() ?? [] },
                wallMs: wallMs, volume: volume, guestVolume: guestVolume, deviceRegistry: deviceRegistry, users: users,
                releaseMemory: { [weak self] in self?.memoryReleases += 1 }), library: library)
        companion = Companion(hub.ports)
        hub.add(companion)
        let policy = AdmissionPolicy(lanPlain: lanPlain, origins: origins)
        var routes = Routes()
        RequestRouter.register(companion, policy, in: &routes)
        router = RequestRouter.reception(of: routes, companion, policy)
        hub.lookForOutputs()
    }

    private func listDevices() async -> [AudioDevice] {
        deviceQuestions += 1
        if let devices { return devices }
        let silence = AsyncStream<Never>.makeStream()
        silences.append(silence.continuation)
        for await _ in silence.stream {}
        return []
    }

    /// A remote that is connected but has not said hello.
    package func connect(
        over channel: Peer.Channel = .loopback, from address: String = "127.0.0.1", headers: [String: String] = ["host": "127.0.0.1:9442"],
        path: String = "/baton"
    ) throws -> TestRemote {
        let request = HTTPRequest(
            method: .get, path: path, headers: headers, peer: Peer(channel: channel, address: address))
        switch router.upgrade(request) {
        case .accept(let owner): return TestRemote(owner: owner, peer: request.peer)
        case .refuse(let response): throw Refused(status: response.status, sentence: String(decoding: response.body, as: UTF8.self))
        }
    }

    /// A new connection through the router, and what is behind it.
    package func admit(from peer: Peer) throws -> any LinkOwner {
        let request = HTTPRequest(method: .get, path: "/baton", headers: ["host": "127.0.0.1:9442"], peer: peer)
        switch router.upgrade(request) {
        case .accept(let owner): return owner
        case .refuse(let response): throw Refused(status: response.status, sentence: String(decoding: response.body, as: UTF8.self))
        }
    }

    package struct Refused: Error, Equatable {
        package let status: Int
        package let sentence: String
    }

    /// A remote that has been welcomed and has its first state.
    package func remote(
        _ view: StateView = .full, id: String = "client-1", over channel: Peer.Channel = .unix(uid: 0, gid: 0),
        rooms: [RoomID]? = nil, holding kept: Mirror? = nil, of held: [RoomID]? = nil
    ) throws -> TestRemote {
        let remote = try connect(over: channel)
        let resume = kept.map {
            Hello.Resume(
                epoch: hub.epoch, revision: $0.revision, rooms: held ?? [$0.room].compactMap { $0 }, sections: view.sections)
        }
        let hello = Hello(view: view.rawValue, client: .init(id: id, run: "r1", name: id), resume: resume, rooms: rooms)
        remote.send(JSONWriter.bytes(hello.encode))
        return remote
    }
}

/// Any `file:` item exists; folders named `album:N` hold so many tracks. What is named `missing` is
/// not there, and what is named `lost` is there until it is wanted.
private struct MemoryFiles: Connector {
    let source = "file"
    let about = SourceAbout(name: "file", abilities: .paths)
    let trackMs: Milliseconds
    let gate: SourceGate?

    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        await gate?.wait(for: uri.text)
        let path = uri.text.hasPrefix("/") ? uri.text : String(uri.text.dropFirst("file:track/".count))
        if path.contains("missing") { throw SourceFault(.notFound, "There is no “\(path)”.") }
        if trust == .itemsOnly, uri.text.hasPrefix("/") { throw SourceFault(.notFound, "There is no such item in this hub's library.") }
        guard let colon = path.firstIndex(of: ":"), let count = Int(path[path.index(after: colon)...]) else {
            return [NewEntry(uri: ItemURI("file:track/\(path)"), tags: Tags(title: path, durationMs: trackMs))]
        }
        return (1...count).map {
            NewEntry(uri: ItemURI("file:track/\(path)/\($0)"), tags: Tags(title: "\(path) \($0)", durationMs: trackMs))
        }
    }

    func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        await gate?.wait(for: uri.text)
        if uri.text.contains("lost") { throw SourceFault(.notFound, "“\(uri)” is no longer there.") }
        return Playable(.file(String(uri.text.dropFirst("file:track/".count))))
    }
}
