/// A file that was opened below a folder, with reads at any position.
///
/// Between the check of a path and its opening, anyone who may write in a folder can put a symlink in place. So the folder is opened first
/// and the file from there, by a call that follows no symlinks; it gets the real path. A kernel without that call opens the path, reads the
/// path of the opened file, and checks that again.
package import BatonSeams
import CLinux
import Glibc

package struct OpenedFile: FileRange {
    package let stamp: FileStamp
    package var size: Int64 { stamp.size }
    package var modifiedNs: Int64 { stamp.modifiedNs }
    package var inode: UInt64 { stamp.inode }

    package var descriptor: Int32 { opened.number }

    private let opened: Descriptor
    private let path: String
    /// The real path at the time of opening.
    let real: String

    /// Limit of one read, so that a request cannot ask for a buffer of any size.
    package static let mostBytes = 8 << 20

    package static func open(_ path: String, below folders: [String]) throws(SourceFault) -> OpenedFile {
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
            throw SourceFault(.unsupported, "\(path) names no file: expected an absolute path.")
        }
        guard let real = RealPath.of(path) else { throw .about(path, errno) }
        // A folder that is a prefix of the real path is real itself, and other folders may be on disks that do not answer.
        guard let (top, rest) = holder(of: real, folders) ?? holder(of: real, folders.lazy.compactMap { RealPath.of($0) }) else {
            throw .outside(path)
        }
        if let found = try beneath(top, rest) { return try OpenedFile(found, path, real: real) }
        return try OpenedFile(try looking(at: real, below: [top]), path, real: real)
    }

    package static func open(plainly path: String) throws(SourceFault) -> OpenedFile {
        guard let rest = RealPath.rest(of: path, below: "/"), !path.utf8.contains(0) else {
            throw SourceFault(.unsupported, "\(path) names no file: expected an absolute path.")
        }
        if let found = try beneath("/", rest) { return try OpenedFile(found, path, real: path) }
        let found = try looking(at: path, below: ["/"])
        guard found.path == path else { throw .outside(path) }
        return try OpenedFile(found, path, real: path)
    }

    init(_ opened: Descriptor, _ path: String, real: String) throws(SourceFault) {
        guard let status = opened.status else { throw .about(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SourceFault(.unsupported, "\(path) is not a file.") }
        stamp = FileStamp(status)
        self.opened = opened
        self.path = path
        self.real = real
    }

    static func holder(of real: String, _ folders: some Sequence<String>) -> (top: String, rest: String)? {
        for folder in folders { if let rest = RealPath.rest(of: real, below: folder) { return (folder, rest) } }
        return nil
    }

    // A pipe with a file's name must not block us until another program writes to it.
    private static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

    /// `nil` if the kernel, or a filter in front of it, does not support the call.
    private static func beneath(_ top: String, _ rest: String) throws(SourceFault) -> Descriptor? {
        let number = unsafe Glibc.open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .about(top, errno) }
        let folder = Descriptor(number)
        if let opened = open(rest, in: folder.number) { return opened }
        switch errno {
        case ENOSYS, EPERM, EAGAIN: return nil
        case ELOOP, EXDEV: throw .outside("\(top)/\(rest)")
        case let cause: throw .about("\(top)/\(rest)", cause)
        }
    }

    private static let resolve = UInt64(RESOLVE_BENEATH) | UInt64(RESOLVE_NO_SYMLINKS) | UInt64(RESOLVE_NO_MAGICLINKS)

    /// Opens without following links; `nil` with `errno` after a failure.
    static func open(_ rest: String, in folder: Int32) -> Descriptor? {
        let number = unsafe baton_openat2(folder, rest, UInt64(flags), resolve)
        return number >= 0 ? Descriptor(number) : nil
    }

    /// Opens a folder without following links.
    static func folder(_ top: String, _ rest: String) -> Descriptor? {
        let number = unsafe Glibc.open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let above = Descriptor(number)
        let opened = unsafe baton_openat2(above.number, rest, UInt64(O_RDONLY | O_DIRECTORY | O_CLOEXEC), resolve)
        return opened >= 0 ? Descriptor(opened) : nil
    }

    static func looking(at real: String, below tops: [String]) throws(SourceFault) -> Descriptor {
        let number = unsafe Glibc.open(real, flags | O_NOFOLLOW)
        guard number >= 0 else { throw errno == ELOOP ? .outside(real) : .about(real, errno) }
        let descriptor = Descriptor(number)
        let opened = descriptor.path ?? ""
        guard tops.contains(where: { RealPath.rest(of: opened, below: $0) != nil }) else { throw .outside(real) }
        return descriptor
    }

    package func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8] {
        let wanted = min(count, Self.mostBytes)
        guard position >= 0, wanted > 0, position < Int64.max - Int64(wanted) else { return [] }
        var cause: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            // A buffer with room always has a base address.
            while filled < wanted, let base = buffer.baseAddress {
                let got = unsafe pread(opened.number, base + filled, wanted - filled, Int(position) + filled)
                if got < 0, errno == EINTR { continue }
                if got < 0 { cause = errno }
                if got <= 0 { return }
                filled += got
            }
        }
        guard cause == 0 else { throw .about(path, cause) }
        return bytes
    }

    package func pass(at position: Int64, count: Int, into pipe: any PipeEnd) throws(SourceFault) -> Int? {
        let passed = clinux_splice_file(opened.number, position, pipe.descriptor, count)
        if passed == -Int(EINVAL) { return nil }
        guard passed >= 0 else { throw .about(path, Int32(-passed)) }
        return passed
    }
}
