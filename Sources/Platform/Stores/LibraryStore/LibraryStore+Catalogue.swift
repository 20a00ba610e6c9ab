package import BatonCore
package import BatonSeams
import CLinux
import Glibc

/// Library operations that scans, searches and file readers use.
extension LibraryStore: Catalogue {
    package func folders() throws(SourceFault) -> [LibraryFolder] {
        try look { library throws(SourceFault) in try library.wantedFolders() }
    }

    package func setFolder(_ path: String, isWanted: Bool, holds: FolderContent?) throws(SourceFault) -> Bool {
        try change { library throws(SourceFault) in try library.setFolder(path, isWanted: isWanted, holds: holds) }
    }

    package func noteFolder(_ path: String, problem: String?) throws(SourceFault) {
        try change { library throws(SourceFault) in try library.noteFolder(path, problem: problem) }
    }

    package func beginScan(atMs: Milliseconds) throws(SourceFault) -> ScanID {
        try change { library throws(SourceFault) in try library.beginScan(atMs: atMs) }
    }

    package func known(in folders: [String]) throws(SourceFault) -> [[String: KnownFile]] {
        try look { library throws(SourceFault) in
            var known: [[String: KnownFile]] = []
            for folder in folders { known.append(try library.known(in: folder)) }
            return known
        }
    }

    package func knownFolders(in folder: String) throws(SourceFault) -> [String] {
        try look { library throws(SourceFault) in try library.knownFolders(in: folder) }
    }

    package func noteTimes(of folders: [String: Int64]) throws(SourceFault) {
        let known = try look { library throws(SourceFault) in try library.times(of: folders.keys.sorted()) }
        let late = folders.filter { known[$0.key] == nil }
        if !late.isEmpty { writer.wait { $0.note(times: late) } }
        let changed = folders.filter { known[$0.key] != nil && known[$0.key] != $0.value }
        guard !changed.isEmpty else { return }
        try change { library throws(SourceFault) in
            for (path, time) in changed { try library.set(time: time, of: path) }
        }
    }

    package func noteSeen(_ files: [FileID], in scan: ScanID) throws(SourceFault) {
        writer.wait { library in
            library.seen.begin(scan)
            for file in files { library.seen.insert(file) }
        }
    }

    package func store(_ files: [ScannedFile], in scan: ScanID, atMs: Milliseconds) throws(SourceFault) {
        guard !files.isEmpty else { return }
        if files.count >= Self.many { writer.wait { $0.makeRoom(true) } }
        try change { library throws(SourceFault) in try library.store(files, in: scan, atMs: atMs) }
    }

    package func endScan(_ scan: ScanID, below folders: [String], _ report: ScanReport, atMs: Milliseconds) throws(SourceFault) {
        defer { rest() }
        try change { library throws(SourceFault) in try library.endScan(scan, below: folders, report, atMs: atMs) }
    }

    package func noteGone(_ path: String) throws(SourceFault) {
        try change { library throws(SourceFault) in try library.noteGone(path) }
    }

    package func lastReport() throws(SourceFault) -> ScanReport? {
        try look { library throws(SourceFault) in try library.lastReport() }
    }

    package func playlistFiles() throws(SourceFault) -> [String: KnownPlaylistFile] {
        try look { library throws(SourceFault) in try library.playlistFiles() }
    }

    package func store(_ playlist: ScannedPlaylist, atMs: Milliseconds) throws(SourceFault) {
        try change { library throws(SourceFault) in try library.store(playlist, at: moment(atMs)) }
    }

    package func forgetPlaylistFiles(_ paths: [String]) throws(SourceFault) {
        try change { library throws(SourceFault) in try library.forgetPlaylistFiles(paths) }
    }

    package func artistPictures() throws(SourceFault) -> [String: FileStamp] {
        try look { library throws(SourceFault) in try library.artistPictures() }
    }

    package func setArtistPictures(_ read: [ScannedArtistPicture], gone: [String]) throws(SourceFault) {
        try change { library throws(SourceFault) in try library.setArtistPictures(read, gone: gone) }
    }

    package func browse(_ query: BrowseQuery) throws(SourceFault) -> ItemPage {
        try look { library throws(SourceFault) in try library.browse(query) }
    }

    package func search(_ query: SearchQuery) throws(SourceFault) -> ItemPage {
        try look { library throws(SourceFault) in try library.search(query) }
    }

    package func following(_ uri: ItemURI) throws(SourceFault) -> ItemRow? {
        try look { library throws(SourceFault) in try library.following(uri) }
    }

    package func details(of uri: ItemURI) throws(SourceFault) -> ItemDetails {
        try look { library throws(SourceFault) in try library.details(of: uri) }
    }

    package func expand(_ uri: ItemURI, most: Int) throws(SourceFault) -> [NewEntry] {
        try look { library throws(SourceFault) in try library.expand(uri, most: most) }
    }

    package func location(of uri: ItemURI) throws(SourceFault) -> TrackLocation {
        try look { library throws(SourceFault) in try library.location(of: uri) }
    }

    package func lyrics(of uri: ItemURI) throws(SourceFault) -> Lyrics? {
        try look { library throws(SourceFault) in try library.lyrics(of: uri) }
    }

    package func track(atPath path: String) throws(SourceFault) -> ItemURI? {
        try look { library throws(SourceFault) in try library.track(atPath: path) }
    }

    package func picture(_ id: String) throws(SourceFault) -> PictureSource? {
        try look { library throws(SourceFault) in try library.picture(id) }
    }

    package func musicFile(withPicture id: String) throws(SourceFault) -> String? {
        try look { library throws(SourceFault) in try library.musicFile(withPicture: id) }
    }

    package func withoutColours(most: Int) throws(SourceFault) -> [String] {
        try look { library throws(SourceFault) in try library.withoutColours(most: most) }
    }

    package func storeColours(_ colours: [String: [Int]]) throws(SourceFault) {
        try change { library throws(SourceFault) in
            for (picture, two) in colours { try library.storeColours(two, of: picture) }
        }
    }
}

extension LibraryStore {
    /// Number of files in one batch from which a larger page cache pays.
    private static let many = 100

    /// Releases the memory of a scan: its pages, and freed allocations that the C library would otherwise keep for the life of the process.
    private func rest() {
        writer.wait { $0.makeRoom(false) }
        malloc_trim(0)
    }
}
