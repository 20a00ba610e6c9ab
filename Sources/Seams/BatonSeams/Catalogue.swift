package import BatonCore

/// Where the local library keeps what it knows of its files, and finds it again. Blocks on the disk;
/// never asked on the loop. One scan writes while any number of questions are answered.
package protocol Catalogue: Sendable {
    // MARK: Folders

    func folders() throws(SourceFault) -> [LibraryFolder]
    /// False when it was so already. Without `holds` a known folder holds what it held, and a new one music.
    func setFolder(_ path: String, isWanted: Bool, holds: FolderContent?) throws(SourceFault) -> Bool
    /// Of a whole folder, when it cannot be read; `nil` once it can.
    func noteFolder(_ path: String, problem: String?) throws(SourceFault)

    // MARK: Scanning

    /// Names the scan that goes on when the last one did not end, else a new one.
    func beginScan(atMs: Int64) throws(SourceFault) -> ScanID
    /// What is known of the files right in each of these folders (not below), by name.
    func known(in folders: [String]) throws(SourceFault) -> [[String: KnownFile]]
    /// Names of the folders right in this one that hold files which are known to be there.
    func knownFolders(in folder: String) throws(SourceFault) -> [String]
    /// Seen unchanged.
    func noteSeen(_ files: [FileID], in scan: ScanID) throws(SourceFault)
    /// Keeps what was read in one transaction. A file whose content is known under a path that is no
    /// longer there has moved, and keeps its id, marks and places in playlists.
    func keep(_ files: [ScannedFile], in scan: ScanID, atMs: Int64) throws(SourceFault)
    /// Files below these folders that were not seen are away from now on; without folders none is (a
    /// scan of single folders after an event, whose report is not kept).
    func endScan(_ scan: ScanID, below folders: [String], _ report: ScanReport, atMs: Int64) throws(SourceFault)
    /// After an event: this file or folder is not there any more.
    func noteGone(_ path: String) throws(SourceFault)
    func lastReport() throws(SourceFault) -> ScanReport?

    // MARK: Playlist files

    /// Those that fill playlists, by their paths.
    func playlistFiles() throws(SourceFault) -> [String: KnownPlaylistFile]
    /// Makes a playlist of what a file lists, or fills the one that was made of it before.
    func keep(_ playlist: ScannedPlaylist, atMs: Int64) throws(SourceFault)
    /// They are gone, and their playlists go too.
    func forgetPlaylistFiles(_ paths: [String]) throws(SourceFault)

    // MARK: Pictures of artists

    /// Picture files that were found in folders of artists, by their paths.
    func artistPictures() throws(SourceFault) -> [String: FileStamp]
    /// Keeps what was read and forgets what is gone. An artist has the picture in the folder that is called like the artist and has
    /// music of it in or below it.
    func setArtistPictures(_ read: [ScannedArtistPicture], gone: [String]) throws(SourceFault)

    // MARK: Finding

    func browse(_ query: BrowseQuery) throws(SourceFault) -> ItemPage
    func search(_ query: SearchQuery) throws(SourceFault) -> ItemPage
    func details(of uri: ItemURI) throws(SourceFault) -> ItemDetails
    /// Its tracks in playing order, at most so many.
    func expand(_ uri: ItemURI, most: Int) throws(SourceFault) -> [NewEntry]
    /// The file of a track and, for a part of one (a cue sheet's), where it begins and ends.
    func location(of uri: ItemURI) throws(SourceFault) -> TrackLocation
    /// For a file of a book, the book.
    func track(atPath path: String) throws(SourceFault) -> ItemURI?
    /// The next book of the series of a book; `nil` where there is none.
    func following(_ uri: ItemURI) throws(SourceFault) -> ItemRow?
    /// The words that were in the file itself.
    func lyrics(of uri: ItemURI) throws(SourceFault) -> Lyrics?
    func picture(_ id: String) throws(SourceFault) -> PictureSource?
    /// Pictures whose colours are not known yet.
    func uncoloured(most: Int) throws(SourceFault) -> [String]
    /// By picture; no colours at all are kept too, so that they are not computed again.
    func keepColours(_ colours: [String: [Int]]) throws(SourceFault)
}

extension Catalogue {
    package func setFolder(_ path: String, isWanted: Bool) throws(SourceFault) -> Bool {
        try setFolder(path, isWanted: isWanted, holds: nil)
    }
}

package struct ScanID: Hashable, Sendable {
    package let number: Int64
    package init(_ number: Int64) { self.number = number }
}

