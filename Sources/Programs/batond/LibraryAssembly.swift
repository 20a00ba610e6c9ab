/// The library with its parts: `library.db`, the reader processes, the pictures, and the folder watch.
///
/// Opening blocks on the disk, so it happens off the loop, after the hub has begun to answer. If the library cannot
/// be opened, the hub reports why and still plays.
import BatonCore
import BatonHub
import BatonKernel
import BatonLibrary
import BatonProtocol
import BatonSeams
import Configuration
import Disk
import EventLoop
import Media
import Stores
import Threads

@Loop
final class LibraryAssembly {
    private let store: LibraryStore
    private let readers: ReaderPool
    private let music: MusicLibrary
    private let opening: FileOpening
    /// Threads for background work.
    private let quiet: BlockingPool
    private let log: Log
    private var checking: Task<Void, Never>?

    private init(
        store: LibraryStore, readers: ReaderPool, music: MusicLibrary, opening: @escaping FileOpening, quiet: BlockingPool, log: Log
    ) {
        self.store = store
        self.readers = readers
        self.music = music
        self.opening = opening
        self.quiet = quiet
        self.log = log
    }

    /// Opens the library; `nil` on failure. Afterwards `files` knows which files the library contains.
    static func open(
        _ settings: HubSettings, for hub: Hub, on loop: EventLoop, log: Log, disk: TimedDisk, files: LocalLibrary
    ) async -> LibraryAssembly? {
        let store: LibraryStore
        switch await withTaskExecutorPreference(loop.blockingPool, operation: { await Self.store(in: settings.data) }) {
        case .success(let opened): store = opened
        case .failure(let fault):
            hub.note(FeatureFault("The library cannot be opened, so the hub goes on without it: \(fault.sentence)"), of: .library)
            return nil
        }
        for sentence in store.notices + store.remarks { log(.warning, sentence) }
        let opening: FileOpening = { paths in
            // If the library cannot list its folders, no file may be read.
            disk.open(paths, below: (try? store.folders())?.map(\.path) ?? [])
        }
        let readers = ReaderPool(opening: opening, log: log)
        let bounds = settings.libraryBounds
        let quiet = BlockingPool(isQuiet: true)
        let music = MusicLibrary(
            .init(
                catalogue: store, media: readers, disk: disk, returned: disk.returned,
                watching: FolderWatch(wanting: MusicLibrary.isWanted),
                quiet: quiet,
                log: log, folders: settings.music, bounds: bounds),
            reactor: loop)
        hub.open(
            .init(
                userMarks: store, bookmarks: store, persons: store, places: store, silences: readers, control: music,
                pictures: Covers(cache: PictureCache(folder: settings.data + "/art", reader: readers)),
                connectors: [music, PlaylistShelf(store), files.knowing(store, within: bounds, reading: readers)]))
        return LibraryAssembly(store: store, readers: readers, music: music, opening: opening, quiet: quiet, log: log)
    }

    private nonisolated static func store(in folder: String) async -> Result<LibraryStore, SourceFault> {
        Result { () throws(SourceFault) in try LibraryStore(folder: folder) }
    }

    /// Content identifiers of tracks.
    var contentIDs: any ContentNaming { store }

    /// Computes content identifiers; `hash` reads the files.
    func contentIDScan(
        _ hash: @escaping @Sendable (_ file: any FileRange, _ bytes: Int?) throws(SourceFault) -> [UInt8]
    ) -> ContentIDScan {
        ContentIDScan(.init(storage: store, open: opening, quiet: quiet, hash: hash, log: log))
    }

    /// Songs by their paths.
    var songs: any SongReading { store }

    /// Positions of people in spoken items.
    var places: any PlaceStorage { store }

    /// The library's state, for `baton doctor`.
    var description: HubDiagnostics.Library {
        var unread: String?
        if case .missing(let sentence) = ReaderProgram.find() { unread = sentence }
        return HubDiagnostics.Library(path: store.path, unread: unread, unwatched: music.unwatched, notices: store.notices)
    }

    /// The item that plays when a person presses play in an empty room; `nil` for an empty library.
    var everything: ItemURI? { store.libraryCounts().tracks > 0 ? music.about.everything : nil }

    /// Scans and watches the folders. It also checks the library's whole file once in the background; the program
    /// does not wait for that at its end, because checking changes nothing.
    func begin() {
        music.begin()
        checking = Task(executorPreference: quiet) { [store, log] in await Self.check(store, log) }
    }

    private nonisolated static func check(_ store: LibraryStore, _ log: Log) async {
        if let sentence = store.checkIntegrity() { log(.error, sentence) }
    }

    func close(_ loop: EventLoop) async {
        readers.close()
        await music.close()
        await withTaskExecutorPreference(loop.blockingPool) { [store] in await Self.close(store) }
    }

    private nonisolated static func close(_ store: LibraryStore) async { store.close() }
}

extension HubSettings {
    /// The bounds for folders. The data folder is listed by name and by real path, because real paths are compared.
    var libraryBounds: LibraryBounds {
        let data = self.data
        return LibraryBounds(
            roots: self.libraryRoots, data: [data] + [try? Disk().realFolder(data)].compactMap { $0 }.filter { $0 != data })
    }
}

private struct Covers: PictureMaking {
    let cache: PictureCache

    func picture(
        _ id: String, from source: PictureSource, width: Int?, height: Int?, format: Picture.Format?, mostBytes: Int?
    ) throws(SourceFault) -> Picture {
        try cache.picture(id, width: width, height: height, format: format, mostBytes: mostBytes, from: source)
    }
}
