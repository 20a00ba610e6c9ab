package import BatonSeams
import CLinux
import Glibc

/// A copy that is open: it can be read to its end also when it was removed meanwhile.
package final class KeptFile: FileRange {
    package let stamp: FileStamp
    package let descriptor: Int32

    /// `nil` when it is not a plain file, or cannot be read.
    package init?(_ path: String) {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { return nil }
        descriptor = number
        var status = Glibc.stat()
        let isFile = unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        stamp = FileStamp(
            size: Int64(status.st_size), changedNs: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec),
            inode: UInt64(status.st_ino))
        guard isFile else { return nil }
    }

    deinit { close(descriptor) }

    package func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8] {
        guard position >= 0, count > 0 else { return [] }
        var cause: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: min(count, 1 << 20)) { buffer, filled in
            let got = unsafe pread(descriptor, buffer.baseAddress, buffer.count, Int(position))
            cause = got < 0 ? errno : 0
            filled = max(0, got)
        }
        guard cause == 0 else { throw Self.unreadable }
        return bytes
    }

    package func pass(at position: Int64, count: Int, into pipe: any PipeEnd) throws(SourceFault) -> Int? {
        let passed = clinux_splice_file(descriptor, position, pipe.descriptor, count)
        if passed == -Int(EINVAL) { return nil }
        guard passed >= 0 else { throw Self.unreadable }
        return passed
    }

    private static var unreadable: SourceFault { SourceFault(.unavailable, "A kept track cannot be read.") }
}

/// A file that is being written.
final class NewFile: Sendable {
    private let descriptor: Int32

    /// `nil`, and `errno` says why.
    init?(_ path: String) {
        unsafe unlink(path)
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The system's reason when not all could be written.
    func write(_ bytes: [UInt8]) -> Int32? {
        var done = 0
        while done < bytes.count {
            // There are bytes left, so there is a base.
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno }
            done += count
        }
        return nil
    }

    /// On the disk, so that a whole copy is also whole after a power cut.
    func settle() -> Bool { fdatasync(descriptor) == 0 }
}
