import BatonSeams
import CLinux
import Glibc
import Synchronization

/// A file in memory that one part of the hub writes and another process reads.
///
/// One task appends; any number may read. Old data is returned to the system, and reads as zeros.
final class MemoryFile: GrowingFile {
    let descriptor: Int32
    let stamp = FileStamp(size: 0, modifiedNs: 0, inode: 0)
    private let written = Mutex<Int64>(0)

    /// Size that stays readable: half a minute of uncompressed sound, and minutes of anything else.
    private static let kept: Int64 = 6 << 20
    private static let step: Int64 = 1 << 20

    /// `nil` if the system provides none.
    init?() {
        descriptor = clinux_memory_file()
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ bytes: [UInt8]) -> Bool {
        let start = written.withLock { $0 }
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe pwrite(descriptor, $0.baseAddress.map { unsafe $0 + done }, bytes.count - done, off_t(start) + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        let end = start + Int64(done)
        written.withLock { $0 = end }
        let old = (end - Self.kept) / Self.step * Self.step
        if old > 0, old > (start - Self.kept) / Self.step * Self.step { _ = clinux_give_back(descriptor, old) }
        return true
    }

    func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8] {
        guard position >= 0, count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: min(count, 1 << 20)) { buffer, filled in
            unsafe filled = max(0, pread(descriptor, buffer.baseAddress, buffer.count, off_t(position)))
        }
    }
}
