/// Creates the hub and all its parts from the settings, and closes them in reverse order.
import BatonCore
import BatonDialectAccess
import BatonHub
import BatonKernel
import BatonLibrary
import BatonListening
import BatonProtocol
import BatonSeams
import Companion
import Configuration
import Crypto
import Discovery
import Disk
import EventLoop
import Glibc
import HTTPClient
import MPRIS
import Media
import Player
import Processes
import SocketServer
import Stores
import Terminals
import Threads

@Loop
final class HubAssembly: WelcomeMusic, PairingAnnouncing {
    let settings: HubSettings
    let loop: EventLoop
    private let log: Log
    let lines: LogRing
    let store: StateStore
    private let users: UsersAssembly?
    private let people: UserRegistry?
    private let sockets: GivenSockets
    let hub: Hub
    let policy: AdmissionPolicy
    let server: Server
    private let memory: MemoryTrimmer
    let secure: SecurePort
    private(set) var advertiser: Advertiser?
    private(set) var addresses: [ListenAddress] = []
    private let disk: TimedDisk
    private let library: LocalLibrary
    private let demo: String?
    private(set) var rooms: LibraryAssembly?
    private(set) var accounts: AccountsAssembly?
    private var copies: CopiesAssembly?
    private let encoding = Transcoders()
    private let radio: RadioAssembly
    private var podcasts: PodcastAssembly?
    private var generation: GenerationAssembly?
    private let musicRooms: MusicRoomAssembly?
    private let mpd: MPDAssembly
    private let mpris: MPRIS
    private var dialects: DialectStore?
    private let metrics: MetricsAssembly
    let backups: BackupAssembly
    /// Shared by all sources, because it has its own threads.
    let http: HTTPClient
    /// True once the library is open or has failed to open.
    private(set) var hasSettled = false
    private var looking: Task<Void, Never>?
    private var found = Music()
    /// Time limit for the first search of the music folders.
    private static let patience = Duration.seconds(3)

    init(
        _ settings: HubSettings, store: StateStore, crashes: CrashFile?, keys: SecurePort.Keys, users: UsersAssembly?,
        sockets: GivenSockets, loop: EventLoop, log: Log, lines: LogRing
    ) throws {
        self.users = users
        self.sockets = sockets
        people = users?.registry(settings, on: loop, log: log)
        self.settings = settings
        self.store = store
        self.loop = loop
        self.log = log
        self.lines = lines
        let demo = settings.demo ? settings.data + "/demo" : nil
        self.demo = demo
        let memory = MemoryTrimmer(loop)
        self.memory = memory
        let bounds = settings.libraryBounds
        // The built-in album is in the data folder, whose other files must never be served.
        disk = TimedDisk(Disk(excluding: bounds.excluded, exceptFor: demo == nil ? [] : bounds.data.map { $0 + "/demo" }))
        var calling = HTTPClient.Options()
        calling.allowed = settings.allowedHosts
        calling.proxies = Proxies(environment: ProcessEnvironment.current().environment)
        http = HTTPClient(calling)
        let radio = RadioAssembly(settings, http: http, log: log)
        self.radio = radio
        let library = LocalLibrary(folders: settings.music + [demo].compactMap { $0 }, disk: disk)
        self.library = library
        secure = try SecurePort(settings, keys: keys, host: settings.hostNames.first ?? "", on: loop, log: log)
        hub = try Hub(
            HubParts(
                reactor: loop, log: log, limits: settings.limits, identity: HubIdentity(settings: settings), journal: store,
                crashes: crashes, codec: .wire,
                connectors: [library, WebAddresses(http: http, radio: radio.playing)], blockingPool: loop.blockingPool,
                quietPool: BlockingPool(isQuiet: true), sourceThreads: { _ in BlockingPool(threads: Sources.threadsOfOne) },
                searchDeadline: .milliseconds(settings.searchDeadlineMs),
                makeEngine: { _, output, report in
                    MPVPlayer(reactor: loop, audio: AudioChoice(text: output) ?? .null, report: report)
                },
                // With the null output, rooms still decode, so that they find broken files.
                hasSilentRooms: settings.audio.text != "null", output: settings.audio.text,
                allowedOutputs: settings.allowedOutputs.map(\.text),
                listDevices: { await LibMPV.devices() }, wallMs: { Clock.wallMs() },
                volume: VolumeRail(level: settings.startLevel, ceiling: settings.ceiling, startMax: settings.startMax),
                guestVolume: settings.guestVolume,
                roomName: settings.name, deviceRegistry: secure.deviceRegistry, users: people,
                lacks: settings.mayPair ? [] : [.network], releaseMemory: memory.release))
        let companion = Companion(hub.ports)
        hub.add(companion)
        hub.open(StreamParts(encoding: encoding, cryptography: OpenSSL()))
        policy = AdmissionPolicy(
            lanPlain: settings.lanPlain.role, origins: settings.origins, hostNames: settings.hostNames, root: secure.keys.root.der,
            addresses: { Interfaces.addresses() })
        var routes = Routes()
        RequestRouter.register(companion, policy, in: &routes)
        musicRooms = settings.musicroom ? MusicRoomAssembly(settings, hub, in: &routes) : nil
        mpd = MPDAssembly(settings, hub, disk: disk, on: loop, log: log)
        mpris = MPRISAssembly.add(to: hub, settings, on: loop, log: log)
        metrics = MetricsAssembly(settings, in: &routes)
        backups = BackupAssembly(settings, of: hub.identity, on: loop, log: log, in: &routes)
        server = Server(loop, reception: RequestRouter.reception(of: routes, companion, policy), limits: Server.Limits(settings.limits))
        server.proxies = TrustedProxies(settings.trustedProxies)
        hub.beginSettling()
        hub.add(self)
        if users == nil { hub.note(FeatureFault("The users cannot be opened; the log says why."), of: .users) }
    }

