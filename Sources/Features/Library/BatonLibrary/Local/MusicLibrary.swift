/// The scanned music of this hub as a source: `lib:track/…`, albums, artists, genres, folders and shelves.
///
/// All facts come from the catalogue; the disk is read only to open a file, whose path is checked again each time.
/// `ScanScheduler` runs the scans. All calls block, so they run off the loop.
package import BatonCore
package import BatonSeams

package final class MusicLibrary: Connector {
    package static let source = LibraryShelf.source
    package var source: String { Self.source }

    package var about: SourceAbout {
        SourceAbout(
            name: "Music library",
            shelves: LibraryShelf.allCases.map { .init(name: $0.rawValue, uri: $0.uri, isEverything: $0 == .tracks) },
            abilities: [.browse, .search, .pictures, .lyrics, .marks])
    }

    let parts: MusicLibrary.Parts
    let scheduler: ScanScheduler
    let foundFolderCache: FoundFolderCache

    /// The capacity of a queue.
    package static let most = 10_000

    @Loop
    package init(_ parts: MusicLibrary.Parts, reactor: any Reactor) {
        self.parts = parts
        scheduler = ScanScheduler(parts, reactor)
        foundFolderCache = FoundFolderCache(disk: parts.disk, bounds: parts.bounds, clock: parts.clock)
    }

    private var catalogue: any Catalogue { parts.catalogue }

    @concurrent
    package func check() async throws(SourceFault) {
        let folders = try catalogue.folders()
        guard !folders.isEmpty || !parts.folders.isEmpty else {
            throw SourceFault(.unavailable, "The library has no folder yet. Add one with: baton library add FOLDER")
        }
        let problems = folders.compactMap(\.problem)
        // A missing folder does not make the remaining folders fail.
        if !problems.isEmpty, problems.count == folders.count { throw SourceFault(.unavailable, problems.joined(separator: " ")) }
    }

    @concurrent
    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        let entries = try catalogue.expand(uri, most: Self.most)
        guard !entries.isEmpty else { throw SourceFault(.notFound, "There is no music in \(uri.text).") }
        return entries
    }

    @concurrent
    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        let place = try catalogue.location(of: uri)
        let folders = try catalogue.folders().map(\.path)
        guard place.parts.isEmpty else {
            return Playable(.parts(try place.parts.map { part throws(SourceFault) in try open(part, folders) }))
        }
        let file = try parts.disk.open(place.path, below: folders)
        return Playable(.file(NamedFile(place.path, file)), startMs: place.startMs, endMs: place.endMs)
    }

    private func open(_ part: BookPart, _ folders: [String]) throws(SourceFault) -> Playable.Part {
        do throws(SourceFault) {
            let file = try parts.disk.open(part.name, below: folders)
            return Playable.Part(NamedFile(part.name, file), title: part.title, lengthUs: part.lengthUs)
        } catch {
            throw SourceFault(error.code, "A part of this book, “\(part.title)”, cannot be played. \(error.sentence)")
        }
    }

    @concurrent
    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage { try catalogue.browse(query) }

    @concurrent
    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage { try catalogue.search(query) }

    @concurrent
    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails { try catalogue.details(of: uri) }
    package func following(_ uri: ItemURI) async throws(SourceFault) -> ItemRow? { try catalogue.following(uri) }

    @concurrent
    package func picture(_ name: String) async throws(SourceFault) -> PictureSource {
        switch try catalogue.picture(name) {
        case .file(let path):
            do throws(SourceFault) { return .file(try realPath(of: path)) } catch {
                // It was removed since the scan; a music file may have the same picture.
                guard let music = try catalogue.musicFile(withPicture: name) else { throw error }
                return .embedded(in: try realPath(of: music))
            }
        case .embedded(let path): return .embedded(in: try realPath(of: path))
        case .bytes(let bytes): return .bytes(bytes)
        case nil: throw SourceFault(.notFound, "The library has no picture called \(name).")
        }
    }

    /// The lyrics of a track. A lyrics file takes precedence over embedded lyrics, because a person added it.
    @concurrent
    package func lyrics(of uri: ItemURI) async throws(SourceFault) -> Lyrics? {
        let place = try catalogue.location(of: uri)
        // Lyrics of one long file do not tell which of its tracks they belong to.
        if place.startMs == nil, place.parts.isEmpty, let beside = try words(beside: place.path) { return beside }
        let inside = try catalogue.lyrics(of: uri)
        return inside?.lines.isEmpty == true ? nil : inside
    }

    private func words(beside path: String) throws(SourceFault) -> Lyrics? {
        let folder = try catalogue.folders().map(\.path)
        let stem = path.dropLast(FileName.suffix(of: path).map { $0.utf8.count + 1 } ?? 0)
        for suffix in ["lrc", "LRC", "Lrc"] {
            guard let text = try TextFile.read("\(stem).\(suffix)", below: folder, parts.disk, most: 1 << 20) else { continue }
            if let words = Lyrics(text: text) { return words }
        }
        return nil
    }

    /// The file's real path, which must be below a library folder now, wherever it was when it was scanned.
    private func realPath(of path: String) throws(SourceFault) -> String {
        try parts.disk.realPath(path, below: try catalogue.folders().map(\.path))
    }
}

extension MusicLibrary {
    /// The services that the library uses.
    package struct Parts: Sendable {
        package var catalogue: any Catalogue
        package var media: any MediaReading
        package var disk: any FolderReading & FileReading
        /// Folders whose disks respond again after an outage.
        package var returned: AsyncStream<String>?
        /// Reports changes. Without it, folders are scanned every few minutes.
        package var watching: (any FolderWatching)?
        /// Threads for scans, which a disk may block for any time; requests of users run elsewhere.
        package var quiet: (any TaskExecutor)?
        package var clock: Clock
        package var log: Log
        /// The folders in the settings.
        package var folders: [String]
        package var bounds: LibraryBounds

        package init(
            catalogue: any Catalogue, media: any MediaReading, disk: any FolderReading & FileReading,
            returned: AsyncStream<String>? = nil, watching: (any FolderWatching)?, quiet: (any TaskExecutor)?,
            clock: Clock = .system, log: Log, folders: [String], bounds: LibraryBounds = LibraryBounds()
        ) {
            self.catalogue = catalogue
            self.media = media
            self.disk = disk
            self.returned = returned
            self.watching = watching
            self.quiet = quiet
            self.clock = clock
            self.log = log
            self.folders = folders
            self.bounds = bounds
        }
    }
}
