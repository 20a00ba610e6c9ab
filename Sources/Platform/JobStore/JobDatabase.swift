/// One connection to `gen.db`, whose failures are already sentences. What came from outside is bound, never written into SQL.
import BatonSeams
import SQLite

final class JobDatabase: StoreConnection {
    typealias Value = Database.Value

    let database: Database
    let path: String

    static let settings = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA journal_size_limit = 2097152;
        PRAGMA cache_size = -500;
        """

    init(_ database: Database, at path: String) {
        self.database = database
        self.path = path
    }
}
