// A hub with its library and as many other sources as it is given servers, for the bench: batond has no source yet that
// asks a server. It is made of the parts of batond, reads its settings, and opens the library that batond has filled.
//
//     source-hub --config FILE --servers HOST:PORT...
import BatonCore
import BatonHub
import BatonKernel
import BatonLibrary
import BatonProtocol
import BatonSeams
import Companion
import Configuration
import Disk
import EventLoop
import Glibc
import HTTPClient
import Media
import Player
import SocketServer
import Stores
import Threads

private struct Words {
    var settings: [String]
    var servers: [String]

    init(_ words: [String]) {
        let parts = words.split(separator: "--servers", maxSplits: 1, omittingEmptySubsequences: false)
        settings = parts.first.map(Array.init) ?? []
        servers = parts.count > 1 ? Array(parts[1]) : []
    }
}

@Loop
private func run(_ settings: HubSettings, _ servers: [String], _ store: StateStore, _ loop: EventLoop, _ log: Log) async throws {
    let stop = loop.signals([SIGTERM, SIGINT])
    let library = try LibraryStore(folder: settings.data)
    let readers = ReaderPool(opening: { _ in [] }, log: log)
    let music = MusicLibrary(
        .init(catalogue: library, media: readers, disk: TimedDisk(), watching: nil, quiet: nil, log: log, folders: settings.music),
        reactor: loop)
    let http = HTTPClient()
    let others = servers.enumerated().map { RemoteSource("server\($0.offset)", at: $0.element, http: http) }
    let hub = try Hub(
        HubParts(
            reactor: loop, log: log, limits: settings.limits, identity: HubIdentity(id: "bench", name: settings.name, boot: "b1"),
            journal: store, codec: .wire, connectors: [music] + others, blockingPool: loop.blockingPool,
            sourceThreads: { _ in BlockingPool(threads: Sources.threadsOfOne) },
            makeEngine: { _, _, report in MPVPlayer(reactor: loop, audio: .null, report: report) }, output: settings.audio.text,
            wallMs: { Clock.system.wallMs }), library: .init(userMarks: library, control: music))
    let companion = Companion(hub.ports)
    hub.add(companion)
    let policy = AdmissionPolicy(origins: settings.origins, hostNames: settings.hostNames)
    var routes = Routes()
    RequestRouter.register(companion, policy, in: &routes)
    let server = Server(loop, reception: RequestRouter.reception(of: routes, companion, policy))
    try server.listen(unix: settings.socket)
    for address in settings.listen { _ = try server.listen(tcp: address.host, port: address.port) }
    for await _ in stop { break }
    await hub.close()
    await server.close()
    readers.close()
    library.close()
    store.close()
}

private func main() throws -> Int32 {
    let words = Words(Array(CommandLine.arguments.dropFirst()))
    guard case .run(let settings, _) = try HubConfiguration.resolve(words.settings, around: .current()) else { return 2 }
    let log = Log(threshold: settings.log) { print("\($0.name): \($1)") }
    let store = try StateStore(folder: settings.data, freshEpoch: "bench")
    return try EventLoop.run(log: log, blocking: [SIGTERM, SIGINT]) { loop in
        do {
            try await run(settings, words.servers, store, loop, log)
            return 0
        } catch {
            log(.error, "\(error)")
            return 1
        }
    }
}

do { exit(try main()) } catch {
    print("\(error)")
    exit(1)
}
