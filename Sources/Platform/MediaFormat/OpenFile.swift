package import BatonReading
import CFFmpeg
import Glibc

/// One regular file, open for reading: the only bytes that libavformat can access.
///
/// libavformat calls back on the thread that called it and only within that call. It borrows this object as long as its context lives,
/// which `MediaFile` ensures. No other file is ever opened: references to playlists, film parts or web addresses are not followed.
package final class OpenFile {
    let descriptor: Int32
    let size: Int64
    /// True while more is being written, so that its current end is not final.
    let isGrowing: Bool
    /// Set once libavformat has found the format. Until then, a read at the end must report the end of the file: if told to try again,
    /// libavformat would loop without a pause.
    var isKnown = false
    private var at: Int64 = 0
    /// Number of bytes that may still be read before the file is refused.
    private var allowance = mostBytes
    private static let mostBytes: Int64 = 64 << 20
    /// True if tags or a picture exceed the limit.
    private(set) var isTooLarge = false
    /// The system's error number of a failed read.
    private(set) var trouble: Int32 = 0

    /// Time that a read waits at the end of a growing file; after that, silence fills the gap.
    private static let growthMs = 200
    private static let lookMs: Int32 = 20

    /// Takes ownership of the descriptor.
    package init(_ descriptor: Int32, isGrowing: Bool = false) throws(ReaderFailure) {
        self.descriptor = descriptor
        self.isGrowing = isGrowing
        var status = stat()
        unsafe fstat(descriptor, &status)
        size = Int64(status.st_size)
        guard status.st_mode & S_IFMT == S_IFREG else { throw ReaderFailure(.notAFile) }
        guard size > 0 else { throw ReaderFailure(.empty) }
    }

    deinit { close(descriptor) }

    /// The file that libavformat passes to a callback.
    static func at(_ owner: UnsafeMutableRawPointer?) -> OpenFile? {
        unsafe owner.map { unsafe Unmanaged<OpenFile>.fromOpaque($0).takeUnretainedValue() }
    }

    func bytes(at place: Int64, most: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            unsafe count = max(0, pread(descriptor, buffer.baseAddress, most, off_t(place)))
        }
    }

    /// Resets the limit for reading another piece of the same file.
    func allowMore() { allowance = Self.mostBytes }

    /// Continues from the beginning of the file.
    func rewind() { at = 0 }

    /// A read in libavformat's terms: the next bytes, none at the end, or a negative error.
    func read(into buffer: UnsafeMutablePointer<UInt8>?, _ most: Int32) -> Int32 {
        guard allowance > 0 else {
            isTooLarge = true
            return cffmpeg_end_of_file()
        }
        var count = unsafe pread(descriptor, buffer, Int(most), off_t(at))
        var waitedMs = 0
        while isGrowing, count == 0, waitedMs < Self.growthMs {
            poll(nil, 0, Self.lookMs)
            waitedMs += Int(Self.lookMs)
            count = unsafe pread(descriptor, buffer, Int(most), off_t(at))
        }
        // libavformat takes an end as final, which this one is not.
        guard count != 0 else { return isGrowing && isKnown ? -EAGAIN : cffmpeg_end_of_file() }
        guard count > 0 else {
            trouble = errno
            return -errno
        }
        at += Int64(count)
        allowance -= Int64(count)
        return Int32(count)
    }

    func seek(to offset: Int64, _ whence: Int32) -> Int64 {
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return size
        case SEEK_SET: at = offset
        case SEEK_CUR: at += offset
        case SEEK_END: at = size + offset
        default: return -Int64(EINVAL)
        }
        guard at >= 0 else {
            at = 0
            return -Int64(EINVAL)
        }
        return at
    }
}
