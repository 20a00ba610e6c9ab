package import BatonSeams

/// How the stores behind the sources open and close their files.
extension DatabaseOpening {
    /// A connection that writes and waits for the locks of others; a fresh file in the place of a damaged one.
    package func openForStore(_ notices: inout [String]) throws(SourceFault) -> Database {
        let database: Database
        do { database = try openOrReplace(&notices) } catch { throw SourceFault(error) }
        database.waitForLocks(milliseconds: 5_000)
        return database
    }

    /// What was told to be kept survives the death of this process.
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
    /// Moves the log into the file and lets go of it.
    package func closeWhole() {
        try? execute("PRAGMA wal_checkpoint(TRUNCATE)")
        close()
    }
}
