/// The data folder of a hub, and the lock that reserves it.
///
/// The lock is the kernel's, on a file that stays: it ends with the process in any case, so a crash never leaves a folder locked. The
/// process id inside is only for people to read.
package import BatonSeams
import Glibc

package final class DataFolder {
    package let path: String
    private var lock: Int32

    /// Creates the folder if it is missing, readable by this user only, and locks it.
    package init(_ path: String) throws(JournalFault) {
        self.path = path
        // A limit on the size of files then shows as a write error, like a full disk.
        _ = signal(SIGXFSZ, SIG_IGN)
        try Self.make(path)
        let lockPath = path + "/lock"
        lock = unsafe open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.unwritable(path, errno) }
        // After a refusal from here on `deinit` closes the descriptor, and only once: the second time its number may belong to another open
        // file.
        guard Self.take(lock) else {
            let reason = errno
            let holder = Self.holder(lock)
            guard reason == EWOULDBLOCK else { throw Self.unwritable(path, reason) }
            throw JournalFault(
                .busy, "Another hub\(holder) already uses the data folder \(path). End it, or give this one a folder of its own (--data).")
        }
        note(getpid())
    }

    deinit { release() }

    /// Releases the folder for another hub.
    package func release() {
        if lock >= 0 { close(lock) }
        lock = -1
    }

    /// Locks the file; `errno` says why it could not.
    ///
    /// A program that a hub starts has the lock, too, until it runs. If the hub crashes in that moment, the lock outlives it for as long as
    /// a busy machine takes to start the program.
    private static func take(_ lock: Int32) -> Bool {
        for _ in 0..<200 {
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { return true }
            guard errno == EWOULDBLOCK, isGone(digits(in: lock)) else { return false }
            usleep(10_000)
        }
        errno = EWOULDBLOCK
        return false
    }

    private static func isGone(_ holder: String) -> Bool {
        guard let process = pid_t(holder), process > 0, kill(process, 0) != 0, errno == ESRCH else {
            errno = EWOULDBLOCK
            return false
        }
        return true
    }

    private func note(_ process: pid_t) {
        let line = Array("\(process)\n".utf8)
        // A lock without the process id still locks, so a full disk is no reason to give up.
        guard ftruncate(lock, 0) == 0 else { return }
        _ = unsafe pwrite(lock, line, line.count, 0)
    }

    private static func holder(_ lock: Int32) -> String {
        let digits = digits(in: lock)
        return digits.isEmpty ? "" : " (process \(digits))"
    }

    private static func digits(in lock: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = unsafe pread(lock, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)).prefix { (48...57).contains($0) }, as: UTF8.self)
    }

    private static func make(_ path: String) throws(JournalFault) {
        var made = path.hasPrefix("/") ? "" : "."
        let parts = path.split(separator: "/")
        for (index, part) in parts.enumerated() {
            made += "/" + part
            // Parent folders get the usual mode; the last folder is for this user only.
            guard unsafe mkdir(made, index == parts.count - 1 ? 0o700 : 0o755) != 0 else { continue }
            let reason = errno
            // Some file systems refuse before they notice that the folder exists.
            if unsafe access(made, F_OK) != 0 { throw unwritable(path, reason) }
        }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw unwritable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw JournalFault(.failed, "\(path) is not a folder. Name another data folder (--data) or move the file away.")
        }
    }

    private static func unwritable(_ path: String, _ reason: Int32) -> JournalFault {
        let why = unsafe String(cString: strerror(reason))
        let code: JournalFault.Code = reason == ENOSPC ? .full : [EACCES, EPERM, EROFS].contains(reason) ? .readOnly : .failed
        return JournalFault(code, "The data folder \(path) cannot be written: \(why). Name another one (--data) or change its owner.")
    }
}
