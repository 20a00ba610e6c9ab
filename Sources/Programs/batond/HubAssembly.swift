/// The hub and everything it stands on, put together from the settings and taken apart in the
/// reverse order.
import BatonCore
import BatonHub
import BatonProtocol
import BatonSeams
import Companion
import Configuration
import Crypto
import Demo
import Discovery
import Disk
import EventLoop
import HTTPClient
import KeptStore
import Local
import Player
import StateStore
import Threads
import TrackCache
import Web
import WebServer

@Loop
final class HubAssembly {
    let settings: HubSettings
    let loop: EventLoop
    private let log: Log
    let store: StateStore
    let hub: Hub
    let server: Server
    private let memory: MemoryKeeper
    let secure: SecurePort
    private(set) var advertiser: Advertiser?
    private(set) var addresses: [ListenAddress] = []
    private let disk: TimedDisk
    private let library: LocalLibrary
    private let demo: String?
    private(set) var rooms: LibraryAssembly?
    private(set) var accounts: AccountsAssembly?
    private var kept: KeptStore?
    private let radio: RadioAssembly
    private var podcasts: PodcastAssembly?
    private var generation: GenerationAssembly?
    /// One for all sources, since it has threads of its own.
    let http: HTTPClient
    /// Whether the library was opened, or could not be.
    private(set) var hasSettled = false
    private var looking: Task<Void, Never>?
    /// For the first look at the music folders.
    private static let patience = Duration.seconds(3)

    init(_ settings: HubSettings, _ store: StateStore, _ keys: SecurePort.Keys, _ loop: EventLoop, _ log: Log) throws {
        self.settings = settings
        self.store = store
        self.loop = loop
        self.log = log
        let demo = settings.demo ? settings.data + "/demo" : nil
        self.demo = demo
        let memory = MemoryKeeper(loop)
        self.memory = memory
        let bounds = settings.libraryBounds
        // The built-in album lies in the data folder, of which nothing else is ever played or shown.
        disk = TimedDisk(Disk(excluding: bounds.excluded, exceptFor: demo == nil ? [] : bounds.data.map { $0 + "/demo" }))
        var calling = HTTPClient.Options()
        calling.allowed = settings.allowedHosts
        calling.proxies = Proxies(environment: Surroundings.current().environment)
        http = HTTPClient(calling)
        let radio = RadioAssembly(settings, http, log)
        self.radio = radio
        let library = LocalLibrary(folders: settings.music + [demo].compactMap { $0 }, disk: disk)
        self.library = library
        secure = try SecurePort(settings, keys, host: settings.hostNames.first ?? "", loop, log)
        hub = try Hub(
            HubParts(
                reactor: loop, log: log, limits: settings.limits, identity: HubIdentity(settings: settings), journal: store, codec: .wire,
                connectors: [library, WebAddresses(http: http, radio: radio.playing)], blockingPool: loop.blockingPool,
                quietPool: BlockingPool(isQuiet: true), sourceThreads: { _ in BlockingPool(threads: Sources.threadsOfOne) },
                searchDeadline: .milliseconds(settings.searchDeadlineMs),
                makeEngine: { _, output, report in
                    MPVPlayer(reactor: loop, audio: AudioChoice(text: output) ?? .null, report: report)
                }, output: settings.audio.text, allowedOutputs: settings.allowedOutputs.map(\.text),
                listDevices: { await LibMPV.devices() }, wallMs: { Clock.system.wallMs },
                volume: VolumeRail(level: settings.startLevel, ceiling: settings.ceiling, startMax: settings.startMax),
                guestVolume: settings.guestVolume,
                roomName: settings.name, deviceRegistry: secure.deviceRegistry, releaseMemory: memory.release(isIdle:)))
        let companion = Companion(hub.ports)
        hub.add(companion)
        let policy = AdmissionPolicy(
            lanPlain: settings.lanPlain.role, origins: settings.origins, hostNames: settings.hostNames, root: secure.keys.root.der)
        var routes = Routes()
        RequestRouter.register(companion, policy, in: &routes)
        server = Server(loop, reception: RequestRouter.reception(of: routes, companion, policy), limits: Server.Limits(settings.limits))
        hub.beginSettling()
        hub.describe({ [weak self] in self?.description }, memory: { [weak self] in self?.memoryDescription })
    }