    /// Opens the ports. It yields between steps, so that early clients are served.
    func open() async throws(SocketsError) {
        await Task.yield()
        if let given = sockets.unix {
            _ = server.listen(on: given, as: .unix)
        } else {
            SmallFile.makeFolders(above: settings.socket)
            try server.listen(unix: settings.socket)
        }
        for (address, given) in sockets.plain(settings.listen) {
            let port: UInt16
            if let given {
                port = server.listen(on: given, as: .plain)
            } else {
                port = try server.listen(tcp: address.host, port: address.port)
            }
            addresses.append(ListenAddress(host: address.host, port: port))
        }
        hub.pages = addresses.map { "http://\($0.reachable.text)/" }
        await Task.yield()
        try secure.open(sockets.secure(settings.tls), on: server)
        try metrics.open(self)
    }

    /// The hub's address, for the service manager's status.
    var place: String { hub.pages.first.map { "The page is at \($0)" } ?? "The socket is \(settings.socket)" }

    /// Applies the settings that may change while the hub runs.
    func take(_ settings: HubSettings) {
        log.threshold = settings.log
        policy.origins.all = settings.origins
        server.proxies = TrustedProxies(settings.trustedProxies)
        people?.policy = UsersAssembly.policy(of: settings)
    }

    /// Prints the addresses for a person at the terminal, and announces the hub on the network.
    func announce() {
        print("Baton \(HubIdentity.version), hub “\(hub.identity.name)”")
        for page in hub.pages { print("  page    \(page)") }
        print("  socket  \(settings.socket)")
        if isatty(STDOUT_FILENO) == 1, let link = firstLink {
            print("  admin   \(link)  (opens the page as admin in a browser of this machine: once, within 30 minutes)")
            for line in QRCode(link)?.lines ?? [] { print("  \(line)") }
        }
        if let page = metrics.page { print("  metrics \(page)") }
        for address in secure.addresses { print("  network https://\(address.reachable.text)/  (pair with: baton pair --open)") }
        for address in addresses { print("  remotes ws://\(address.reachable.text)\(HubRecord.usualPath)") }
        StandardOutput.flush()
        log(.debug, "Up to \(EventLoop.descriptorLimit) descriptors, \(settings.limits.connections) connections.")
        let record = record
        guard settings.discovery, record.port != nil else { return }
        let advertiser = Advertiser(reactor: loop, log: log)
        advertiser.publish(record, and: mpd.services)
        self.advertiser = advertiser
        secure.deviceRegistry.announcer = self
    }

    func pairingChanged(isOpen: Bool) {
        var record = record
        record.pairing = isOpen
        advertiser?.publish(record, and: mpd.services)
    }

    /// Announces what can be reached now.
    func announceAgain() { advertiser?.publish(record, and: mpd.services) }

