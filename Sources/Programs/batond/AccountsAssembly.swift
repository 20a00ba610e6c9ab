/// The accounts at servers with their parts: `sources.db`, files with secrets, the kinds of servers, and HTTP calls.
///
/// Opening blocks on the disk, so it happens off the loop, after the hub has begun to answer. If `sources.db` cannot
/// be opened, the hub reports why and uses only the accounts in its settings.
import BatonHub
import BatonJoining
import BatonKernel
import BatonProtocol
import BatonSeams
import BatonServers
import Configuration
import Crypto
import EventLoop
import ServerConnectors
import Stores
import Threads

@Loop
final class AccountsAssembly {
    /// All kinds of servers. A new kind needs a line here.
    private nonisolated static func kinds(_ radio: any StationHearing) -> [SourceKind] {
        [SubsonicKind.kind(radio), ChadMusicKind.kind, SapphoKind.kind, MusicRoomKind.kind].map(\.withCommonOptions)
    }

    let store: SourceStore?
    private let log: Log
    /// Threads for background work.
    private let quiet = BlockingPool(isQuiet: true)
    private var checking: Task<Void, Never>?

    private init(_ store: SourceStore?, _ log: Log) {
        self.store = store
        self.log = log
    }

    static func open(
        _ settings: HubSettings, for hub: Hub, on loop: EventLoop, log: Log, http: any HTTPCalling,
        radio: any StationHearing
    ) async -> AccountsAssembly {
        let secrets = SourceSecretFiles(folder: settings.data + "/sources", credentials: settings.credentials)
        let kinds = kinds(radio)
        let (store, fault, configured) = await withTaskExecutorPreference(loop.blockingPool) {
            await Self.read(settings, kinds: kinds, secrets: secrets, log: log)
        }
        for notice in store?.notices ?? [] { log(.warning, notice) }
        let storage: any AccountStorage = store ?? NoAccounts(fault: fault ?? SourceFault(.unavailable, "sources.db is not there."))
        if let fault { say(fault, hub) }
        if let store { hub.open(store, store) }
        await hub.open(
            AccountParts(
                kinds: kinds, storage: storage, secrets: secrets, configured: configured, http: http,
                sockets: OutgoingWebSockets(loop: loop),
                clock: .system, log: log,
                random: { OpenSSL().random($0) }, md5: { OpenSSL().md5($0) }))
        if let store { hub.open(store) }
        return AccountsAssembly(store, log)
    }

    /// Reports that `sources.db` cannot be opened, which also holds stations and podcasts.
    private static func say(_ fault: SourceFault, _ hub: Hub) {
        let ofAccounts = "The accounts at servers cannot be opened, so the hub goes on without those that were added: "
        hub.note(FeatureFault(ofAccounts + fault.sentence), of: .servers)
        for feature in [FeatureName.radio, .podcasts] { hub.note(FeatureFault(fault.sentence), of: feature) }
    }

    /// Opens the store and reads the configured accounts, off the loop.
    private nonisolated static func read(
        _ settings: HubSettings, kinds: [SourceKind], secrets: SourceSecretFiles, log: Log
    ) async -> (SourceStore?, SourceFault?, [AccountParts.Configured]) {
        let configured = settings.sources.map { AccountParts.Configured($0, kinds: kinds, secrets: secrets, log: log) }
        do throws(SourceFault) { return (try SourceStore(folder: settings.data, log: log), nil, configured) } catch {
            return (nil, error, configured)
        }
    }

    /// Checks the whole file once in the background. The program does not wait for this when it ends.
    func begin() {
        guard let store else { return }
        checking = Task(executorPreference: quiet) { [log] in await Self.check(store, log) }
    }

    private nonisolated static func check(_ store: SourceStore, _ log: Log) async {
        if let sentence = store.checkIntegrity() { log(.error, sentence) }
    }

    func close(_ loop: EventLoop) async {
        guard let store else { return }
        await withTaskExecutorPreference(loop.blockingPool) { await Self.close(store) }
    }

    private nonisolated static func close(_ store: SourceStore) async { store.close() }
}

extension AccountParts.Configured {
    /// An account in `batond.conf`. Its secrets are in files that it names, or in a credential of the service manager.
    fileprivate init(_ source: ConfiguredSource, kinds: [SourceKind], secrets kept: SourceSecretFiles, log: Log) {
        let kind = kinds.first { $0.name == source.kind }
        var options = source.options
        for name in options.keys.sorted() where kind?.options.contains(where: { $0.name == name }) == false {
            log(.warning, "\(source.location): [source \(source.name)] has no setting \(name); it is ignored.")
            options[name] = nil
        }
        let account = SourceAccount(
            name: source.name, title: source.title, kind: source.kind, url: source.url, isEnabled: source.isEnabled, options: options,
            isConfigured: true)
        var lack = kind?.complaint(about: options)
        var secrets = SourceSecrets()
        do throws(SourceFault) {
            secrets = try kept.secrets(of: source.name) ?? secrets
            secrets.user = source.user ?? secrets.user
            if let path = source.passwordFile { secrets.password = try SourceSecretFiles.firstLine(of: path) }
            if let path = source.apiKeyFile { secrets.apiKey = try SourceSecretFiles.firstLine(of: path) }
        } catch {
            lack = error.sentence
        }
        if let lack { log(.warning, "\(source.location): [source \(source.name)]: \(lack)") }
        self.init(account, secrets, lack: lack)
    }
}

/// Replaces the store if `sources.db` cannot be opened; nothing can be added.
private struct NoAccounts: AccountStorage {
    let fault: SourceFault

    func accounts() throws(SourceFault) -> [SourceAccount] { [] }
    func store(_ account: SourceAccount) throws(SourceFault) { throw fault }
    func remove(_ name: String) throws(SourceFault) { throw fault }
    func memory(of name: String) -> any SourceMemory { NoMemory() }

    private struct NoMemory: SourceMemory {
        func value(_ name: String) -> String? { nil }
        func store(_ value: String?, _ name: String) {}
    }
}
