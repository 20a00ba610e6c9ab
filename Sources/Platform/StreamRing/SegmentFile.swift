/// One file of a station's past: records are appended to it, and sound is read at any place. It is closed with its last reader.
import Glibc
import Synchronization

final class SegmentFile: Sendable {
    private let descriptor: Int32
    private let written: Mutex<Int64>

    /// `nil`, and `errno` says why.
    init?(_ path: String) {
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        var status = Glibc.stat()
        let isFile = unsafe descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        written = Mutex(Int64(status.st_size))
        guard isFile else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var size: Int64 { written.withLock { $0 } }

    func read(at position: Int64, count: Int) -> [UInt8] {
        let wanted = min(Int64(count), size - position)
        guard wanted > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(wanted)) { buffer, filled in
            filled = unsafe max(0, pread(descriptor, buffer.baseAddress, buffer.count, Int(position)))
        }
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

    func cut(to size: Int64) {
        if ftruncate(descriptor, Int(size)) == 0 { written.withLock { $0 = size } }
    }

    func settle() { fdatasync(descriptor) }
}
