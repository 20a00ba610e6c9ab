/// Radio: its streams, its stations in `sources.db`, and the directory of stations from a file of the owner.
import BatonHub
import BatonRadio
import BatonSeams
import Configuration
import Disk
import EventLoop
import HTTPClient
import StationLists
import Stores
import Threads

@Loop
final class RadioAssembly {
    /// Plays stations by address, also for other sources. It exists before the stations are loaded.
    let playing: StationPlaying
    private let http: HTTPClient
    private let directory: String?
    private let recordings: String?
    private let music: [String]
    private let log: Log
    private var store: SourceStore?
    /// Threads for background work.
    private let quiet = BlockingPool(isQuiet: true)
    private var reading: Task<Void, Never>?

    init(_ settings: HubSettings, http: HTTPClient, log: Log) {
        self.http = http
        self.log = log
        directory = settings.radioDirectory
        recordings = settings.recordings
        music = settings.music
        let rings = "\(settings.data)/radio"
        let minutes = settings.radioBuffer
        let past: @Sendable (String) -> DiskPast? = { url in
            guard minutes > 0 else { return nil }
            return DiskPast("\(rings)/\(DiskPast.name(of: url))", keepMinutes: minutes, nowMs: { Clock.system.wallMs }, log)
        }
        let readPast: @Sendable (String) -> (any StationPast)? = { url in
            let found = past(url)
            found?.openToRead()
            return found
        }
        let streams = StationStreams(http: http, executor: BlockingPool(), readPast: readPast) { MemoryRing(past: past($0)) }
        playing = StationPlaying(http: http, streams: streams)
    }

    /// Opens the stations. Without a store the hub has none, and still plays stations by address.
    func open(_ store: SourceStore?, _ hub: Hub) {
        guard let store else { return }
        self.store = store
        let radio = RadioConnector(store, http: http, playing: playing)
        hub.open(radio)
        guard let folder = recordings.map({ RecordingStore(folder: $0) }) ?? RecordingStore.below(music) else { return }
        hub.open(RecordingParts(storage: store, folder: folder, recorder: StationRecorder(), zone: .system))
    }

    /// Reads the directory in the background if it has changed.
    func begin() {
        guard let directory, let store else { return }
        reading = Task(executorPreference: quiet) { [log] in await Self.read(directory, into: store, log) }
    }

    func close() async {
        reading?.cancel()
        await reading?.value
    }

    private nonisolated static let pieceBytes = 256 * 1024

    private nonisolated static func read(_ path: String, into store: SourceStore, _ log: Log) async {
        do throws(SourceFault) {
            let file = try Disk().open(plainly: path)
            let stamp = "\(path) \(file.stamp.size) \(file.stamp.modifiedNs)"
            guard try store.directoryStamp() != stamp else { return }
            guard file.stamp.size <= StationDirectory.mostBytes else {
                throw SourceFault(.tooLarge, "It is larger than \(StationDirectory.mostBytes >> 20) MiB.")
            }
            let number = try store.beginDirectory()
            var directory = StationDirectory()
            var place: Int64 = 0
            while !Task.isCancelled {
                let bytes = try file.read(at: place, count: pieceBytes)
                if bytes.isEmpty { break }
                place += Int64(bytes.count)
                try store.put(try directory.take(bytes), inDirectory: number)
                await Task.yield()
            }
            guard !Task.isCancelled else { return }
            try directory.end()
            try store.finishDirectory(number, stamp: stamp)
            log(.notice, "The directory of stations was read from \(path).")
        } catch {
            log(.warning, "radio_directory \(path) cannot be read: \(error.sentence)")
        }
    }
}
