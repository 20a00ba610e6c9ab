/// Opening a file of any kind: one of a newer version is refused, a broken one is set aside, and an old one is upgraded.
package import BatonSeams
import CSQLite
import Glibc

package struct DatabaseOpening {
    let path: String
    let schema: Schema
    /// Settings for a connection that writes.
    let settings: String
    /// The consequence of setting the file aside, for the notice.
    let loss: String
    /// Whether the whole file is checked before use, which takes time in proportion to its size.
    let isLookedThrough: Bool

    package init(path: String, schema: Schema, settings: String, loss: String, isLookedThrough: Bool = true) {
        self.path = path
        self.schema = schema
        self.settings = settings
        self.loss = loss
        self.isLookedThrough = isLookedThrough
    }

    /// The existing file, or a new one that replaces a damaged one.
    package func openOrReplace(_ notices: inout [String]) throws(JournalFault) -> Database {
        if let notice = try inspect() { notices.append(notice) }
        let damage: DatabaseError
        do {
            return try open()
        } catch {
            damage = error
        }
        guard damage.code == .damaged else { throw damage.fault(at: path) }
        notices.append(try setAside(because: damage.message))
        do {
            return try open()
        } catch {
            throw error.fault(at: path)
        }
    }

    /// Reads the header without SQLite, which would change the file or create others beside it. The version in it is always current, since
    /// a migration ends with a checkpoint. Returns a notice if the file was set aside.
    private func inspect() throws(JournalFault) -> String? {
        let header = try Self.firstBytes(of: path, DatabaseHeader.byteCount)
        guard !header.isEmpty else {
            try makePrivate()
            return nil
        }
        guard let version = DatabaseHeader.version(in: header) else { return try setAside(because: "it is not a database") }
        if let fault = newer(version) { throw fault }
        return nil
    }

    private func newer(_ version: Int) -> JournalFault? {
        guard version > schema.version else { return nil }
        return JournalFault(.newer, DatabaseHeader.newer(path, version, known: schema.version))
    }

    private func open() throws(DatabaseError) -> Database {
        let database = try Database(path)
        database.waitForLocks(milliseconds: 20)
        try database.execute(settings)
        if isLookedThrough { try Self.checkIntegrity(database) }
        try schema.migrate(database)
        return database
    }

    /// SQLite 3.40's quick check reports damage in an intact table without row ids if its columns are in another order than its key. So the
    /// full check, which takes longer, must confirm the damage.
    package static func checkIntegrity(_ database: Database) throws(DatabaseError) {
        var verdict = ""
        for check in ["quick_check", "integrity_check"] {
            verdict = try database.first("PRAGMA \(check)(1)") { $0.text(0) } ?? ""
            if verdict == "ok" { return }
        }
        throw DatabaseError(status: status(of: verdict), attempted: "a check", message: verdict)
    }

    /// The status behind a failed check. An unreadable page is reported like damage, and only the text differs; but a temporary disk
    /// failure must not cost anyone a queue.
    private static func status(of verdict: String) -> Int32 {
        if verdict.contains("failed to get page") { return SQLITE_IOERR }
        guard let mark = verdict.firstRange(of: "error code=") else { return SQLITE_CORRUPT }
        return Int32(verdict[mark.upperBound...].prefix { $0.isNumber }) ?? SQLITE_CORRUPT
    }

    /// Moves a broken file and its log aside, so that a person can examine them.
    private func setAside(because reason: String) throws(JournalFault) -> String {
        var number = 1
        while unsafe access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
        let aside = "\(path).damaged-\(number)"
        guard unsafe rename(path, aside) == 0 else {
            throw JournalFault(.damaged, "\(path) is damaged (\(reason)) and could not be set aside. Move it away and start again.")
        }
        _ = unsafe rename(path + "-wal", aside + "-wal")
        _ = unsafe unlink(path + "-shm")
        try makePrivate()
        return "\(path) was damaged (\(reason)). It was set aside as \(aside), and a fresh one was started: \(loss)."
    }

    /// Creates the file for its owner only; SQLite gives its other files the same mode.
    private func makePrivate() throws(JournalFault) {
        let file = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw DatabaseError(status: SQLITE_CANTOPEN, attempted: "making it", message: unsafe String(cString: strerror(errno)))
                .fault(at: path)
        }
        Glibc.close(file)
    }

    /// The first bytes of the file; empty if there is none. Closing a descriptor of a database drops SQLite's locks in this process, so
    /// this happens before SQLite opens it.
    package static func firstBytes(of path: String, _ count: Int) throws(JournalFault) -> [UInt8] {
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
