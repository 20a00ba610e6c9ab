import BatonSeams
import Configuration
import Glibc

/// What a hub would find in `state.db`, without touching it. Its header says enough, so this program needs no SQLite.
enum JournalFile: Equatable {
    /// The first hub makes it.
    case missing
    case readable(schema: Int, bytes: Int)
    /// It would be refused, or set aside: a sentence.
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

/// The lock of a hub on its data folder, looked at and not taken.
enum FolderLock {
    /// The process that holds the folder at `path`, if one does: 0 when it cannot be told which.
    static func holder(of path: String) -> Int? {
        let lock = open(path + "/lock", O_RDONLY | O_CLOEXEC)
        guard lock >= 0 else { return nil }
        defer { close(lock) }
        // Shared, so that two who only look do not see each other; given back at once.
        guard flock(lock, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        return SmallFile.firstLine(of: path + "/lock").flatMap { Int($0) } ?? 0
    }
}
