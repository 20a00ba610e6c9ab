package import BatonCore

/// The store of the local library's files and tracks. Blocks on the disk; never called on the loop. One scan writes while any number of queries are
/// answered.
package protocol Catalogue: Sendable {
    // MARK: Folders

    /// The folders of the library, with what is known about each.
    func folders() throws(SourceFault) -> [LibraryFolder]
    /// Returns false when nothing changes. Without `holds` a known folder keeps its content kind, and a new one is for music.
    func setFolder(_ path: String, isWanted: Bool, holds: FolderContent?) throws(SourceFault) -> Bool
    /// Notes the problem of a folder that cannot be read; `nil` once it can.
    func noteFolder(_ path: String, problem: String?) throws(SourceFault)

    // MARK: Scanning

    /// Continues a scan that did not end, or begins a new one.
    func beginScan(atMs: Milliseconds) throws(SourceFault) -> ScanID
    /// The known files directly in each of these folders (not below), by name.
    func known(in folders: [String]) throws(SourceFault) -> [[String: KnownFile]]
    /// Names of the folders directly in this one that hold files known to exist.
    func knownFolders(in folder: String) throws(SourceFault) -> [String]
    /// Notes when folders last changed, in seconds since 1970. A folder that is not known yet has its time once a file of it is stored.
    func noteTimes(of folders: [String: Int64]) throws(SourceFault)
    /// Notes that these files are unchanged.
    func noteSeen(_ files: [FileID], in scan: ScanID) throws(SourceFault)
    /// Stores scan results in one transaction. A file with the content of a known file that is missing has moved: it keeps the id, marks and places
    /// in playlists.
    func store(_ files: [ScannedFile], in scan: ScanID, atMs: Milliseconds) throws(SourceFault)
    /// Marks files below these folders that were not seen as missing; without folders, none. The latter is for scans of single folders after an
    /// event, whose report is not stored.
    func endScan(_ scan: ScanID, below folders: [String], _ report: ScanReport, atMs: Milliseconds) throws(SourceFault)
    /// Notes after an event that this file or folder is missing.
    func noteGone(_ path: String) throws(SourceFault)
    /// The report of the last scan of everything; `nil` before the first has ended.
    func lastReport() throws(SourceFault) -> ScanReport?

    // MARK: Playlist files

    /// The files that playlists are made from, by path.
    func playlistFiles() throws(SourceFault) -> [String: KnownPlaylistFile]
    /// Makes a playlist from a file, or updates the one that was made from it.
    func store(_ playlist: ScannedPlaylist, atMs: Milliseconds) throws(SourceFault)
    /// Removes the playlists of files that are missing.
    func forgetPlaylistFiles(_ paths: [String]) throws(SourceFault)

    // MARK: Pictures of artists

    /// Known picture files in folders of artists, by path.
    func artistPictures() throws(SourceFault) -> [String: FileStamp]
    /// Stores scanned pictures and forgets missing ones. An artist gets the picture in the folder with the artist's name that has music of the artist
    /// in or below it.
    func setArtistPictures(_ read: [ScannedArtistPicture], gone: [String]) throws(SourceFault)

    // MARK: Finding

    /// A part of a container or of a shelf.
    func browse(_ query: BrowseQuery) throws(SourceFault) -> ItemPage
    func search(_ query: SearchQuery) throws(SourceFault) -> ItemPage
    func details(of uri: ItemURI) throws(SourceFault) -> ItemDetails
    /// The tracks of an item in playing order, at most `most`.
    func expand(_ uri: ItemURI, most: Int) throws(SourceFault) -> [NewEntry]
    /// The file of a track, and for a part of a file (from a cue sheet) its start and end.
    func location(of uri: ItemURI) throws(SourceFault) -> TrackLocation
    /// The track of a file, or its book if it is part of one.
    func track(atPath path: String) throws(SourceFault) -> ItemURI?
    /// The next book in the series of a book; `nil` where there is none.
    func following(_ uri: ItemURI) throws(SourceFault) -> ItemRow?
    /// The lyrics in the file itself.
    func lyrics(of uri: ItemURI) throws(SourceFault) -> Lyrics?
    /// The origin of a picture; `nil` when the library does not know it.
    func picture(_ id: String) throws(SourceFault) -> PictureSource?
    /// A music file whose tracks show the picture, and which may have it within.
    func musicFile(withPicture id: String) throws(SourceFault) -> String?
    /// Pictures whose colours are unknown.
    func withoutColours(most: Int) throws(SourceFault) -> [String]
    /// Stores colours by picture. Empty results are stored too, so that they are not computed again.
    func storeColours(_ colours: [String: [Int]]) throws(SourceFault)
}

extension Catalogue {
    /// Adds a music folder, or one with the content that it has; or removes one.
    package func setFolder(_ path: String, isWanted: Bool) throws(SourceFault) -> Bool {
        try setFolder(path, isWanted: isWanted, holds: nil)
    }
}

/// One scan, which may end before it is complete and be continued later.
package struct ScanID: Hashable, Sendable {
    /// The number, which grows with each scan.
    package let number: Int64
    package init(_ number: Int64) { self.number = number }
}

/// A file that the library has seen, whether it is there now or not.
package struct FileID: Hashable, Sendable {
    /// The number, which stays when the file is moved.
    package let number: Int64
    package init(_ number: Int64) { self.number = number }
}

