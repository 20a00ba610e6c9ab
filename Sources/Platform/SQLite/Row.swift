package import BatonCore
import CSQLite

/// The current row of a statement, valid only inside the closure that gets it.
@safe package struct Row {
    private let statement: OpaquePointer

    init(statement: OpaquePointer) { unsafe self.statement = unsafe statement }

    package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }
    package func int64(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }
    package func int(_ column: Int32) -> Int { Int(int64(column)) }
    package func flag(_ column: Int32) -> Bool { int64(column) != 0 }
    package func maybeInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }
    package func time(_ column: Int32) -> Milliseconds { Milliseconds(count: int64(column)) }
    package func maybeTime(_ column: Int32) -> Milliseconds? { isNull(column) ? nil : time(column) }
    package func maybeText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// The value as stored; blobs are not supported.
    package func value(_ column: Int32) -> Database.Value {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .int(int64(column))
        case SQLITE_TEXT: .text(text(column))
        default: .null
        }
    }

    package func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return "" }
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Lends the bytes of a blob, for reading many rows without a copy of each.
    package func withBlob<Result>(_ column: Int32, _ body: (RawSpan) -> Result) -> Result {
        let start = unsafe sqlite3_column_blob(statement, column)
        let count = unsafe start == nil ? 0 : Int(sqlite3_column_bytes(statement, column))
        return unsafe body(RawSpan(_unsafeStart: start ?? UnsafeRawPointer(bitPattern: 1)!, byteCount: count))
    }

    /// Number of bytes of a text or a blob.
    package func byteCount(_ column: Int32) -> Int { unsafe Int(sqlite3_column_bytes(statement, column)) }

    /// Adds the bytes of a text or a blob.
    package func append(_ column: Int32, to bytes: inout [UInt8]) {
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return }
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: byteCount(column)))
    }

    package func blob(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
