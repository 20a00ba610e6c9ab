package import BatonReading
import CFFmpeg
import Glibc

/// One regular file, open for reading, and the only bytes that libavformat gets to see.
///
/// libavformat calls back on the thread that called it and only within that call. It borrows this object
/// for as long as its context lives, which `MediaFile` sees to. Nothing else is ever opened: what a
/// file names, be it a playlist, a part of a film or an address on the web, stays closed.
package final class OpenFile {
    let descriptor: Int32
    let size: Int64
    /// More is written to it: its end at the moment is not its end.
    let isGrowing: Bool
    /// Set once libavformat has found the format. Until then a read at the end must say that the file has ended: told to try again,
    /// libavformat would loop without a pause.
    var isKnown = false
    private var at: Int64 = 0
    /// How many bytes may still be read before the file is refused as no music.
    private var allowance = mostBytes
    private static let mostBytes: Int64 = 64 << 20
    /// The file holds tags or a picture larger than the allowance.
    private(set) var isTooLarge = false
    /// What the system answered when it could not be read.
    private(set) var trouble: Int32 = 0

    /// How long a read waits at the end of a file that grows; what is missing then is silence.
    private static let growthMs = 200
    private static let lookMs: Int32 = 20

    /// Takes the descriptor over.
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

    /// The file that libavformat hands back to a callback.
    static func at(_ owner: UnsafeMutableRawPointer?) -> OpenFile? {
        unsafe owner.map { unsafe Unmanaged<OpenFile>.fromOpaque($0).takeUnretainedValue() }
    }

    /// What is there, up to so many bytes.
    func bytes(at place: Int64, most: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            unsafe count = max(0, pread(descriptor, buffer.baseAddress, most, off_t(place)))
        }
    }

    /// Another piece of the same file is to be read.
    func allowMore() { allowance = Self.mostBytes }

    /// To be read once more from its beginning.
    func rewind() { at = 0 }

    /// As libavformat asks for it: the next bytes, none at the end, or an error below zero.
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
        // To libavformat the end of a file is final, and this is not.
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
