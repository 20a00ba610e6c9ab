/// A copy that is not whole yet. It is opened with what an earlier run of the program has left in it.
import Glibc
import Synchronization

final class PartFile: Sendable {
    private let descriptor: Int32
    private let written: Mutex<Int64>

    /// `nil`, and `errno` says why.
    init?(_ path: String) {
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
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

    var size: Int64 { written.withLock { $0 } }

    /// The last bytes, at most so many.
    func last(_ count: Int) -> [UInt8] {
        let size = size
        let wanted = min(Int64(count), size)
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(wanted)) { buffer, filled in
            filled = unsafe max(0, pread(descriptor, buffer.baseAddress, buffer.count, Int(size - wanted)))
        }
    }

    func empty() -> Bool {
        guard ftruncate(descriptor, 0) == 0 else { return false }
        written.withLock { $0 = 0 }
        return true
    }

    /// The system's reason when not all could be written. What was written of it is taken back.
    func append(_ bytes: [UInt8]) -> Int32? {
        let start = size
        var done = 0
        while done < bytes.count {
            // There are bytes left, so there is a base.
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

    /// On the disk, so that a whole copy is also whole after a power cut.
    func settle() -> Bool { fdatasync(descriptor) == 0 }
}
