/// What happens before the first commit: begin a new life of the file.
import BatonSeams
import Glibc

extension StateFile {
    static func opening(_ path: String) -> DatabaseOpening {
        DatabaseOpening(
            path: path, schema: .state,
            settings: """
                PRAGMA journal_mode = WAL;
                PRAGMA synchronous = NORMAL;
                PRAGMA wal_autocheckpoint = 0;
                PRAGMA journal_size_limit = 8388608;
                PRAGMA cache_size = -8000;
                PRAGMA temp_store = MEMORY;
                """,
            loss: "the queue is empty")
    }

    package static func currentBoot() -> String {
        let bytes = (try? DatabaseOpening.firstBytes(of: "/proc/sys/kernel/random/boot_id", 36)) ?? []
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Notes that the file is open now, and on disk before anything depends on it.
    static func startLife(_ database: Database, freshEpoch: String, boot: String) throws(DatabaseError) -> Marks {
        try database.run("INSERT OR IGNORE INTO journal VALUES (1, ?, 0, 1, '')", [.text(freshEpoch)])
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
}
