import CSQLite

/// SQLite's memory in this process, over all connections.
package struct SQLiteFigures: Sendable, Equatable {
    package var usedBytes: Int
    /// The part for pages of the files, as far as SQLite counts them.
    package var pageBytes: Int

    package static var now: SQLiteFigures {
        var pages: sqlite3_int64 = 0
        var most: sqlite3_int64 = 0
        unsafe sqlite3_status64(SQLITE_STATUS_PAGECACHE_OVERFLOW, &pages, &most, 0)
        return SQLiteFigures(usedBytes: Int(sqlite3_memory_used()), pageBytes: Int(pages))
    }
}
