package import BatonSeams
import CLinux
import Glibc

/// An open copy, which can be read to its end even if it is removed meanwhile.
package final class OpenFileRange: FileRange {
    package let stamp: FileStamp
    package let descriptor: Int32

    /// `nil` if it is not a plain file, or cannot be read.
    package init?(_ path: String) {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { return nil }
        descriptor = number
        var status = Glibc.stat()
        let isFile = unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        stamp = FileStamp(
            size: Int64(status.st_size), modifiedNs: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec),
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

    /// `nil` with `errno` after a failure.
    init?(_ path: String) {
        unsafe unlink(path)
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes all bytes, and returns the system's reason if that fails.
    func write(_ bytes: [UInt8]) -> Int32? {
        var done = 0
        while done < bytes.count {
            // Bytes are left, so there is a base address.
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno }
            done += count
        }
        return nil
    }

    /// Syncs the file, so that a complete copy survives a power cut.
    func settle() -> Bool { fdatasync(descriptor) == 0 }
}
