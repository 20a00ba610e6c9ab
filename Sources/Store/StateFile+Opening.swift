/// What happens before the first commit: refuse what a newer version wrote, set aside what is broken,
/// bring the rest up to date, and begin a new life of the file.
import BatonSeams
import CSQLite
import Glibc

extension StateFile {
    package static func currentBoot() -> String {
        let bytes = (try? firstBytes(of: "/proc/sys/kernel/random/boot_id", 36)) ?? []
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Looks at the header without SQLite, which would touch the file or make others beside it. The
    /// version in it is always current, since a migration ends with a checkpoint. The result is a
    /// notice, when a file was set aside.
    static func inspect(_ path: String) throws(JournalFault) -> String? {
        let header = try header(of: path)
        guard !header.isEmpty else {
            try makePrivate(path)
            return nil
        }
        guard let schema = schema(in: header) else { return try setAside(path, because: "it is not a database") }
        if let fault = newer(schema, path) { throw fault }
        return nil
    }

    /// Empty when there is no file.
    static func header(of path: String) throws(JournalFault) -> [UInt8] { try firstBytes(of: path, 100) }

    /// `nil` when this is no database.
    static func schema(in header: [UInt8]) -> Int? {
        guard header.count == 100, header.starts(with: "SQLite format 3\0".utf8) else { return nil }
        return header[60..<64].reduce(0) { $0 << 8 | Int($1) }
    }

    static func newer(_ schema: Int, _ path: String) -> JournalFault? {
        guard schema > Schema.version else { return nil }
        return JournalFault(
            .newer,
            "\(path) was written by a newer Baton (schema \(schema); this one knows \(Schema.version)) and was left untouched. "
                + "Start the newer one, or name another data folder (--data).")
    }

    /// The file that is there, or a fresh one in the place of a damaged one.
    static func openOrReplace(_ path: String, _ notices: inout [String]) throws(JournalFault) -> Database {
        if let notice = try inspect(path) { notices.append(notice) }
        let damage: DatabaseError
        do {
            return try open(path)
        } catch {
            damage = error
        }
        guard damage.code == .damaged else { throw damage.fault(at: path) }
        notices.append(try setAside(path, because: damage.message))
        do {
            return try open(path)
        } catch {
            throw error.fault(at: path)
        }
    }

    static func open(_ path: String) throws(DatabaseError) -> Database {
        let database = try Database(path)
        database.waitForLocks(milliseconds: 20)
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL;
            PRAGMA wal_autocheckpoint = 0;
            PRAGMA journal_size_limit = 8388608;
            PRAGMA cache_size = -8000;
            PRAGMA temp_store = MEMORY;
            """)
        let verdict = try database.first("PRAGMA quick_check(1)") { $0.text(0) } ?? ""
        guard verdict == "ok" else {
            throw DatabaseError(status: status(of: verdict), attempted: "a check", message: verdict)
        }
        try Schema.migrate(database)
        return database
    }

    /// What a check that found fault has found. A page that could not be read is told as damage is, in
    /// the text alone; but a disk that fails for a moment must not cost anyone a queue.
    private static func status(of verdict: String) -> Int32 {
        if verdict.contains("failed to get page") { return SQLITE_IOERR }
        guard let mark = verdict.firstRange(of: "error code=") else { return SQLITE_CORRUPT }
        return Int32(verdict[mark.upperBound...].prefix { $0.isNumber }) ?? SQLITE_CORRUPT
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

    /// Keeps a broken file, and the log that belongs to it, for whoever wants to look.
    static func setAside(_ path: String, because reason: String) throws(JournalFault) -> String {
        var number = 1
        while unsafe access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
        let aside = "\(path).damaged-\(number)"
        guard unsafe rename(path, aside) == 0 else {
            throw JournalFault(.damaged, "\(path) is damaged (\(reason)) and could not be set aside. Move it away and start again.")
        }
        _ = unsafe rename(path + "-wal", aside + "-wal")
        _ = unsafe unlink(path + "-shm")
        try makePrivate(path)
        return "\(path) was damaged (\(reason)). It was set aside as \(aside), and a fresh one was started: the queue is empty."
    }

    /// SQLite gives its other files the mode of this one.
    private static func makePrivate(_ path: String) throws(JournalFault) {
        let file = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw DatabaseError(status: SQLITE_CANTOPEN, attempted: "making it", message: unsafe String(cString: strerror(errno)))
                .fault(at: path)
        }
        Glibc.close(file)
    }

    /// Nothing when there is no such file. Closing a descriptor of a database drops SQLite's locks in
    /// this process, so this comes before SQLite opens it.
    private static func firstBytes(of path: String, _ count: Int) throws(JournalFault) -> [UInt8] {
        let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return [] }
            throw JournalFault(.readOnly, "\(path) cannot be read: \(unsafe String(cString: strerror(errno))). Check who owns it.")
        }
        defer { Glibc.close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe read(file, &bytes, count)
        return Array(bytes.prefix(max(0, got)))
    }
}
