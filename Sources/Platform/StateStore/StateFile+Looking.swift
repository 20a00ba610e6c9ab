/// Figures about `state.db`, for the hub that has it open.
import BatonSeams
import Disk
import Glibc
import SQLite

extension StateFile {
    /// An open file, in figures.
    package struct Measure: Equatable, Sendable {
        package var path: String
        package var schema: Int
        package var bytes: Int
        /// The log beside it.
        package var logBytes: Int
        /// How much room the disk has for us.
        package var freeBytes: Int?
        package var writtenMs: Int64?
        /// Of its pages, so much is held in memory.
        package var cacheBytes: Int
    }

    package var measure: Measure {
        Measure(
            path: path, schema: Schema.state.version, bytes: Self.size(of: path), logBytes: Self.size(of: path + "-wal"),
            freeBytes: DiskSpace(at: path).map { Int($0.freeBytes) }, writtenMs: writtenMs, cacheBytes: database.cacheBytes)
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
