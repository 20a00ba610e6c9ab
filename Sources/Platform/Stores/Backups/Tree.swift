/// Operations on our own folders: creating, moving and removing them with their content. Links are removed and never followed.
import BatonSeams
import Disk
import Glibc

enum Tree {
    static func remove(_ path: String) {
        if unsafe unlink(path) == 0 || errno == ENOENT { return }
        for name in FolderNames.all(in: path) { remove("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    static func makeFolders(above path: String) throws(SourceFault) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let folder = String(path[..<slash])
        if unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT else { throw fault("The folder \(folder)", errno) }
        try makeFolders(above: folder)
        guard unsafe mkdir(folder, 0o700) == 0 else { throw fault("The folder \(folder)", errno) }
    }

    static func move(_ path: String, to new: String) throws(SourceFault) {
        guard unsafe rename(path, new) == 0 else { throw fault(path, errno) }
    }

    /// Writes all files below a folder to the disk.
    static func syncFiles(below folder: String) throws(SourceFault) {
        for name in FolderNames.all(in: folder) {
            let path = "\(folder)/\(name)"
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw fault(path, errno) }
            defer { close(descriptor) }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0, fsync(descriptor) == 0 else { throw fault(path, errno) }
            if status.st_mode & S_IFMT == S_IFDIR { try syncFiles(below: path) }
        }
    }

    /// Syncs a folder, so that a new name survives a power cut.
    static func sync(folder: String) {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    static func size(of path: String) -> Int64 {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    static func fault(_ what: String, _ cause: Int32) -> SourceFault {
        cause == ENOSPC || cause == EDQUOT
            ? SourceFault(
                .quota, "There is no room left on the disk of the data folder; nothing was changed. Free some space and try again.")
            : SourceFault(.unavailable, "\(what) cannot be written: \(unsafe String(cString: strerror(cause))).")
    }
}

/// A file of ours that is written once, from beginning to end.
final class WrittenFile: Sendable {
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(SourceFault) {
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Tree.fault(path, errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ bytes: some Collection<UInt8>) throws(SourceFault) {
        let all = Array(bytes)
        var done = 0
        while done < all.count {
            // Bytes are left, so there is a base address.
            let count = unsafe all.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress! + done, all.count - done) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Tree.fault(path, errno) }
            done += count
        }
    }
}
