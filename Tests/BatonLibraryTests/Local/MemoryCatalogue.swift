/// A catalogue in memory, for looking at what a scan asks and tells; and a reader that reads names.
import BatonCore
import BatonSeams
import Foundation
import Synchronization

@testable import BatonLibrary

final class MemoryCatalogue: Catalogue {
    struct State {
        var folders: [String: LibraryFolder] = [:]
        var files: [String: [String: (known: KnownFile, content: ScannedFile.Content)]] = [:]
        var count: Int64 = 0
        var scans: Int64 = 0
        var seen: Set<FileID> = []
        var isScanning = false
        var report: ScanReport?
        /// Files a transaction, one after the other.
        var kept: [Int] = []
        var fault: SourceFault?
        /// By picture, its colours once they are known.
        var pictures: [String: [Int]?] = [:]
        var playlists: [String: ScannedPlaylist] = [:]
        var artists: [String: ScannedArtistPicture] = [:]
    }

    let state = Mutex(State())

    var names: [String] {
        state.withLock { state in state.files.flatMap { folder, files in files.keys.map { folder + "/" + $0 } }.sorted() }
    }

    func tracks(of path: String) -> [TrackFacts]? {
        guard case .tracks(let facts, _, _)? = content(of: path) else { return nil }
        return facts
    }

    func content(of path: String) -> ScannedFile.Content? {
        let url = URL(fileURLWithPath: path)
        return state.withLock { $0.files[url.deletingLastPathComponent().path]?[url.lastPathComponent]?.content }
    }

    func folders() throws(SourceFault) -> [LibraryFolder] { state.withLock { $0.folders.values.sorted { $0.path < $1.path } } }

    func setFolder(_ path: String, isWanted: Bool, holds: FolderContent?) throws(SourceFault) -> Bool {
        state.withLock { state in
            let was = state.folders[path] != nil
            state.folders[path] = isWanted ? state.folders[path] ?? LibraryFolder(path: path) : nil
            if let holds { state.folders[path]?.holds = holds }
            return was != isWanted
        }
    }

    func noteFolder(_ path: String, problem: String?) throws(SourceFault) { state.withLock { $0.folders[path]?.problem = problem } }

    func beginScan(atMs: Milliseconds) throws(SourceFault) -> ScanID {
        state.withLock { state in
            if !state.isScanning { state.scans += 1 }
            state.isScanning = true
            state.seen = []
            return ScanID(state.scans)
        }
    }

    func known(in folders: [String]) throws(SourceFault) -> [[String: KnownFile]] {
        state.withLock { state in folders.map { state.files[$0]?.mapValues(\.known) ?? [:] } }
    }

    func knownFolders(in folder: String) throws(SourceFault) -> [String] {
        state.withLock { state in
            state.files.filter { !$0.value.isEmpty && $0.key.hasPrefix(folder + "/") }
                .map { String($0.key.dropFirst(folder.count + 1)) }.filter { !$0.contains("/") }
        }
    }

    func noteTimes(of folders: [String: Int64]) throws(SourceFault) {}

    func noteSeen(_ files: [FileID], in scan: ScanID) throws(SourceFault) { state.withLock { $0.seen.formUnion(files) } }

    func store(_ files: [ScannedFile], in scan: ScanID, atMs: Milliseconds) throws(SourceFault) {
        let fault = state.withLock { state in
            guard state.fault == nil else { return state.fault }
            state.kept.append(files.count)
            for file in files.flatMap(\.withParts) {
                state.count += 1
                let id = state.files[file.folder]?[file.name]?.known.id ?? FileID(state.count)
                var known = KnownFile(id: id, stamp: file.stamp, companions: file.companions)
                if case .unreadable(let sentence) = file.content { known.problem = sentence }
                state.files[file.folder, default: [:]][file.name] = (known, file.content)
                state.seen.insert(id)
            }
            return nil
        }
        if let fault { throw fault }
    }

    func endScan(_ scan: ScanID, below folders: [String], _ report: ScanReport, atMs: Milliseconds) throws(SourceFault) {
        state.withLock { state in
            state.isScanning = false
            if !folders.isEmpty { state.report = report }
            for folder in state.files.keys where RealPath.isBelow(folders, folder) && state.folders.values.allSatisfy({ $0.problem == nil })
            {
                let seen = state.seen
                state.files[folder] = state.files[folder]?.filter { seen.contains($0.value.known.id) }
            }
        }
    }

    func noteGone(_ path: String) throws(SourceFault) {
        let url = URL(fileURLWithPath: path)
        state.withLock { state in
            state.files[url.deletingLastPathComponent().path]?[url.lastPathComponent] = nil
            for folder in state.files.keys where RealPath.isBelow([path], folder) { state.files[folder] = nil }
        }
    }

    func lastReport() throws(SourceFault) -> ScanReport? { state.withLock(\.report) }

    func playlistFiles() throws(SourceFault) -> [String: KnownPlaylistFile] {
        state.withLock { $0.playlists.mapValues { KnownPlaylistFile(stamp: $0.stamp, isPartial: $0.isPartial) } }
    }
    func store(_ playlist: ScannedPlaylist, atMs: Milliseconds) throws(SourceFault) {
        state.withLock { $0.playlists[playlist.path] = playlist }
    }
    func forgetPlaylistFiles(_ paths: [String]) throws(SourceFault) {
        state.withLock { state in for path in paths { state.playlists[path] = nil } }
    }

