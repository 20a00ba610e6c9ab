/// One connection to `gen.db`, which reports failures as sentences. Values from outside are always bound, never written into SQL.
import BatonSeams
import SQLite

final class JobDatabase: StoreConnection {
    typealias Value = Database.Value

    let database: Database
    let path: String

    static let settings = DatabaseOpening.settings(logMiB: 2, cacheKB: 500)

    init(_ database: Database, at path: String) {
        self.database = database
        self.path = path
    }
}
