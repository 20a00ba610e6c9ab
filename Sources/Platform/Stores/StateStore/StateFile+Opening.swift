/// The work before the first commit, which starts a new session of the file.
import BatonSeams
import Glibc
import SQLite

extension StateFile {
    static func opening(_ path: String) -> DatabaseOpening {
        DatabaseOpening(
            path: path, schema: .state,
            settings: """
                PRAGMA journal_mode = WAL;
                PRAGMA synchronous = NORMAL;
                PRAGMA wal_autocheckpoint = 0;
                PRAGMA journal_size_limit = 8388608;
                PRAGMA cache_size = -1000;
                PRAGMA temp_store = MEMORY;
                """,
            loss: "the queue is empty")
    }

    /// Records on disk that the file is open, before anything depends on it.
    static func startLife(_ database: Database, freshEpoch: String, boot: String) throws(DatabaseError) -> Marks {
        try database.run(
            "INSERT OR IGNORE INTO journal (one, epoch, last_revision, next_entry, open_boot) VALUES (1, ?, 0, 1, '')", [.text(freshEpoch)])
        let found = try database.first("SELECT epoch, last_revision, next_entry, open_boot FROM journal") {
            (marks: Marks(epoch: $0.text(0), lastRevision: $0.int(1), nextEntry: UInt64(bitPattern: $0.int64(2))), boot: $0.text(3))
        }
        guard var marks = found?.marks, let lastBoot = found?.boot else { throw .mismatch("the journal has no first row") }
        if !lastBoot.isEmpty, lastBoot != boot {
            marks.epoch = freshEpoch
            marks.nextEntry += entriesLostAtMost
        }
        try database.run(
            "UPDATE journal SET epoch = ?, next_entry = ?, open_boot = ?",
            [.text(marks.epoch), .int(Int64(bitPattern: marks.nextEntry)), .text(boot)])
        try database.execute("PRAGMA wal_checkpoint(FULL)")
        return marks
    }

    /// The clock of the answers, stored so that each start advances it. An answer from the future, which only a damaged file has, counts as
    /// being as old as the file.
    static func startClock(_ database: Database, boot: String, _ clock: Clock) throws(DatabaseError) -> AnswerClock {
        let noted = try database.first("SELECT clock_boot, clock_kernel_ms, clock_ms FROM journal") {
            AnswerClock.Note(boot: $0.text(0), kernelMs: $0.time(1), clockMs: $0.time(2))
        }
        let newestMs = try database.first("SELECT max(clock_ms) FROM answer") { $0.time(0) }
        let clock = AnswerClock(after: noted ?? AnswerClock.Note(), newestMs: newestMs ?? 0, boot: boot, clock: clock)
        let reading = clock.note
        try database.transaction { () throws(DatabaseError) in
            try write(reading, in: database)
            try database.run(
                "UPDATE answer SET clock_ms = max(0, min(clock_ms, ?1)) WHERE clock_ms NOT BETWEEN 0 AND ?1", [.time(reading.clockMs)])
        }
        return clock
    }

    static func write(_ reading: AnswerClock.Note, in database: Database) throws(DatabaseError) {
        try database.run(
            "UPDATE journal SET clock_boot = ?, clock_kernel_ms = ?, clock_ms = ?",
            [.text(reading.boot), .time(reading.kernelMs), .time(reading.clockMs)])
    }
}
