/// The files of this machine as a source: `file:track/…`, plain paths, `file://` URLs, folders and playlists.
///
/// Real paths decide what a remote may name: with every symlink and `..` resolved, the file is below a configured
/// folder, or the request came over the unix socket. All calls block on the disk and run off the loop. Tags are read
/// only when a single file is asked about; until a player opens a file, its title comes from its name. A file that
/// the music library knows is replaced by the library's own item.
package import BatonCore
package import BatonSeams
import Glibc

package struct LocalLibrary: Connector {
    package var source: String { "file" }
    package var about: SourceAbout { SourceAbout(name: source, abilities: .paths) }

    /// The folders as configured. They are not resolved here, because a slow disk can block that for a long time.
    let folders: [String]
    private let disk: any FileReading
    /// The music library, which may contain folders that no setting names.
    private let catalogue: (any Catalogue)?
    private let bounds: LibraryBounds
    /// Reads the facts of a single file, including its length.
    private let media: (any MediaReading)?

    /// The capacity of a queue.
    package static let most = 10_000
    /// Limit of names for `FileSearch`, because a user may have named the root of a large disk.
    var mostNames = 500_000

    /// A missing folder is allowed and counts as empty, because it may be created later.
    package init(folders: [String], disk: any FileReading) {
        catalogue = nil
        media = nil
        bounds = LibraryBounds()
        self.folders = folders
        self.disk = disk
    }

    private init(_ other: LocalLibrary, catalogue: any Catalogue, bounds: LibraryBounds, media: (any MediaReading)?) {
        folders = other.folders
        mostNames = other.mostNames
        disk = other.disk
        self.catalogue = catalogue
        self.bounds = bounds
        self.media = media
    }

    /// A copy that replaces files by the items of the music library.
    package func knowing(
        _ catalogue: any Catalogue, within bounds: LibraryBounds = LibraryBounds(), reading media: (any MediaReading)? = nil
    ) -> LocalLibrary {
        LocalLibrary(self, catalogue: catalogue, bounds: bounds, media: media)
    }

    /// The item for the file at this absolute path.
    @Sendable
    package static func item(at path: String) -> ItemURI { FileURI.item(path) }

    @concurrent
    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        trust == .itemsOnly ? [try libraryOffer(for: uri)] : try offers(for: uri, trust: trust)
    }

    /// Tags of an audio file below the music folders, which all users may read. `expand` answers for other paths,
    /// because it knows the user's trust.
    @concurrent
    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        guard let media, FileURI.isItem(uri), let path = try? FileURI.path(of: uri), let real = try? allowed(path, .itemsOnly),
            FileKind.of(real) == .file, FileName.isAudio(real), !Playlist.recognises(real),
            let facts = try? media.read([real]).first?.get().track
        else { throw SourceFault(.unsupported, "Of \(uri) no more is known than its name.") }
        var tags = facts.tags
        if tags.title.isEmpty { tags.title = FileTitle.tags(of: real).title }
        var details = ItemDetails(row: ItemRow(uri: uri, tags: tags))
        details.format = facts.format
        details.gain = facts.gain
        return details
    }

    @concurrent
    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        let path = try FileURI.path(of: uri)
        do throws(SourceFault) { return Playable(.file(NamedFile(path, try open(path, trust)))) } catch {
            guard error.code == .notFound || error.code == .forbidden else { throw error }
            // Access is checked before existence, so that an error does not reveal what exists.
            if trust < .plainPath { _ = try allowed(path, trust) }
            if FileKind.of(path) == .folder { throw SourceFault(.unsupported, "\(path) is not a file that could be played.") }
            throw error
        }
    }

    /// Opens the file. The path is checked while it opens, because a symlink may have changed since the first check.
    private func open(_ path: String, _ trust: Trust) throws(SourceFault) -> any FileRange {
        do throws(SourceFault) {
            // Files remain playable while the library fails.
            let added = (try? catalogue?.folders())?.map(\.path) ?? []
            return try disk.open(path, below: folders + added + (trust == .anyPath ? ["/"] : []))
        } catch {
            guard trust == .plainPath, error.code == .forbidden else { throw error }
            return try disk.open(plainly: path)
        }
    }

    /// For guests: the item of an audio file below the hub's folders, or the same error for everything else.
    private func libraryOffer(for uri: ItemURI) throws(SourceFault) -> NewEntry {
        guard FileURI.isItem(uri), let path = try? FileURI.path(of: uri), let real = try? allowed(path, .itemsOnly),
            FileKind.of(real) == .file, FileName.isAudio(real), !Playlist.recognises(real), access(real, R_OK) == 0
        else { throw SourceFault(.notFound, "There is no such item in this hub's library.") }
        return offer(for: real)
    }

    private func offers(for uri: ItemURI, trust: Trust) throws(SourceFault) -> [NewEntry] {
        let path = try FileURI.path(of: uri)
        let real = try allowed(path, trust)
        var search = FileSearch(top: real, mostNames: mostNames)
        switch FileKind.of(real) {
        case .folder:
            return try Folder(library: self, trust: trust).offers(below: real, &search)
        case .file where Playlist.recognises(real):
            return try playlist(at: real, trust, &search)
        case .file where FileName.isAudio(real):
            return [offer(for: real)]
        case .file:
            throw SourceFault(.unsupported, "\(path) is neither music nor a playlist, as far as its name tells.")
        case .other, nil:
            throw SourceFault(.unsupported, "\(path) is neither a file nor a folder.")
        }
    }

    /// The entries of a playlist, in order, without those that this remote may not reach. A missing file stays in the
    /// list, so that playing it shows the error.
    private func playlist(at path: String, _ trust: Trust, _ search: inout FileSearch, isNested: Bool = false)
        throws(SourceFault) -> [NewEntry]
    {
        var offers: [NewEntry] = []
        var refused: SourceFault?
        try search.openList()
        let entries = try Playlist.read(path, try open(path, trust)).entries
        // The limit counts invalid entries, too, because each costs a disk access.
        guard entries.count <= Self.most else { throw .tooMany(in: path) }
        for entry in entries {
            try search.look()
            switch entry.target {
            case .url(let address):
                offers.append(NewEntry(uri: ItemURI(address), tags: entry.tags ?? Tags(title: WebAddress.title(of: address))))
            case .path(let named):
                do {
                    offers += try self.offers(for: named, entry: entry, trust: trust, search: &search, isNested: isNested)
                } catch  where error.code == .tooLarge || error.code == .cancelled {
                    throw error
                } catch {
                    refused = error
                }
            }
            if offers.count > Self.most { throw .tooMany(in: path) }
        }
        if offers.isEmpty { throw refused ?? SourceFault(.notFound, "The playlist \(path) names nothing that could be played.") }
        return offers
    }

    private func offers(
        for path: String, entry: Playlist.Entry, trust: Trust, search: inout FileSearch, isNested: Bool
    ) throws(SourceFault) -> [NewEntry] {
        let real: String
        do {
            real = try allowed(path, trust)
        } catch  where error.code == .notFound {
            return [NewEntry(uri: FileURI.item(path), tags: entry.tags ?? FileTitle.tags(of: path))]
        }
        switch FileKind.of(real) {
        case .folder: return try Folder(library: self, trust: trust).offers(below: real, &search)
        case .file where Playlist.recognises(real): return isNested ? [] : try playlist(at: real, trust, &search, isNested: true)
        case .file where FileName.isAudio(real): return [offer(for: real, entry.tags)]
        default: throw SourceFault(.unsupported, "\(path) is neither music nor a playlist, as far as its name tells.")
        }
    }

    // MARK: - Access

    /// The real path of `path`, if this trust may reach it. Access is checked before existence, so that an error does
    /// not reveal what exists.
    func allowed(_ path: String, _ trust: Trust) throws(SourceFault) -> String {
        let real = RealPath.of(path)
        let reason = errno
        if trust < .anyPath, !isBelowFolders(real ?? RealPath.ofWhatExists(path)) {
            throw SourceFault(.forbidden, "\(path) lies outside the hub's music folders, so a remote cannot play it.")
        }
        guard let real else {
            throw reason == ENOENT || reason == ENOTDIR
                ? SourceFault(.notFound, "There is no \(path) on the hub's machine.") : .unreadable(path, reason)
        }
        return real
    }

    func isBelowFolders(_ real: String) -> Bool {
        // Paths in the catalogue are real already. Resolving the configured folders can block on a disk, so that
        // comes last.
        if RealPath.isBelow(folders, real) { return true }
        if let catalogue, let added = try? catalogue.folders(), RealPath.isBelow(added.map(\.path), real) {
            return !RealPath.isBelow(bounds.excluded, real)
        }
        return RealPath.isBelow(folders.compactMap { RealPath.of($0) }, real)
    }

    /// The multi-file book that contains this file.
    func book(of real: String) -> NewEntry? {
        guard let catalogue, let track = try? catalogue.track(atPath: real), let place = try? catalogue.location(of: track),
            !place.parts.isEmpty
        else { return nil }
        return try? catalogue.expand(track, most: 1).first
    }

    /// The entry for an audio file: the library's item if there is one, but not a book of which the file is a part.
    func offer(for real: String, _ said: Tags? = nil) -> NewEntry {
        // Files remain playable while the library fails.
        if let catalogue, let track = try? catalogue.track(atPath: real), let place = try? catalogue.location(of: track),
            place.startMs == nil, place.endMs == nil, place.parts.isEmpty, let known = try? catalogue.expand(track, most: 1).first
        {
            return known
        }
        return NewEntry(uri: FileURI.item(real), tags: said ?? FileTitle.tags(of: real))
    }
}

extension SourceFault {
    static func unreadable(_ path: String, _ reason: Int32) -> SourceFault {
        SourceFault(.unreadable, "\(path) cannot be read: \(String(cString: strerror(reason))).")
    }

    static func tooMany(in path: String) -> SourceFault {
        SourceFault(.tooLarge, "\(path) holds more than \(LocalLibrary.most) tracks. Choose a part of it.")
    }
}
