/// A job's file that gets its final name when it is complete.
import BatonSeams
import Glibc

final class NewFile {
    private let path: String
    private let draft: String
    private let descriptor: Int32
    private(set) var size: Int64 = 0

    /// Creates the file. `goingOn` continues what an earlier attempt has left.
    init(_ path: String, goingOn: Bool = false) throws(SourceFault) {
        self.path = path
        draft = path + ".part"
        descriptor = open(draft, O_WRONLY | O_CREAT | (goingOn ? 0 : O_TRUNC) | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor < 0 { throw Self.fault(errno) }
        size = max(0, Int64(lseek(descriptor, 0, SEEK_END)))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ bytes: [UInt8]) throws(SourceFault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { throw Self.fault(errno) }
            rest = rest.dropFirst(written)
            size += Int64(written)
        }
    }

    func finish() throws(SourceFault) {
        guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw Self.fault(errno) }
    }

    private static func fault(_ cause: Int32) -> SourceFault {
        cause == ENOSPC || cause == EDQUOT
            ? SourceFault(.quota, "The disk is full, so the piece cannot be stored.")
            : SourceFault(.failed, "The piece cannot be written: \(String(cString: strerror(cause))).")
    }
}
