import CLinux
import Glibc
import Synchronization

/// A program that a test has started.
///
/// Ours, because Foundation's `Process` keeps descriptors of those that have ended, and reads past the
/// end of a page once more than some 1,350 are open: a test process that starts hundreds of programs
/// died of it. What the program says goes into files; it inherits nothing else of ours.
package final class Child: Sendable {
    package let pid: Int32
    private let ended = Mutex<Int32?>(nil)

    package struct NotStarted: Error, CustomStringConvertible {
        package let description: String
    }

    /// `out` and `err` are files that are made anew, and may be one.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil, folder: String? = nil,
        out: String = "/dev/null", err: String = "/dev/null"
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        if err == out {
            posix_spawn_file_actions_adddup2(&actions, 1, 2)
        } else {
            posix_spawn_file_actions_addopen(&actions, 2, err, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        }
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)

        var pid = pid_t()
        let status = Self.withUsualSignals { attributes in
            Self.withWords([program] + arguments) { words in
                guard let environment else { return posix_spawn(&pid, program, &actions, attributes, words, environ) }
                return Self.withWords(environment.map { "\($0)=\($1)" }) { posix_spawn(&pid, program, &actions, attributes, words, $0) }
            }
        }
        guard status == 0 else { throw NotStarted(description: "\(program) could not be started: \(String(cString: strerror(status)))") }
        self.pid = pid
    }

    /// A group of its own, so that an interrupt of the tests ends the tests; no signal blocked or ignored.
    private static func withUsualSignals<Result>(_ body: (UnsafePointer<posix_spawnattr_t>) -> Result) -> Result {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        return body(&attributes)
    }

    private static func withWords<Result>(_ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result) -> Result {
        let copies = words.map { strdup($0) } + [nil]
        defer { copies.forEach { free($0) } }
        return copies.withUnsafeBufferPointer { body($0.baseAddress!) }
    }

    /// 128 and the signal's number when a signal ended it; `nil` while it runs.
    package var code: Int32? { ended.withLock { look(&$0, WNOHANG) } }

    package var isRunning: Bool { code == nil }

    /// Only while it has not been waited for, so its number is its own.
    package func signal(_ number: Int32) {
        ended.withLock { ended in
            if look(&ended, WNOHANG) == nil { kill(pid, number) }
        }
    }

    @discardableResult
    package func waitUntilExit() -> Int32 { ended.withLock { look(&$0, 0) } ?? -1 }

    private func look(_ ended: inout Int32?, _ options: Int32) -> Int32? {
        guard ended == nil else { return ended }
        var status: Int32 = 0
        while waitpid(pid, &status, options) != pid {
            // Nothing yet; or interrupted while it had to be waited for.
            if options == WNOHANG || errno != EINTR { return nil }
        }
        let signal = status & 0x7f
        ended = signal == 0 ? status >> 8 & 0xff : 128 + signal
        return ended
    }
}
