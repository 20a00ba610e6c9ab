import Glibc

/// The folder of a job, and the files of a piece in it.
///
/// All files are opened at the start under temporary names, since a confined program cannot open files later. A file gets its final name
/// when it is complete and synced; a program that ends before leaves no such name. The temporary names of two processes differ, so that a
/// process left by a killed hub cannot finish the files of its successor.
package final class JobFolder {
    package let folder: Int32
    private var files: [String: Int32] = [:]
    /// Read at the start, since a confined program may not make the call.
    private let process = getpid()

    package init(_ path: String, files names: [String]) throws(SynthesisFault) {
        folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else {
            throw SynthesisFault("The job's folder \"\(path)\" is not there: \(unsafe String(cString: strerror(errno))).")
        }
        for name in names {
            let file = unsafe openat(folder, unfinished(name), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else {
                if errno == ENOSPC || errno == EDQUOT { throw SynthesisFault.disk }
                throw SynthesisFault("No file can be made in \"\(path)\": \(unsafe String(cString: strerror(errno))).")
            }
            files[name] = file
        }
    }

    deinit {
        for file in files.values { close(file) }
        close(folder)
    }

    private func unfinished(_ name: String) -> String { ".\(name).\(process).part" }

    /// The open file, for others to fill.
    package func file(_ name: String) throws(SynthesisFault) -> Int32 {
        guard let file = files[name] else { throw SynthesisFault.disk }
        return file
    }

    package func fill(_ name: String, _ bytes: [UInt8]) throws(SynthesisFault) {
        let file = try file(name)
        var at = 0
        while at < bytes.count {
            let put = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress! + at, bytes.count - at) }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { throw SynthesisFault.disk }
            at += put
        }
    }

    /// Gives the files their final names, in this order.
    package func finish(_ names: [String]) throws(SynthesisFault) {
        for name in names { guard fsync(try file(name)) == 0 else { throw SynthesisFault.disk } }
        for name in names {
            guard unsafe renameat(folder, unfinished(name), folder, name) == 0 else { throw SynthesisFault.disk }
        }
        fsync(folder)
    }
}