    /// Lets remotes in. In steps, since those who came first are served between them.
    func open() async throws(SocketsError) {
        await Task.yield()
        SmallFile.makeFolders(above: settings.socket)
        try server.listen(unix: settings.socket)
        for address in settings.listen {
            let port = try server.listen(tcp: address.host, port: address.port)
            addresses.append(ListenAddress(host: address.host, port: port))
        }
        hub.pages = addresses.map { "http://\($0.reachable.text)/" }
        await Task.yield()
        try secure.open(settings.tls, on: server)
    }

    /// Tells the person at the terminal where to go, and the network that the hub is here.
    func announce() {
        print("Baton \(HubIdentity.version), hub “\(hub.identity.name)”")
        for page in hub.pages { print("  page    \(page)") }
        print("  socket  \(settings.socket)")
        for address in secure.addresses { print("  network https://\(address.reachable.text)/  (pair with: baton pair --open)") }
        for address in addresses { print("  remotes ws://\(address.reachable.text)\(HubRecord.usualPath)") }
        StandardOutput.flush()
        log(.debug, "Up to \(EventLoop.descriptorLimit) descriptors, \(settings.limits.connections) connections.")
        let record = record
        guard settings.discovery, record.port != nil else { return }
        let advertiser = Advertiser(reactor: loop, log: log)
        advertiser.publish(record)
        self.advertiser = advertiser
        secure.deviceRegistry.onWindow = { [weak self] isOpen in
            guard let self else { return }
            var record = self.record
            record.pairing = isOpen
            advertiser.publish(record)
        }
    }

    /// What the network is told: the encrypted port, and the plain one only where it was opened.
    private var record: HubRecord {
        let plain = settings.lanPlain == .off ? nil : addresses.first { !$0.isLoopback }?.port
        return HubRecord(
            name: hub.identity.name, id: hub.identity.id, majors: [HubIdentity.protocolMajor], plainPort: plain,
            tlsPort: secure.networkPort, fingerprint: secure.networkPort == nil ? nil : HubRecord.hint(of: secure.keys.pin))
    }

    /// The part of the start that can wait until the first remote was answered. An empty queue is filled with the
    /// music that there is; nothing plays until play is pressed.
    func settleIn() async {
        // At the same time, because a play pressed at once needs both.
        let opening = Task(executorPreference: Loop.jobs) { await LibMPV.prepare() }
        let rooms = await LibraryAssembly.open(settings, hub, loop, log, disk, files: library)
        self.rooms = rooms
        accounts = await AccountsAssembly.open(settings, hub, loop, log, http, radio.playing)
        radio.open(accounts?.store, hub)
        await keepTracks()
        await openKept()
        podcasts = PodcastAssembly(settings, accounts?.store, rooms?.places, hub, http, log)
        generation = await GenerationAssembly.open(settings, hub, loop, log, http)
        hasSettled = true
        // With a library, there is no need to search the folders for music.
        welcome(rooms?.everything == nil ? await findMusic() : Music())
        hub.settle()
        rooms?.begin()
        accounts?.begin()
        radio.begin()
        await opening.value
        hub.lookForOutputs()
        memory.releaseLater()
    }

    /// Without the folder the hub plays on, and reads nothing ahead.
    private func keepTracks() async {
        guard settings.cacheLimit > 0 else { return }
        let (folder, limit) = (settings.data + "/cache", settings.cacheLimit)
        let opened = await withTaskExecutorPreference(loop.blockingPool) { await Self.cache(in: folder, limit) }
        switch opened {
        case .success(let cache): hub.keep(tracks: cache)
        case .failure(let fault): log(.warning, fault.sentence)
        }
    }

    private nonisolated static func cache(in folder: String, _ limit: Int64) async -> Result<TrackCache, SourceFault> {
        Result { () throws(SourceFault) in try TrackCache(folder: folder, limit: limit) { OpenSSL().sha256($0) } }
    }