/// A folder of the library with what is known about it.
package struct LibraryFolder: Equatable, Sendable {
    /// The real path, without symlinks.
    package var path: String
    /// Number of tracks in it and below it.
    package var tracks: Int
    /// The reason why it cannot be read; `nil` while it can.
    package var problem: String?
    /// The rule by which its files become tracks or books.
    package var holds: FolderContent

    package init(path: String, tracks: Int = 0, problem: String? = nil, holds: FolderContent = .music) {
        self.path = path
        self.tracks = tracks
        self.problem = problem
        self.holds = holds
    }
}

/// The state of a playlist file when it was read last.
package struct KnownPlaylistFile: Equatable, Sendable {
    /// The stamp of the file when it was read; another one means that it must be read again.
    package var stamp: FileStamp
    /// True when some of its entries are missing in the library.
    package var isPartial: Bool

    package init(stamp: FileStamp, isPartial: Bool) { (self.stamp, self.isPartial) = (stamp, isPartial) }
}

/// A playlist file as it is read now, with the entries that are in the library or on the web.
package struct ScannedPlaylist: Equatable, Sendable {
    /// The path of the file, which also identifies the playlist that is made from it.
    package var path: String
    /// The stamp of the file as it was read.
    package var stamp: FileStamp
    /// The name of the file without its suffix, at most 64 characters.
    package var name: String
    /// The entries in the order of the file.
    package var entries: [NewEntry]
    /// True when some entries were left out, so that the file is read again once the library has changed.
    package var isPartial: Bool

    package init(path: String, stamp: FileStamp, name: String, entries: [NewEntry], isPartial: Bool) {
        (self.path, self.stamp, self.name, self.entries, self.isPartial) = (path, stamp, name, entries, isPartial)
    }
}

/// A picture of an artist as it is read now; without `art` it is unreadable.
package struct ScannedArtistPicture: Equatable, Sendable {
    /// The path of the picture file.
    package var path: String
    /// The stamp of the file as it was read.
    package var stamp: FileStamp
    /// The id and size of the picture; `nil` for a file that is no readable picture.
    package var art: Artwork?

    package init(path: String, stamp: FileStamp, art: Artwork?) { (self.path, self.stamp, self.art) = (path, stamp, art) }
}

/// The attributes of a file that decide whether it must be read again.
package struct FileStamp: Hashable, Sendable {
    package var size: Int64
    /// The time of the last change of the content, in nanoseconds since 1970.
    package var modifiedNs: Int64
    /// The number of the file on its disk.
    package var inode: UInt64

    package init(size: Int64, modifiedNs: Int64, inode: UInt64) {
        self.size = size
        self.modifiedNs = modifiedNs
        self.inode = inode
    }
}

/// A file as the library knows it from an earlier scan.
package struct KnownFile: Equatable, Sendable {
    /// The number under which its tracks are stored.
    package var id: FileID
    /// The stamp when it was read; an equal one now means that it need not be read again.
    package var stamp: FileStamp
    /// A number that changes with the files that belong to it: a cue sheet, lyrics, a picture of the folder.
    package var companions: Int64
    /// The reason why it could not be read; a scan repeats it while the file is unchanged.
    package var problem: String?

    package init(id: FileID, stamp: FileStamp, companions: Int64 = 0, problem: String? = nil) {
        self.id = id
        self.stamp = stamp
        self.companions = companions
        self.problem = problem
    }
}

/// The scan result of one file.
package struct ScannedFile: Equatable, Sendable {
    /// The folder of the file.
    package var folder: String
    package var name: String
    /// The stamp of the file as it was read.
    package var stamp: FileStamp
    /// A number that changes with the files that belong to it.
    package var companions: Int64
    /// The result of reading the file.
    package var content: Content

    package enum Content: Equatable, Sendable {
        /// A track, or several with a cue sheet. Lyrics without times come from a separate file.
        case tracks([TrackFacts], fingerprint: Fingerprint, lyrics: Lyrics?)
        /// A sentence that says why it could not be read.
        case unreadable(String)
        /// A book, and all files that it consists of, including this one.
        case book(TrackFacts, of: [ScannedFile], remark: String?)
        /// A file that is part of a book.
        case part(Fingerprint)
    }

    package init(folder: String, name: String, stamp: FileStamp, companions: Int64 = 0, content: Content) {
        self.folder = folder
        self.name = name
        self.stamp = stamp
        self.companions = companions
        self.content = content
    }
}

extension ScannedFile {
    /// Number of files in this result.
    package var count: Int { if case .book(_, let parts, _) = content { parts.count } else { 1 } }
}

/// Identifies content: equal for the same sound under another name.
package struct Fingerprint: Hashable, Sendable {
    /// The first half of the hash.
    package let high: UInt64
    /// The second half of the hash.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// The location of a track's sound on disk.
package struct TrackLocation: Equatable, Sendable {
    /// The full path of the file.
    package var path: String
    /// The start in the file; `nil` for a track that is a whole file.
    package var startMs: Milliseconds?
    /// The end in the file; `nil` for a track that is a whole file, or its last part.
    package var endMs: Milliseconds?
    /// The files of a book that has several, with full paths; empty for all other items.
    package var parts: [BookPart]

    package init(path: String, startMs: Milliseconds? = nil, endMs: Milliseconds? = nil, parts: [BookPart] = []) {
        self.path = path
        self.startMs = startMs
        self.endMs = endMs
        self.parts = parts
    }
}
