/// A file of ours that is only appended to or truncated, and may be read at any place meanwhile. It is opened with its existing content,
/// and closed when it is released.
import Glibc
import Synchronization

package final class AppendedFile: Sendable {
    private let descriptor: Int32
    private let written: Mutex<Int64>

    /// `nil` with `errno` after a failure. `isNew` requires a new file, which others may read.
    package init?(_ path: String, isNew: Bool = false) {
        descriptor = unsafe open(
            path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (isNew ? O_EXCL : 0), isNew ? 0o644 : 0o600)
        guard descriptor >= 0 else {
            written = Mutex(0)
            return nil
        }
        var status = Glibc.stat()
        let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        written = Mutex(Int64(status.st_size))
        guard isFile else {
            errno = EINVAL
            return nil
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package var size: Int64 { written.withLock { $0 } }

    /// Returns fewer bytes at the end of the file.
    package func read(at position: Int64, count: Int) -> [UInt8] {
        let wanted = min(Int64(count), size - position)
        guard wanted > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(wanted)) { buffer, filled in
            filled = unsafe max(0, pread(descriptor, buffer.baseAddress, buffer.count, Int(position)))
        }
    }

    /// The last bytes, at most `count`.
    package func last(_ count: Int) -> [UInt8] { read(at: max(0, size - Int64(count)), count: count) }

    /// Appends bytes and returns the system's reason for a failure. A partial write is undone.
    package func append(_ bytes: [UInt8]) -> Int32? {
        let start = size
        var done = 0
        while done < bytes.count {
            // Bytes are left, so there is a base address.
            let count = unsafe bytes.withUnsafeBytes {
                unsafe pwrite(descriptor, $0.baseAddress! + done, bytes.count - done, Int(start) + done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let cause = errno
                _ = ftruncate(descriptor, Int(start))
                return cause
            }
            done += count
        }
        written.withLock { $0 = start + Int64(bytes.count) }
        return nil
    }

    @discardableResult
    package func cut(to size: Int64) -> Bool {
        guard ftruncate(descriptor, Int(size)) == 0 else { return false }
        written.withLock { $0 = size }
        return true
    }

    /// Syncs the file, so that complete data survives a power cut.
    @discardableResult
    package func settle() -> Bool { fdatasync(descriptor) == 0 }
}
