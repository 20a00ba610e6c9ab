/// One file of secrets that only its owner can read, in a folder of the same kind.
///
/// It is replaced as a whole: written beside itself, synced, and renamed. A file or folder that others could read is not used, since its
/// content may be known to them.
package import BatonSeams
import Glibc

package final class SecretFile: KeyStore, Sendable {
    private let path: String
    private let folder: String

    /// Creates the folder if it is missing.
    package nonisolated init(_ name: String, in folder: String) throws(KeyStoreFault) {
        self.folder = folder
        path = "\(folder)/\(name)"
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST { throw Self.fault("The folder \(folder) cannot be made", errno) }
        try Self.checkPrivate(folder)
    }

    private nonisolated static func checkPrivate(_ path: String) throws(KeyStoreFault) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw fault("\(path) cannot be looked at", errno) }
        guard status.st_mode & 0o077 == 0 else {
            throw KeyStoreFault("\(path) holds secrets and is open to others. Close it: chmod go= \(path)")
        }
    }

    private nonisolated static func fault(_ what: String, _ reason: Int32) -> KeyStoreFault {
        KeyStoreFault("\(what): \(unsafe String(cString: strerror(reason))).")
    }

    package nonisolated func load() throws(KeyStoreFault) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.fault("\(path) cannot be read", errno)
        }
        defer { close(file) }
        try Self.checkPrivate(path)
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(file, &room, room.count)
            guard count >= 0 else { throw Self.fault("\(path) cannot be read", errno) }
            if count == 0 { return bytes }
            bytes += room[..<count]
        }
    }

    package nonisolated func store(_ secrets: [UInt8]) throws(KeyStoreFault) {
        let draft = path + ".new"
        unsafe unlink(draft)
        let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.fault("\(path) cannot be written", errno) }
        var written = 0
        while written < secrets.count {
            let count = unsafe secrets[written...].withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            written += count
        }
        let isWhole = written == secrets.count && fdatasync(file) == 0
        let reason = errno
        close(file)
        guard isWhole, unsafe rename(draft, path) == 0 else {
            unsafe unlink(draft)
            throw Self.fault("\(path) cannot be written", isWhole ? errno : reason)
        }
        syncFolder()
    }

    /// Syncs the folder, so that the new name survives a power cut.
    private nonisolated func syncFolder() {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
