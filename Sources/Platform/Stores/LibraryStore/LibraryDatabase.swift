/// One connection to `library.db`, which reports failures as sentences.
///
/// The statements for each part of the library are in extensions beside this file. Values from outside are always bound, never written into
/// SQL. Only one thread may use it at a time; `LibraryStore` ensures that.
import BatonCore
import BatonSeams
import SQLite

final class LibraryDatabase: StoreConnection {
    typealias Value = Database.Value

    let database: Database
    let path: String
    let clock: Clock
    /// Number of changes of songs and their folders since the start.
    var songChanges = 0
    /// Counts as of the last transaction of this connection that changed them.
    var libraryCounts = LibraryCounts()
    /// Changes that the current transaction writes at its end.
    var pending = Pending()
    var seen = SeenFiles()
    /// Times of folders that the current scan has listed before they had a row.
    var folderTimes: [String: Int64] = [:]
    /// The library's revision when the current scan began.
    var revisionAtScan = 0
    var labels = LabelNotes()
    var pageAnchors = PageAnchors()
    /// All searchable words, and the number of the newest one when they were read.
    var vocabulary: (words: Vocabulary, newest: Int64)?
    /// Recently shown rows; `nil` for the connection that writes, since its rows may change between two reads.
    var shown: ShownRows?
    private var isWide = false

    static let settings = DatabaseOpening.settings(logMiB: 8, cacheKB: 1000)

    /// Cache size for many writes. Names come in random order, so each row touches a dozen pages all over the file; with a small cache the
    /// same pages would be read and written again and again.
    private static let wide = "PRAGMA cache_size = -24000"
    private static let narrow = "PRAGMA cache_size = -1000; PRAGMA shrink_memory"

    /// Number of pages in the log above which it is moved into the file.
    var mostLogPages: Int { isWide ? 8000 : 1000 }

    init(_ database: Database, at path: String, _ clock: Clock) {
        self.clock = clock
        self.database = database
        self.path = path
    }

    /// A connection that only reads.
    static func reader(of path: String, _ clock: Clock) throws(SourceFault) -> LibraryDatabase {
        do {
            let database = try Database.reader(of: path)
            try database.define(function: "fold", Folding.fold)
            try database.defineHolds()
            let library = LibraryDatabase(database, at: path, clock)
            library.shown = ShownRows()
            return library
        } catch {
            throw error.sourceFault(at: path)
        }
    }

    // MARK: - Statements

    /// The number of the row that was inserted.
    func insert(_ sql: String, _ values: [Value]) throws(SourceFault) -> Int64 {
        try run(sql, values)
        return database.lastInserted
    }

    // MARK: - Transactions

    /// Applies all of `body` or nothing of it, both in the file and in memory.
    func change<Result>(_ body: () throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        let before = (libraryCounts, seen, labels)
        database.rollBack()
        do {
            try run("BEGIN IMMEDIATE")
            let result = try body()
            try writePending()
            if libraryCounts != before.0 { try writeLibraryCounts() }
            try run("COMMIT")
            return result
        } catch {
            database.rollBack()
            (libraryCounts, seen, labels) = before
            pending = Pending()
            throw error
        }
    }

    /// Enlarges the page cache before many writes, or shrinks it again. A failure only costs speed.
    func makeRoom(_ isWanted: Bool) {
        guard isWide != isWanted else { return }
        isWide = isWanted
        try? database.execute(isWanted ? Self.wide : Self.narrow)
    }

    // MARK: - Counts

    func readLibraryCounts() throws(SourceFault) -> LibraryCounts {
        let found = try first(
            "SELECT tracks, albums, artists, playlists, library_revision, playlist_revision FROM census"
        ) { row in
            var libraryCounts = LibraryCounts()
            libraryCounts.tracks = row.int(0)
            libraryCounts.albums = row.int(1)
            libraryCounts.artists = row.int(2)
            libraryCounts.playlists = row.int(3)
            libraryCounts.libraryRevision = row.int(4)
            libraryCounts.playlistRevision = row.int(5)
            return libraryCounts
        }
        return found ?? LibraryCounts()
    }

    private func writeLibraryCounts() throws(SourceFault) {
        try run(
            "UPDATE census SET tracks = ?, albums = ?, artists = ?, playlists = ?, library_revision = ?, playlist_revision = ?",
            [
                .int(libraryCounts.tracks), .int(libraryCounts.albums), .int(libraryCounts.artists), .int(libraryCounts.playlists),
                .int(libraryCounts.libraryRevision),
                .int(libraryCounts.playlistRevision),
            ])
    }
}
