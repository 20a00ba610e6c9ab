/// One song while it is written. It is named when it is finished, or when it is let go.
import BatonSeams
import Glibc

final class SongFile: RecordedFile {
    private let descriptor: Int32
    /// Its path without its ending.
    private let stem: String
    private let suffix: String

    init(_ descriptor: Int32, stem: String, suffix: String) {
        self.descriptor = descriptor
        self.stem = stem
        self.suffix = suffix
    }

    deinit { close(descriptor) }

    private var part: String { "\(stem).\(suffix)\(RecordingStore.ending)" }

    func append(_ bytes: [UInt8]) throws(SourceFault) {
        let start = lseek(descriptor, 0, SEEK_CUR)
        var done = 0
        while done < bytes.count {
            // There are bytes left, so there is a base.
            let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress! + done, bytes.count - done) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let cause = errno
                // A frame that was written in part would end the file with noise.
                if start >= 0 { _ = ftruncate(descriptor, start) }
                throw RecordingStore.fault(cause)
            }
            done += count
        }
    }

    func finish(isWhole: Bool) throws(SourceFault) {
        guard Self.name(part, "\(stem)\(isWhole ? "" : " (part)").\(suffix)") else { throw RecordingStore.fault(errno) }
    }

    /// Never in the place of another file.
    static func name(_ part: String, _ whole: String) -> Bool {
        guard unsafe access(whole, F_OK) != 0 else {
            errno = EEXIST
            return false
        }
        return unsafe rename(part, whole) == 0
    }
}