    func artistPictures() throws(SourceFault) -> [String: FileStamp] { state.withLock { $0.artists.mapValues(\.stamp) } }
    func setArtistPictures(_ read: [ScannedArtistPicture], gone: [String]) throws(SourceFault) {
        state.withLock { state in
            for path in gone { state.artists[path] = nil }
            for picture in read { state.artists[picture.path] = picture }
        }
    }

    func browse(_ query: BrowseQuery) throws(SourceFault) -> ItemPage { ItemPage() }
    func search(_ query: SearchQuery) throws(SourceFault) -> ItemPage { ItemPage() }
    func following(_ uri: ItemURI) throws(SourceFault) -> ItemRow? { nil }
    func details(of uri: ItemURI) throws(SourceFault) -> ItemDetails { ItemDetails(row: ItemRow(uri: uri, tags: Tags())) }

    /// An item's name is its path.
    func expand(_ uri: ItemURI, most: Int) throws(SourceFault) -> [NewEntry] {
        guard let facts = tracks(of: try location(of: uri).path) else { return [] }
        return facts.prefix(most).map { NewEntry(uri: uri, tags: $0.tags) }
    }

    func location(of uri: ItemURI) throws(SourceFault) -> TrackLocation {
        let path = String(uri.text.dropFirst("lib:track".count))
        if case .book(let facts, _, _)? = content(of: path) {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let parts = facts.parts.map {
                BookPart(name: $0.name.hasPrefix("/") ? $0.name : folder + "/" + $0.name, title: $0.title, lengthUs: $0.lengthUs)
            }
            return TrackLocation(path: path, parts: parts)
        }
        return TrackLocation(path: path, startMs: tracks(of: path)?.first?.startMs, endMs: tracks(of: path)?.first?.endMs)
    }

    func track(atPath path: String) throws(SourceFault) -> ItemURI? { tracks(of: path) == nil ? nil : ItemURI("lib:track" + path) }

    func lyrics(of uri: ItemURI) throws(SourceFault) -> Lyrics? {
        guard case .tracks(_, _, let lyrics)? = content(of: try location(of: uri).path) else { return nil }
        return lyrics
    }

    func picture(_ id: String) throws(SourceFault) -> PictureSource? {
        if id == "cover" { return .file(id) }
        return state.withLock { $0.pictures[id] == nil ? nil : .bytes([]) }
    }

    func musicFile(withPicture id: String) throws(SourceFault) -> String? { nil }

    func withoutColours(most: Int) throws(SourceFault) -> [String] { Array(withoutColours.prefix(most)) }
    func storeColours(_ colours: [String: [Int]]) throws(SourceFault) { state.withLock { $0.pictures.merge(colours) { $1 } } }

    var withoutColours: [String] { state.withLock { $0.pictures.filter { $0.value == nil }.keys.sorted() } }
}

/// Reads no file: what stands in one is its name. A name with “bad” in it cannot be read.
final class NameReader: MediaReading {
    let asked = Mutex<[String]>([])
    /// What each question takes. A test may change it.
    let pauseUs: Mutex<UInt32>
    private let facts: @Sendable (String) -> MediaFacts

    init(pauseUs: UInt32 = 0, facts: @escaping @Sendable (String) -> MediaFacts = { NameReader.facts($0) }) {
        self.pauseUs = Mutex(pauseUs)
        self.facts = facts
    }

    static func facts(_ path: String) -> MediaFacts {
        MediaFacts(track: TrackFacts(), fingerprint: Fingerprint(high: UInt64(path.utf8.count), low: 1))
    }

    func read(_ paths: [String]) -> [Result<MediaFacts, SourceFault>] {
        asked.withLock { $0 += paths }
        return paths.map { path in
            pause()
            if path.contains("bad") { return .failure(SourceFault(.unreadable, "\(path) is broken.")) }
            return .success(facts(path))
        }
    }

    private func pause() {
        let us = pauseUs.withLock { $0 }
        if us > 0 { usleep(us) }
    }

    func picture(_ source: PictureSource) throws(SourceFault) -> Picture {
        guard case .file(let path) = source else { throw SourceFault(.notFound, "There is none.") }
        return Picture(id: "id-of-\(URL(fileURLWithPath: path).lastPathComponent)", format: .jpeg, width: 3, height: 2, bytes: [])
    }

    func scaled(
        _ source: PictureSource, width: Int?, height: Int?, format: Picture.Format, mostBytes: Int?
    ) throws(SourceFault) -> Picture { try picture(source) }
    func colours(of source: PictureSource) throws(SourceFault) -> [Int] {
        pause()
        return [1, 2]
    }
}

extension ScannedFile {
    /// A book stands for the first of its files.
    fileprivate var withParts: [ScannedFile] {
        guard case .book(_, let parts, _) = content else { return [self] }
        return parts.filter { $0.folder != folder || $0.name != name } + [self]
    }
}
