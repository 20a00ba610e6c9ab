/// One connection to `sources.db`, whose failures are already sentences.
///
/// The statements for each part stand in extensions of `SourceStore`. What came from outside is bound, never written into SQL.
/// One thread at a time; `LockedSources` sees to that.
import BatonSeams
import SQLite
import Synchronization

final class SourceDatabase {
    typealias Value = Database.Value

    let database: Database
    let path: String

    static let settings = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA journal_size_limit = 8388608;
        PRAGMA cache_size = -2000;
        """

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

    // MARK: - Statements

    @discardableResult
    func run(_ sql: String, _ values: [Value] = []) throws(SourceFault) -> Int {
        do { return try database.run(sql, values) } catch { throw error.sourceFault(at: path) }
    }

    func execute(_ script: String) throws(SourceFault) {
        do { try database.execute(script) } catch { throw error.sourceFault(at: path) }
    }

    func first<Result>(_ sql: String, _ values: [Value] = [], _ read: (Row) -> Result) throws(SourceFault) -> Result? {
        do { return try database.first(sql, values, read) } catch { throw error.sourceFault(at: path) }
    }

    func all<Result>(_ sql: String, _ values: [Value] = [], _ read: (Row) -> Result) throws(SourceFault) -> [Result] {
        var results: [Result] = []
        do { try database.each(sql, values) { results.append(read($0)) } } catch { throw error.sourceFault(at: path) }
        return results
    }

    // MARK: - Transactions

    /// All of `body` or nothing of it.
    func change<Result>(_ body: () throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        database.rollBack()
        do {
            try run("BEGIN IMMEDIATE")
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            database.rollBack()
            throw error
        }
    }

    func look<Result>(_ body: () throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        database.rollBack()
        try run("BEGIN")
        defer { database.rollBack() }
        return try body()
    }
}

/// One connection, used by one thread at a time.
final class LockedSources: Sendable {
    private let lock = Mutex(())
    // Only touched while the lock is held.
    private nonisolated(unsafe) let sources: SourceDatabase

    init(_ sources: SourceDatabase) { unsafe self.sources = sources }

    func wait<Result: Sendable, Failure>(_ body: (SourceDatabase) throws(Failure) -> Result) throws(Failure) -> Result {
        try lock.withLock { _ throws(Failure) in try unsafe body(sources) }
    }

    /// `nil` when another thread uses it.
    func tryNow<Result: Sendable, Failure>(_ body: (SourceDatabase) throws(Failure) -> Result) throws(Failure) -> Result? {
        try lock.withLockIfAvailable { _ throws(Failure) in try unsafe body(sources) }
    }
}
