/// One connection to `library.db`, whose failures are already sentences.
///
/// The statements for each part of the library stand in extensions beside this file. What came from
/// outside is bound, never written into SQL. One thread at a time; `LibraryStore` sees to that.
import BatonCore
import BatonSeams
import SQLite

final class LibraryDatabase: StoreConnection {
    typealias Value = Database.Value

    let database: Database
    let path: String
    let clock: Clock
    /// As of the last transaction here that changed it.
    var libraryCounts = LibraryCounts()
    /// What a transaction has gathered and writes at its end.
    var pending = Pending()
    var seen = SeenFiles()
    /// The library's, when the scan began that goes on.
    var revisionAtScan = 0
    var labels = LabelNotes()
    var pageAnchors = PageAnchors()
    /// All words that can be found, as they were when the newest of them was this one.
    var vocabulary: (words: Vocabulary, newest: Int64)?
    /// Not of one that writes: what it shows may change under its hands.
    var shown: ShownRows?
    private var isWide = false

    static let settings = DatabaseOpening.settings(logMiB: 8, cacheKB: 1000)

    /// While much is written. Names come in no order, so each row touches a dozen pages all over the file:
    /// what is not at hand is read and written many times over.
    private static let wide = "PRAGMA cache_size = -24000"
    private static let narrow = "PRAGMA cache_size = -1000; PRAGMA shrink_memory"

    /// From so many pages on, the log is moved into the file.
    var mostLogPages: Int { isWide ? 8000 : 1000 }

    init(_ database: Database, at path: String, _ clock: Clock) {
        self.clock = clock
        self.database = database
        self.path = path
    }

    /// One that only looks.
    static func reader(of path: String, _ clock: Clock) throws(SourceFault) -> LibraryDatabase {
        do {
            let database = try Database(path)
            database.waitForLocks(milliseconds: 1_000)
            try database.execute("PRAGMA query_only = 1; PRAGMA cache_size = -1000")
            try database.define(function: "fold", Folding.fold)
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

    /// All of `body` or nothing of it, in the file and in what is remembered beside it.
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

    /// Makes room for what is about to be written, or gives it back. Without it all goes on as well.
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
