import BatonSeams
import Configuration
import Glibc

/// Checks `state.db` without changing it. The header of the file is enough, so this program does not need SQLite.
enum JournalFile: Equatable {
    /// The file is missing; the first hub creates it.
    case missing
    case readable(schema: Int, bytes: Int)
    /// A sentence that says why a hub would refuse the file or set it aside.
    case unusable(String)

    init(at path: String) {
        guard access(path, F_OK) == 0 else {
            self = .missing
            return
        }
        guard let file = fopen(path, "r") else {
            self = .unusable("\(path) cannot be read: \(String(cString: strerror(errno))).")
            return
        }
        defer { fclose(file) }
        var header = [UInt8](repeating: 0, count: DatabaseHeader.byteCount)
        let count = fread(&header, 1, header.count, file)
        var status = stat()
        if count == 0 {
            self = .missing
        } else if let schema = DatabaseHeader.version(in: Array(header.prefix(count))) {
            let bytes = fstat(fileno(file), &status) == 0 ? Int(status.st_size) : 0
            self =
                schema > JournalFormat.version
                ? .unusable(DatabaseHeader.newer(path, schema, known: JournalFormat.version)) : .readable(schema: schema, bytes: bytes)
        } else {
            self = .unusable("\(path) is not a database; a hub sets it aside and starts afresh.")
        }
    }
}

/// The lock of a hub on its data folder, tested without taking it.
enum FolderLock {
    /// The process that holds the folder at `path`: `nil` if it is free, 0 if the process is unknown.
    static func holder(of path: String) -> Int? {
        let lock = open(path + "/lock", O_RDONLY | O_CLOEXEC)
        guard lock >= 0 else { return nil }
        defer { close(lock) }
        // A shared lock, so that two programs that only test do not block each other; released at once.
        guard flock(lock, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        return SmallFile.firstLine(of: path + "/lock").flatMap { Int($0) } ?? 0
    }
}
