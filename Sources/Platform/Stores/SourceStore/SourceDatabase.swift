/// One connection to `sources.db`, which reports failures as sentences.
///
/// The statements for each part are in extensions of `SourceStore`. Values from outside are always bound, never written into SQL. Only one
/// thread may use it at a time; `LockedConnection` ensures that.
import BatonCore
import BatonSeams
import SQLite

final class SourceDatabase: StoreConnection {
    typealias Value = Database.Value

    let database: Database
    let path: String
    /// The vocabularies of some mirrors by slot, as a pass wrote them.
    var vocabularies: [Int: (words: Vocabulary, pass: Int64)] = [:]

    static let settings = DatabaseOpening.settings(logMiB: 8, cacheKB: 2000)

    init(_ database: Database, at path: String) {
        self.database = database
        self.path = path
    }

    /// A connection that only reads.
    static func reader(of path: String) throws(SourceFault) -> SourceDatabase {
        do { return SourceDatabase(try Database.reader(of: path), at: path) } catch { throw error.sourceFault(at: path) }
    }
}
