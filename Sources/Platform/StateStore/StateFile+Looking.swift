/// Figures about `state.db`, for the hub that has it open and for a person who looks why no hub
/// starts.
import BatonSeams
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
            freeBytes: Self.freeBytes(at: path), writtenMs: writtenMs, cacheBytes: database.cacheBytes)
    }

    /// What a hub would find, without touching it.
    package enum Look: Equatable, Sendable {
        /// The first hub makes it.
        case missing
        case readable(schema: Int, bytes: Int)
        /// It would be refused, or set aside: a sentence.
        case unusable(String)
    }

    package static func look(at path: String) -> Look {
        do {
            let header = try DatabaseOpening.header(of: path)
            guard !header.isEmpty else { return .missing }
            guard let schema = DatabaseOpening.version(in: header) else {
                return .unusable("\(path) is not a database; a hub sets it aside and starts afresh.")
            }
            if let fault = opening(path).newer(schema) { return .unusable(fault.sentence) }
            return .readable(schema: schema, bytes: size(of: path))
        } catch {
            return .unusable(error.sentence)
        }
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    private static func freeBytes(at path: String) -> Int? {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { return nil }
        return Int(clamping: status.f_bavail) * Int(clamping: status.f_frsize)
    }
}
