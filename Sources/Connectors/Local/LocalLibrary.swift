/// The files of this machine as a source: `file:track/…`, plain paths and `file://` URLs, folders and
/// playlists.
///
/// What a remote may name is decided here, by real paths: after every symlink and `..` is followed, the
/// file lies below a configured folder, or it came over the unix socket. Every call blocks on the
/// disk, so all of it runs off the loop. It reads no tags of many files: a title comes from the file's name until
/// the player has opened it, or a single file was asked about; where the music library knows the file, its own item takes the file's place.
package import BatonCore
package import BatonSeams
import Glibc

package struct LocalLibrary: Connector {
    package var source: String { "file" }
    package var about: SourceAbout { SourceAbout(name: source, abilities: .paths) }

    /// As they were named. To ask where they really are can take as long as a disk likes.
    let folders: [String]
    private let disk: any FileReading
    /// What the music library knows, which may have folders that no setting names.
    private let catalogue: (any Catalogue)?
    private let bounds: LibraryBounds
    /// Looks into one file, where its length is wanted and no player opens it.
    private let media: (any MediaReading)?

    /// No more than a queue holds.
    package static let most = 10_000
    /// See `FileSearch`. A user may have named the root of a large disk.
    var mostNames = 500_000

    /// A folder that does not exist (yet) holds nothing, which is no mistake.
    package init(folders: [String], disk: any FileReading) {
        catalogue = nil
        media = nil
        bounds = LibraryBounds()
        self.folders = folders
        self.disk = disk
    }

    private init(_ other: LocalLibrary, _ catalogue: any Catalogue, _ bounds: LibraryBounds, _ media: (any MediaReading)?) {
        folders = other.folders
        mostNames = other.mostNames
        disk = other.disk
        self.catalogue = catalogue
        self.bounds = bounds
        self.media = media
    }

    /// The same, once there is a library that may have the files as its own items.
    package func knowing(
        _ catalogue: any Catalogue, within bounds: LibraryBounds = LibraryBounds(), reading media: (any MediaReading)? = nil
    ) -> LocalLibrary {
        LocalLibrary(self, catalogue, bounds, media)
    }

    /// The item of the file at this absolute path.
    @Sendable
    package static func item(at path: String) -> ItemURI { FileURI.item(path) }

    @concurrent
    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        trust == .itemsOnly ? [try libraryOffer(for: uri)] : try offers(for: uri, trust: trust)
    }

    /// What stands in a file of music below the music folders, which everyone may know. Whether there is anything else is for `expand` to
    /// say, which knows who asks.
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
            // Who may not reach a place is not told whether anything is there.
            if trust < .plainPath { _ = try allowed(path, trust) }
            if FileKind.of(path) == .folder { throw SourceFault(.unsupported, "\(path) is not a file that could be played.") }
            throw error
        }
    }

    /// The file itself, checked while it is opened: a name that was checked before could lead elsewhere by now.
    private func open(_ path: String, _ trust: Trust) throws(SourceFault) -> any FileRange {
        do throws(SourceFault) {
            // Files can be played even when the library does not answer.
            let added = (try? catalogue?.folders())?.map(\.path) ?? []
            return try disk.open(path, below: folders + added + (trust == .anyPath ? ["/"] : []))
        } catch {
            guard trust == .plainPath, error.code == .forbidden else { throw error }
            return try disk.open(plainly: path)
        }
    }

    /// For guests: an item of music below the hub's folders, or one answer for whatever else there is or is not.
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

    /// What the playlist names, in its order, without what this remote may not reach. A file that is
    /// missing stays: playing it shows the person what is wrong, where leaving it out would hide it.
    private func playlist(at path: String, _ trust: Trust, _ search: inout FileSearch, isNested: Bool = false)
        throws(SourceFault) -> [NewEntry]
    {
        var offers: [NewEntry] = []
        var refused: SourceFault?
        try search.openList()
        let entries = try Playlist.read(path, try open(path, trust)).entries
        // Also those that turn out to be nothing cost a look at the disk.
        guard entries.count <= Self.most else { throw .tooMany(in: path) }
        for entry in entries {
            try search.look()
            switch entry.target {
            case .url(let address):
                offers.append(NewEntry(uri: ItemURI(address), tags: entry.tags ?? Tags(title: WebAddress.title(of: address))))
            case .path(let named):
                do {
                    offers += try self.offers(for: named, entry, trust, &search, isNested: isNested)
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
        for path: String, _ entry: Playlist.Entry, _ trust: Trust, _ search: inout FileSearch, isNested: Bool
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

    // MARK: - What may be named

    /// The real path behind `path`, when this trust reaches it. Who may not reach a place is not told
    /// whether anything is there.
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
        // The names of the library's own are real. Only what is in none of them is worth asking disks about.
        if RealPath.isBelow(folders, real) { return true }
        if let catalogue, let added = try? catalogue.folders(), RealPath.isBelow(added.map(\.path), real) {
            return !RealPath.isBelow(bounds.excluded, real)
        }
        return RealPath.isBelow(folders.compactMap { RealPath.of($0) }, real)
    }

    /// The book of several files of which this is one.
    func book(of real: String) -> NewEntry? {
        guard let catalogue, let track = try? catalogue.track(atPath: real), let place = try? catalogue.location(of: track),
            !place.parts.isEmpty
        else { return nil }
        return try? catalogue.expand(track, most: 1).first
    }

    /// A file of music by its real path: the library's item where it has one, but no book that the file is only a part of.
    func offer(for real: String, _ said: Tags? = nil) -> NewEntry {
        // Files can be played even when the library does not answer.
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
