/// One connection to `sources.db`, whose failures are already sentences.
///
/// The statements for each part stand in extensions of `SourceStore`. What came from outside is bound, never written into SQL.
/// One thread at a time; `LockedConnection` sees to that.
import BatonCore
import BatonSeams
import SQLite

final class SourceDatabase: StoreConnection {
    typealias Value = Database.Value

    let database: Database
    let path: String
    /// All words of some mirrors, by their slots, as a pass noted them.
    var vocabularies: [Int: (words: Vocabulary, pass: Int64)] = [:]

    static let settings = DatabaseOpening.settings(logMiB: 8, cacheKB: 2000)

    init(_ database: Database, at path: String) {
        self.database = database
        self.path = path
    }

    /// One that only looks.
    static func reader(of path: String) throws(SourceFault) -> SourceDatabase {
        do {
            let database = try Database(path)
            database.waitForLocks(milliseconds: 1_000)
            try database.execute("PRAGMA query_only = 1; PRAGMA cache_size = -1000")
            return SourceDatabase(database, at: path)
        } catch {
            throw error.sourceFault(at: path)
        }
    }
}
