/// This machine's disk for the library: files opened only below its folders, and folders listed with the data that distinguishes changed
/// files from unchanged ones.
///
/// Every call blocks, and none stores anything. `Descriptor` owns and closes descriptors; memory of the C library (directory entries, error
/// texts) is copied before the next call.
package import BatonSeams
import CLinux
import Glibc

package struct Disk: FileReading {
    /// Real paths of folders in which nothing is listed or opened, by any path.
    private let excluded: [String]
    /// Real paths of folders inside those that are allowed again.
    private let included: [String]

    package init(excluding excluded: [String] = [], exceptFor included: [String] = []) {
        self.excluded = excluded
        self.included = included
    }

    func excludes(_ real: String) -> Bool { Self.isWithin(excluded, real) && !Self.isWithin(included, real) }

    package func open(_ path: String, below folders: [String]) throws(SourceFault) -> any FileRange {
        try opened(path, below: folders)
    }

    package func open(_ paths: [String], below folders: [String]) -> [Result<any FileRange, SourceFault>] {
        var folder = OpenedFolder()
        return paths.map { path in
            Result { () throws(SourceFault) in try checked(folder.open(path, below: folders), path) }
        }
    }

    package func open(plainly path: String) throws(SourceFault) -> any FileRange {
        try checked(OpenedFile.open(plainly: path), path)
    }

    private func opened(_ path: String, below folders: [String]) throws(SourceFault) -> OpenedFile {
        try checked(OpenedFile.open(path, below: folders), path)
    }

    private func checked(_ file: OpenedFile, _ path: String) throws(SourceFault) -> OpenedFile {
        if excludes(file.real) { throw .outside(path) }
        return file
    }

    package func realPath(_ path: String, below folders: [String]) throws(SourceFault) -> String {
        let file = try opened(path, below: folders)
        // Opening alone does not access some disks.
        _ = try file.read(at: 0, count: 1)
        return file.real
    }

    package func realFolder(_ path: String) throws(SourceFault) -> String {
        guard let real = RealPath.of(path) else { throw .about(path, errno) }
        var status = stat()
        guard unsafe stat(real, &status) == 0 else { throw .about(path, errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw SourceFault(.badRequest, "\(path) is not a folder.") }
        guard unsafe access(real, R_OK | X_OK) == 0 else { throw .about(path, errno) }
        return real
    }
}

/// One open descriptor, closed when its last owner is released.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// The current real path of the open file.
    var path: String? {
        var name = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = unsafe readlink("/proc/self/fd/\(number)", &name, name.count - 1)
        return count > 0 ? String(validating: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    var status: stat? {
        var status = stat()
        return unsafe fstat(number, &status) == 0 ? status : nil
    }
}

extension FileStamp {
    init(_ status: stat) {
        self.init(
            size: Int64(status.st_size), modifiedNs: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec),
            inode: UInt64(status.st_ino))
    }
}

extension SourceFault {
    /// The system's error for a path, as a sentence.
    static func about(_ path: String, _ cause: Int32) -> SourceFault {
        let words = unsafe strerror(cause).map { unsafe String(cString: $0) } ?? "error \(cause)"
        switch cause {
        case ENOENT, ENOTDIR: return SourceFault(.notFound, "There is no \(path) on the hub's machine.")
        case EMFILE, ENFILE, ENOMEM: return SourceFault(.unavailable, "\(path) cannot be opened now: \(words).")
        default: return SourceFault(.unreadable, "\(path) cannot be read: \(words).")
        }
    }

    static func outside(_ path: String) -> SourceFault {
        SourceFault(.forbidden, "\(path) lies outside the hub's music folders, so it is not handed out.")
    }
}

enum RealPath {
    /// The path with every symlink and `..` resolved; `nil` if a part of it is missing, with `errno` set.
    static func of(_ path: String) -> String? {
        guard let found = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(found) }
        return unsafe String(validatingCString: found)
    }

    /// The path relative to the folder, both real; `nil` if it is not below the folder.
    static func rest(of path: String, below folder: String) -> String? {
        let head = folder == "/" ? "/" : folder + "/"
        guard path.utf8.starts(with: head.utf8), path.utf8.count > head.utf8.count else { return nil }
        return String(path.utf8.dropFirst(head.utf8.count))
    }
}
