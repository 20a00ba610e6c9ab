package import BatonCore

/// Songs of the library by their paths, for dialects that show it as a tree of files with tags. Blocks on the disk; never called on the loop.
///
/// With one music folder, paths begin below it. With several, each stands in the folder above them by its own name. Books and parts of files are
/// songs too: a part is `FILE/trackNNNN`. Places change when a scan has ended, so a caller that goes on behind a place of before may miss a song.
package protocol SongReading: Sendable {
    /// Calls `take` for the songs and folders below a folder, in the order of the tree, without the folder itself. An unknown folder has none. Returns
    /// the place behind which the next part begins; `nil` at the end.
    func eachRow(
        below folder: String, depth: SongDepth, after: SongPlace?, most: Int, _ take: (LentRow) -> Void
    ) throws(SourceFault) -> SongPlace?
    /// The place behind so many rows of the tree, which is found much faster than they are read; `nil` where it has no more.
    func place(below folder: String, after: SongPlace?, skipping rows: Int) throws(SourceFault) -> SongPlace?
    /// The song or the folder with this path; `nil` when there is none. An empty path is the folder above all others.
    func row(atPath path: String) throws(SourceFault) -> SongOrFolder?
    /// The songs of items, each at its place; `nil` for an item that is no track or book of the library, or whose file is missing.
    func songs(of items: [ItemURI]) throws(SourceFault) -> [Song?]
    /// Songs that may match, in the order of the tree. The caller tests each, because texts are looked for in all tags and in the path.
    func songs(_ search: SongSearch, after: SongPlace?, most: Int) throws(SourceFault) -> SongPage<Song>
    /// The numbers of all songs that may match, in the order of the tree; `nil` for a search whose first page comes long before all are found.
    /// `isWhole` is one of which all pages are wanted.
    func find(_ search: SongSearch, isWhole: Bool) throws(SourceFault) -> [Int64]?
    /// The songs with these numbers, as far as they are still there.
    func songs(numbered numbers: ArraySlice<Int64>) throws(SourceFault) -> [Song]
    /// All combinations of values that these tags have together, sorted by their bytes, the first tag first. A song without a tag has an empty
    /// value, or that of the tag's fallback; one with several values is in several combinations.
    func values(of tags: [TagName]) throws(SourceFault) -> [SongValues]
    /// All tags of the song's file by the names that the file has for them, in its order.
    func comments(atPath path: String) throws(SourceFault) -> [(name: String, value: String)]
    func totals() throws(SourceFault) -> SongTotals
    /// Number of changes of songs and their folders since the start. Favourites and stars are none. Does not block, so the loop may ask.
    var songChanges: Int { get }
}

extension SongReading {
    /// The same as copies.
    package func rows(below folder: String, depth: SongDepth, after: SongPlace?, most: Int) throws(SourceFault) -> SongPage<SongOrFolder> {
        var rows: [SongOrFolder] = []
        let next = try eachRow(below: folder, depth: depth, after: after, most: most) { row in
            switch row {
            case .song(let song): rows.append(.song(song.song))
            case .folder(let path, let changed): rows.append(.folder(path, changed: changed))
            }
        }
        return SongPage(rows: rows, next: next)
    }
}

/// Whether a list goes below the folders of a folder.
package enum SongDepth: Sendable {
    case folder, tree
}

/// A part of a list.
package struct SongPage<Row: Sendable>: Sendable {
    package var rows: [Row]
    /// The place behind which the next part begins; `nil` at the end.
    package var next: SongPlace?

    package init(rows: [Row], next: SongPlace?) {
        self.rows = rows
        self.next = next
    }
}

/// Conditions by which the store leaves out songs that cannot match.
package struct SongSearch: Equatable, Sendable {
    /// Only songs below this folder.
    package var folder: String
    /// Texts that each occur in the path or in a value of a tag, without regard to case as `String.lowercased` sees it. Texts of three letters and
    /// more are found by an index.
    package var texts: [String]
    /// Only files that changed at this time or later, in seconds since 1970.
    package var changedSince: Int?
    /// Only files that came into the library at this time or later.
    package var addedSince: Int?

    package init(folder: String = "", texts: [String] = [], changedSince: Int? = nil, addedSince: Int? = nil) {
        self.folder = folder
        self.texts = texts
        self.changedSince = changedSince
        self.addedSince = addedSince
    }
}

/// Values that some songs have together.
package struct SongValues: Equatable, Sendable {
    /// One value for each tag that was asked for.
    package var values: [String]
    /// Number of songs with these values.
    package var songs: Int
    /// Length of all of them.
    package var durationMs: Int

    package init(values: [String], songs: Int, durationMs: Int) {
        self.values = values
        self.songs = songs
        self.durationMs = durationMs
    }
}

/// Figures about all songs.
package struct SongTotals: Equatable, Sendable {
    package var songs: Int
    /// Number of different values of the tag.
    package var artists: Int
    /// Number of different values of the tag.
    package var albums: Int
    package var durationMs: Int

    package init(songs: Int = 0, artists: Int = 0, albums: Int = 0, durationMs: Int = 0) {
        self.songs = songs
        self.artists = artists
        self.albums = albums
        self.durationMs = durationMs
    }
}
