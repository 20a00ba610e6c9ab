/// One SQLite connection: statements prepared once, transactions that always end, readable errors.
///
/// SQLite starts no thread: it runs on the caller's, and a connection belongs to one thread at a time (it is opened without its own mutex).
/// Borrowed memory: a row's text and blobs are valid until the next step, so `Row` copies them. Pairs: open and close, prepare and
/// finalize, both ended by `close`; `deinit` is the safety net.
package import BatonCore
import CSQLite
import Glibc

@safe package final class Database {
    package enum Value {
        case null
        case int(Int64)
        case text(String)
        case blob([UInt8])

        package static func int(_ number: Int) -> Value { .int(Int64(number)) }
        package static func flag(_ flag: Bool) -> Value { .int(flag ? 1 : 0) }
        package static func maybe(_ number: Int?) -> Value { number.map { .int(Int64($0)) } ?? .null }
        package static func time(_ time: Milliseconds?) -> Value { time.map { .int($0.count) } ?? .null }
        package static func maybe(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
    }

    private var handle: OpaquePointer?
    private var statements: [String: Statement] = [:]
    /// Statements by the address of their text, which is constant for literals in our code: hashing half a page for each row of a scan
    /// costs as much as a small statement.
    private var near: [Int: Near] = [:]
    /// Number of pages in the write-ahead log, as of the last commit on this connection.
    package private(set) var logPages = 0
    /// Number of steps of SQLite's virtual machine after which a statement fails, so that tests can cause a failure anywhere.
    private var stepsLeft: Int?

    private struct Near {
        var sql: String
        var statement: Statement
    }

    private static let mostNear = 256

    package init(_ path: String) throws(DatabaseError) {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let status = unsafe sqlite3_open_v2(path, &handle, flags, nil)
        guard status == SQLITE_OK else {
            let error = failure(status, "opening \(path)")
            unsafe sqlite3_close_v2(handle)
            unsafe handle = nil
            throw error
        }
    }

    deinit { close() }

    /// Counts the pages of the log from now on. SQLite's automatic checkpoint uses the same hook, so this disables it.
    package func watchLog() {
        unsafe sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                if let context = unsafe context {
                    unsafe Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages)
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Defines an SQL function from one text to another, which must always return the same result. SQLite lends the text for the call,
    /// copies the result, and releases the closure with the connection or when it refuses the function.
    package func define(function name: String, _ body: @escaping @Sendable (String) -> String) throws(DatabaseError) {
        let status = unsafe sqlite3_create_function_v2(
            handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, Unmanaged.passRetained(TextFunction(body)).toOpaque(),
            { context, _, values in
                guard let text = unsafe sqlite3_value_text(values?[0]), let body = unsafe sqlite3_user_data(context) else {
                    return unsafe sqlite3_result_null(context)
                }
                let answer = unsafe Unmanaged<TextFunction>.fromOpaque(body).takeUnretainedValue().body(String(cString: text))
                unsafe sqlite3_result_text(context, answer, Int32(answer.utf8.count), csqlite_transient())
            }, nil, nil, { body in if let body = unsafe body { unsafe Unmanaged<TextFunction>.fromOpaque(body).release() } })
        if status != SQLITE_OK { throw failure(status, name) }
    }

    /// Defines `holds(TEXT, PART)`: true when the bytes of a part are in a text. SQLite's own `instr` compares letter by letter, which takes five times
    /// as long.
    package func defineHolds() throws(DatabaseError) {
        let status = unsafe sqlite3_create_function_v2(
            handle, "holds", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
            { context, _, values in
                // A text is lent as bytes, since SQLite would copy it to end it with a zero.
                let text = unsafe sqlite3_value_blob(values?[0])
                let part = unsafe sqlite3_value_blob(values?[1])
                guard let text = unsafe text, let part = unsafe part else { return unsafe sqlite3_result_int(context, 0) }
                let (length, wanted) = unsafe (Int(sqlite3_value_bytes(values?[0])), Int(sqlite3_value_bytes(values?[1])))
                unsafe sqlite3_result_int(context, memmem(text, length, part, wanted) == nil ? 0 : 1)
            }, nil, nil, nil)
        if status != SQLITE_OK { throw failure(status, "holds") }
    }

    /// Runs any number of statements, ignoring results.
    package func execute(_ script: String) throws(DatabaseError) {
        let status = unsafe sqlite3_exec(handle, script, nil, nil, nil)
        if status != SQLITE_OK { throw failure(status, script) }
    }

    /// Runs one statement and returns the number of changed rows.
    @discardableResult
    package func run(_ sql: String, _ values: [Value] = []) throws(DatabaseError) -> Int {
        try each(sql, values) { _ in }
        return unsafe Int(sqlite3_changes(handle))
    }

    package func first<Result>(_ sql: String, _ values: [Value] = [], as read: (Row) -> Result) throws(DatabaseError) -> Result? {
        var result: Result?
        try each(sql, values) { row in if result == nil { result = read(row) } }
        return result
    }

    package func each(_ sql: String, _ values: [Value] = [], do body: (Row) -> Void) throws(DatabaseError) {
        let statement = unsafe try prepared(sql)
        // An unfinished statement would keep its transaction open.
        defer { unsafe sqlite3_reset(statement) }
        for (index, value) in values.enumerated() {
            let status = unsafe bind(value, at: Int32(index + 1), in: statement)
            if status != SQLITE_OK { throw failure(status, sql) }
        }
        while true {
            let status = unsafe sqlite3_step(statement)
            switch status {
            case SQLITE_ROW: unsafe body(Row(statement: statement))
            case SQLITE_DONE: return
            default: throw failure(status, sql)
            }
        }
    }

    /// Applies all of `body` or nothing of it. SQLite ends a transaction by itself after some errors, so its state is queried and not
    /// assumed.
    package func transaction<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        // An earlier failure may have left a transaction open, even after a failed rollback.
        rollBack()
        do {
            // Inside, since even this can fail after it began.
            try run("BEGIN IMMEDIATE")
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Sets the time to wait for another program's lock.
    package func waitForLocks(milliseconds: Int32) {
        unsafe sqlite3_busy_timeout(handle, milliseconds)
    }

    package func failAfter(steps: Int?) {
        stepsLeft = steps
        guard steps != nil else {
            unsafe sqlite3_progress_handler(handle, 0, nil, nil)
            return
        }
        unsafe sqlite3_progress_handler(
            handle, 1,
            { context in
                guard let context = unsafe context else { return 0 }
                let database = unsafe Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
                // SQLite calls once more after a finished COMMIT, which can no longer fail.
                guard let left = database.stepsLeft, unsafe sqlite3_get_autocommit(database.handle) == 0 else { return 0 }
                // Fails once, like a disk, so that the following rollback succeeds.
                database.stepsLeft = left > 0 ? left - 1 : nil
                return left > 0 ? 0 : 1
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    package func close() {
        guard let open = unsafe handle else { return }
        // Each statement is finalized when it is released.
        near = [:]
        statements = [:]
        unsafe sqlite3_close_v2(open)
        unsafe handle = nil
    }

    /// A snapshot of the whole file at a path without a file; other connections go on writing meanwhile. The copy has no log, and only this
    /// user can read it.
    package func copied(to path: String) throws(DatabaseError) -> Database {
        let file = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw DatabaseError(status: SQLITE_CANTOPEN, attempted: "making \(path)", message: unsafe String(cString: strerror(errno)))
        }
        Glibc.close(file)
        let copy = try Database(path)
        guard let backup = unsafe sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw copy.failure(SQLITE_ERROR, "a copy")
        }
        // In one step, since a change between two steps would make it start again.
        let status = unsafe sqlite3_backup_step(backup, -1)
        unsafe sqlite3_backup_finish(backup)
        guard status == SQLITE_DONE else {
            throw DatabaseError(status: status, attempted: "a copy", message: unsafe String(cString: sqlite3_errstr(status)))
        }
        try copy.execute("PRAGMA journal_mode = DELETE")
        return copy
    }

    /// Memory for cached pages of the file.
    package var cacheBytes: Int {
        var bytes: Int32 = 0
        var most: Int32 = 0
        unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &bytes, &most, 0)
        return Int(bytes)
    }

    package var lastInserted: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Ends an open transaction. A failure here is ignored, since the error that led here is the one to report.
    package func rollBack() {
        guard let handle = unsafe handle, unsafe sqlite3_get_autocommit(handle) == 0 else { return }
        unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    private func prepared(_ sql: String) throws(DatabaseError) -> OpaquePointer {
        let place = unsafe sql.utf8.withContiguousStorageIfAvailable { Int(bitPattern: $0.baseAddress) } ?? 0
        // The address of a text made at run time may be reused by another one.
        if let known = near[place], known.sql == sql { return unsafe known.statement.raw }
        let statement: Statement
        if let known = statements[sql] { statement = known } else { statement = try prepare(sql) }
        if near.count == Self.mostNear { near = [:] }
        near[place] = Near(sql: sql, statement: statement)
        return unsafe statement.raw
    }

    private func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        // Work off the loop may arrive after the connection was closed.
        guard unsafe handle != nil else { throw DatabaseError(status: SQLITE_MISUSE, attempted: sql, message: "it is closed") }
        var statement: OpaquePointer?
        let status = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard status == SQLITE_OK, let statement = unsafe statement else { throw failure(status, sql) }
        let prepared = unsafe Statement(statement)
        statements[sql] = prepared
        return prepared
    }

    private func bind(_ value: Value, at index: Int32, in statement: OpaquePointer) -> Int32 {
        switch value {
        case .null: unsafe sqlite3_bind_null(statement, index)
        case .int(let number): unsafe sqlite3_bind_int64(statement, index, number)
        case .text(let text):
            // With its length, since text from a peer may contain a zero.
            unsafe sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), csqlite_transient())
        case .blob(let bytes) where bytes.isEmpty: unsafe sqlite3_bind_zeroblob(statement, index, 0)
        case .blob(let bytes): unsafe sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), csqlite_transient())
        }
    }

    private func failure(_ status: Int32, _ attempted: String) -> DatabaseError {
        let message = unsafe handle.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(status))
        return DatabaseError(status: status, attempted: attempted, message: message)
    }
}

private final class TextFunction: Sendable {
    let body: @Sendable (String) -> String

    init(_ body: @escaping @Sendable (String) -> String) { self.body = body }
}

@safe private final class Statement {
    let raw: OpaquePointer

    init(_ raw: OpaquePointer) { unsafe self.raw = unsafe raw }

    deinit { unsafe sqlite3_finalize(raw) }
}
