package import BatonSeams

/// Opening and closing of the files behind the sources' stores.
extension DatabaseOpening {
    /// A connection that writes and waits for others' locks; a damaged file is replaced by a new one.
    package func openForStore(_ notices: inout [String]) throws(SourceFault) -> Database {
        let database: Database
        do { database = try openOrReplace(&notices) } catch { throw SourceFault(error) }
        database.waitForLocks(milliseconds: 5_000)
        return database
    }

    /// Settings with which committed changes survive a crash of this process.
    package static func settings(logMiB: Int, cacheKB: Int) -> String {
        """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA journal_size_limit = \(logMiB << 20);
        PRAGMA cache_size = -\(cacheKB);
        """
    }
}

extension Database {
    /// A connection to the file of a store that only reads.
    package static func reader(of path: String) throws(DatabaseError) -> Database {
        let database = try Database(path)
        database.waitForLocks(milliseconds: 1_000)
        try database.execute("PRAGMA query_only = 1; PRAGMA cache_size = -1000")
        return database
    }

    /// Moves the log into the file and closes it.
    package func closeWhole() {
        try? execute("PRAGMA wal_checkpoint(TRUNCATE)")
        close()
    }
}