package struct FileID: Hashable, Sendable {
    package let number: Int64
    package init(_ number: Int64) { self.number = number }
}

package struct LibraryFolder: Equatable, Sendable {
    package var path: String
    package var tracks: Int
    package var problem: String?
    package var holds: FolderContent

    package init(path: String, tracks: Int = 0, problem: String? = nil, holds: FolderContent = .music) {
        self.path = path
        self.tracks = tracks
        self.problem = problem
        self.holds = holds
    }
}

/// How a file looked from outside: what decides whether it must be read again.
/// A playlist file as it was read last.
package struct KnownPlaylistFile: Equatable, Sendable {
    package var stamp: FileStamp
    /// Some of what it names was not in the library.
    package var isPartial: Bool

    package init(stamp: FileStamp, isPartial: Bool) { (self.stamp, self.isPartial) = (stamp, isPartial) }
}

/// A playlist file as it is read now, with those of its entries that are in the library or on the web.
package struct ScannedPlaylist: Equatable, Sendable {
    package var path: String
    package var stamp: FileStamp
    package var name: String
    package var entries: [NewEntry]
    package var isPartial: Bool

    package init(path: String, stamp: FileStamp, name: String, entries: [NewEntry], isPartial: Bool) {
        (self.path, self.stamp, self.name, self.entries, self.isPartial) = (path, stamp, name, entries, isPartial)
    }
}

/// A picture of an artist as it is read now; without `art` it cannot be read.
package struct ScannedArtistPicture: Equatable, Sendable {
    package var path: String
    package var stamp: FileStamp
    package var art: Artwork?

    package init(path: String, stamp: FileStamp, art: Artwork?) { (self.path, self.stamp, self.art) = (path, stamp, art) }
}

package struct FileStamp: Hashable, Sendable {
    package var size: Int64
    package var changedNs: Int64
    package var inode: UInt64

    package init(size: Int64, changedNs: Int64, inode: UInt64) {
        self.size = size
        self.changedNs = changedNs
        self.inode = inode
    }
}

package struct KnownFile: Equatable, Sendable {
    package var id: FileID
    package var stamp: FileStamp
    /// What goes into a file's entry beside itself (a cue sheet, words, a folder's picture), as a number
    /// that differs when any of them does.
    package var companions: Int64
    package var problem: String?

    package init(id: FileID, stamp: FileStamp, companions: Int64 = 0, problem: String? = nil) {
        self.id = id
        self.stamp = stamp
        self.companions = companions
        self.problem = problem
    }
}

/// What a scan found out about one file.
package struct ScannedFile: Equatable, Sendable {
    /// The folder it is in and its own name.
    package var folder: String
    package var name: String
    package var stamp: FileStamp
    package var companions: Int64
    package var content: Content

    package enum Content: Equatable, Sendable {
        /// One track; or several, when a cue sheet says so. Words without lines stand in a file beside it.
        case tracks([TrackFacts], fingerprint: Fingerprint, lyrics: Lyrics?)
        /// A sentence: why it could not be read.
        case unreadable(String)
        /// A book, and all files that it is made of: the one that this stands for is among them.
        case book(TrackFacts, of: [ScannedFile], remark: String?)
        /// A file of a book.
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
    /// How many files this tells of.
    package var count: Int { if case .book(_, let parts, _) = content { parts.count } else { 1 } }
}

/// Tells content from content: equal for the same bytes of sound under another name.
package struct Fingerprint: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

package struct TrackLocation: Equatable, Sendable {
    package var path: String
    package var startMs: Int?
    package var endMs: Int?
    /// The files of a book of several, each by its whole path; empty for all else.
    package var parts: [BookPart]

    package init(path: String, startMs: Int? = nil, endMs: Int? = nil, parts: [BookPart] = []) {
        self.path = path
        self.startMs = startMs
        self.endMs = endMs
        self.parts = parts
    }
}

/// How a scan went, or goes.
package struct ScanReport: Equatable, Sendable {
    /// Files of music seen, and of those: read anew, moved, gone, and failed.
    package var seen = 0
    package var read = 0
    package var moved = 0
    package var gone = 0
    package var failed = 0
    /// How many there will be, once that is known.
    package var total: Int?
    package var isDone = false
    package var tookMs = 0
    /// The first few sentences about files that failed.
    package var problems: [String] = []

    package static let mostProblems = 100

    package init() {}
}