    /// The page's address with admin rights, until there is an admin. It is shown only in a terminal, never in a log.
    private var firstLink: String? {
        guard let address = addresses.first(where: { $0.reachable.isLoopback }), let ticket = hub.firstTicket() else { return nil }
        return "http://\(address.reachable.text)/#ticket=\(ticket)"
    }

    /// The network announcement: the encrypted port, and the plain one only if it is open to the network.
    private var record: HubRecord {
        let plain = settings.lanPlain == .off ? nil : addresses.first { !$0.isLoopback }?.port
        return HubRecord(
            name: hub.identity.name, id: hub.identity.id, majors: [HubIdentity.protocolMajor], plainPort: plain,
            tlsPort: secure.networkPort, fingerprint: secure.networkPort == nil ? nil : HubRecord.hint(of: secure.keys.pin),
            features: hub.ports.profiles.codes)
    }

    /// The part of the start that can wait until the first remotes are served. An empty queue gets the music that was
    /// found; nothing plays until a person presses play.
    func settleIn() async {
        // Both load in parallel, because a play command at once needs both.
        let opening = Task(executorPreference: Loop.jobs) { await LibMPV.prepare() }
        let rooms = await LibraryAssembly.open(settings, for: hub, on: loop, log: log, disk: disk, files: library)
        self.rooms = rooms
        accounts = await AccountsAssembly.open(settings, for: hub, on: loop, log: log, http: http, radio: radio.playing)
        radio.open(accounts?.store, hub)
        copies = await CopiesAssembly.open(settings, for: hub, on: loop, log: log, encoding: encoding)
        podcasts = PodcastAssembly(settings, store: accounts?.store, places: rooms?.places, for: hub, http: http, log: log)
        generation = await GenerationAssembly.open(settings, for: hub, on: loop, log: log, http: http)
        hasSettled = true
        // With a library, there is no need to search the folders for music.
        welcome(rooms?.everything == nil && !hub.hold.isOn ? await findMusic() : Music())
        hub.settle()
        await Restoring.hasStarted(settings.data, loop)
        musicRooms?.open(rooms)
        dialects = await MPDAssembly.store(settings, on: loop, log: log)
        if let dialects {
            await hub.open(DialectParts(storage: dialects, hashing: PasswordQueue(), cryptography: OpenSSL(), pool: loop.blockingPool))
        } else {
            hub.note(FeatureFault("The passwords of other programs cannot be opened; the log says why."), of: .dialectAccess)
        }
        mpd.open(songs: rooms?.songs, store: dialects, passwords: dialects == nil ? nil : hub.dialectPasswords)
        // Only now is it known which of them are switched off.
        await hub.add(mpd)
        mpd.begin(self)
        await hub.add(mpris)
        mpris.begin()
        hub.hold.whenOver { [musicRooms, rooms, accounts, radio] in
            musicRooms?.begin()
            rooms?.begin()
            accounts?.begin()
            radio.begin()
        }
        await opening.value
        hub.lookForOutputs()
        memory.releaseLater()
    }

    var welcome: ItemURI? { rooms?.everything ?? found.place }

    private func welcome(_ found: Music) {
        self.found = found
        hub.welcome(with: self)
        hub.offer(found.offers)
        if !found.offers.isEmpty { hub.add(source: DemoSearch(found.offers)) }
    }

    /// Searches the music folders. If a disk does not respond in time, its music is offered later.
    private func findMusic() async -> Music {
        await withCheckedContinuation { found in
            var waiting: CheckedContinuation<Music, Never>? = found
            let say: @Loop (Music) -> Bool = {
                defer { waiting = nil }
                waiting?.resume(returning: $0)
                return waiting != nil
            }
            // The alarm always fires; a result that came before it wins.
            _ = loop.after(Self.patience) { _ = say(Music()) }
            let finding = Task(executorPreference: loop.blockingPool) { [settings, library, demo, log] in
                await Music.find(in: settings.music, library, demo: demo, log)
            }
            // The task belongs to the loop while it waits. Without a preference it would wake Swift's own thread
            // pool, whose threads would come and go from then on.
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
        await musicRooms?.close()
        await mpd.close()
        // The client closes after the hub, which may still send to servers, and before the stores that record this.
        http.close()
        await radio.close()
        podcasts?.close()
        await generation?.close(loop)
        await accounts?.close(loop)
        await copies?.close(loop)
        await rooms?.close(loop)
        await server.close()
        await memory.close()
        secure.close()
        users?.close()
        dialects?.close()
        store.close()
    }
}