    /// Without it the hub plays on, and keeps nothing.
    private func openKept() async {
        let folder = settings.data
        let opened = await withTaskExecutorPreference(loop.blockingPool) { await Self.kept(in: folder) }
        switch opened {
        case .success(let store):
            for notice in store.notices { log(.warning, notice) }
            kept = store
            await hub.keep(store, limit: settings.keepLimit, rate: settings.keepRate, isPreferred: settings.preferKept)
        case .failure(let fault): log(.error, "What is kept cannot be opened: \(fault.sentence)")
        }
    }

    private nonisolated static func kept(in folder: String) async -> Result<KeptStore, SourceFault> {
        Result { () throws(SourceFault) in try KeptStore(folder: folder) { OpenSSL().sha256($0) } }
    }

    private nonisolated static func close(_ store: KeptStore) async { store.close() }

    private func welcome(_ found: Music) {
        hub.welcome { [rooms] in rooms?.everything ?? found.place }
        hub.offer(found.offers)
    }

    /// A disk that does not answer is not waited for: what it holds is offered when it does.
    private func findMusic() async -> Music {
        await withCheckedContinuation { found in
            var waiting: CheckedContinuation<Music, Never>? = found
            let say: @Loop (Music) -> Bool = {
                defer { waiting = nil }
                waiting?.resume(returning: $0)
                return waiting != nil
            }
            // It rings in any case: who has an answer by then takes no other.
            _ = loop.after(Self.patience) { _ = say(Music()) }
            let finding = Task(executorPreference: loop.blockingPool) { [settings, library, demo, log] in
                await Music.find(in: settings.music, library, demo: demo, log)
            }
            // It belongs to the loop while it waits too: without a preference it would wake Swift's own pool, whose
            // threads come and go from then on.
            looking = Task(executorPreference: Loop.jobs) { await self.offer(finding, unless: say) }
        }
    }

    private func offer(_ finding: Task<Music, Never>, unless say: @Loop (Music) -> Bool) async {
        let music = await finding.value
        if !say(music) { welcome(music) }
    }

    func close() async {
        advertiser?.withdraw()
        await hub.close()
        // After the hub, which may still have told a server something, and before the files in which that is noted.
        http.close()
        await radio.close()
        podcasts?.close()
        await generation?.close(loop)
        await accounts?.close(loop)
        if let kept { await withTaskExecutorPreference(loop.blockingPool) { await Self.close(kept) } }
        await rooms?.close(loop)
        await server.close()
        await memory.close()
        secure.close()
        store.close()
    }
}

/// The music offered at first start: the music folders if there is music in them, else the built-in album.
private struct Music: Sendable {
    var place: ItemURI?
    /// For an empty queue. Whole music folders are not put there unasked.
    var offers: [NewEntry] = []

    static func find(in folders: [String], _ library: LocalLibrary, demo: String?, _ log: Log) async -> Music {
        for folder in folders {
            do throws(SourceFault) {
                _ = try await library.expand(ItemURI(folder), trust: .musicFolders)
                return Music(place: ItemURI(folder))
            } catch  where error.code == .tooLarge {
                return Music(place: ItemURI(folder))
            } catch {
                continue  // Empty, or not there yet.
            }
        }
        guard let demo else { return Music() }
        do throws(SourceFault) {
            return Music(place: ItemURI(demo), offers: try await DemoAlbum(in: demo, item: LocalLibrary.item).offers())
        } catch {
            log(.warning, "The built-in album could not be made: \(error.sentence)")
            return Music()
        }
    }
}

extension Server.Limits {
    fileprivate init(_ limits: WireLimits) {
        self.init()
        firstMessageBytes = limits.frameBeforeWelcome
        message = .milliseconds(limits.messageWithinMs)
        patience = Patience(pingMs: limits.pingMs, endMs: limits.silenceMs)
    }
}

extension ListenAddress {
    /// As one would type it on this machine.
    var reachable: ListenAddress { host == "0.0.0.0" || host == "::" ? ListenAddress(host: "127.0.0.1", port: port) : self }
}

extension LANPlain {
    fileprivate var role: Role? { Role(rawValue: rawValue) }
}
