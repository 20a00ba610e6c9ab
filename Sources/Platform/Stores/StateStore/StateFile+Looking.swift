/// Figures about `state.db`, for the hub that has opened it.
package import BatonCore
import BatonSeams
import Disk
import Glibc
import SQLite

extension StateFile {
    /// Figures of an open file.
    package struct Measure: Equatable, Sendable {
        package var path: String
        package var schema: Int
        package var bytes: Int
        /// Size of the log beside it.
        package var logBytes: Int
        /// Free space on the disk for programs.
        package var freeBytes: Int?
        package var writtenMs: Milliseconds?
        /// Memory for cached pages.
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
