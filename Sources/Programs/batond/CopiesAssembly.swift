/// Copies of tracks on this machine's disk, outside the library: read-ahead, encoded copies for listening devices,
/// and offline copies. If a folder is missing, the hub reports it and runs without these copies.
import BatonHub
import BatonKernel
import BatonListening
import BatonSeams
import Configuration
import Crypto
import EventLoop
import Stores

@Loop
final class CopiesAssembly {
    private var kept: KeptStore?

    private init() {}

    static func open(
        _ settings: HubSettings, for hub: Hub, on loop: EventLoop, log: Log, encoding: any SoundEncoding
    ) async -> CopiesAssembly {
        let copies = CopiesAssembly()
        if let ahead = await cache("cache", limit: settings.cacheLimit, settings: settings, on: loop, log: log) { hub.keep(tracks: ahead) }
        if let encoded = await cache("transcodes", limit: settings.transcodeCache, settings: settings, on: loop, log: log) {
            hub.open(TranscodeParts(encoding: encoding, store: encoded, atOnce: settings.transcodes))
        }
        await copies.openKept(settings, for: hub, on: loop, log: log)
        return copies
    }

    /// Opens a cache; `nil` if that fails or the settings disable it.
    private static func cache(
        _ name: String, limit: Int64, settings: HubSettings, on loop: EventLoop, log: Log
    ) async -> TrackCache? {
        guard limit > 0 else { return nil }
        let folder = "\(settings.data)/\(name)"
        switch await withTaskExecutorPreference(loop.blockingPool, operation: { await Self.cache(in: folder, limit) }) {
        case .success(let cache): return cache
        case .failure(let fault):
            log(.warning, fault.sentence)
            return nil
        }
    }

    private nonisolated static func cache(in folder: String, _ limit: Int64) async -> Result<TrackCache, SourceFault> {
        Result { () throws(SourceFault) in try TrackCache(folder: folder, limit: limit) { OpenSSL().sha256($0) } }
    }

    private func openKept(_ settings: HubSettings, for hub: Hub, on loop: EventLoop, log: Log) async {
        let folder = settings.data
        let opened = await withTaskExecutorPreference(loop.blockingPool) { await Self.kept(in: folder) }
        switch opened {
        case .success(let store):
            for notice in store.notices { log(.warning, notice) }
            kept = store
            await hub.keep(store, limit: settings.keepLimit, rate: settings.keepRate, isPreferred: settings.preferKept)
        case .failure(let fault): hub.note(FeatureFault("What is kept cannot be opened: \(fault.sentence)"), of: .copies)
        }
    }

    private nonisolated static func kept(in folder: String) async -> Result<KeptStore, SourceFault> {
        Result { () throws(SourceFault) in try KeptStore(folder: folder) { OpenSSL().sha256($0) } }
    }

    func close(_ loop: EventLoop) async {
        guard let kept else { return }
        await withTaskExecutorPreference(loop.blockingPool) { await Self.close(kept) }
    }

    private nonisolated static func close(_ store: KeptStore) async { store.close() }
}
