import BatonSeams
import CLinux
import Glibc
import Synchronization
import Threads

/// One running `baton-reader` and the socket to it.
///
/// A thread of its own starts it and waits for its end, for as long as it lives: so nothing here ever
/// waits for a process that the kernel holds on to, no dead one is left lying about, and the reader can
/// ask the kernel to be ended with the thread that started it, which is to say with the hub.
final class ReaderProcess: Sendable {
    /// Our end of the socket. Never waits.
    let socket: Int32
    private let life = Mutex(Life.beginning)

    private enum Life {
        case beginning
        case running(pid_t)
        /// Ended or never begun.
        case over
        /// To be ended before it has begun.
        case unwanted
    }

    /// What its thread needs to know.
    private struct Start: Sendable {
        let program: ReaderProgram
        let theirs: Int32
        let process: ReaderProcess
        let onEnd: @Sendable () -> Void
    }

    /// `nil` when the system has neither sockets nor threads to give.
    static func start(_ program: ReaderProgram, onEnd: @escaping @Sendable () -> Void) -> ReaderProcess? {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return nil }
        let process = ReaderProcess(pair[0])
        let start = Start(program: program, theirs: pair[1], process: process, onEnd: onEnd)
        // It does next to nothing, and there may be many.
        guard OwnThread.tryStart(stackBytes: 128 << 10, { process.live(start) }) else {
            close(pair[1])
            return nil
        }
        return process
    }

    private init(_ socket: Int32) { self.socket = socket }

    deinit {
        close(socket)
    }

    /// At once and without waiting for it; what it was doing is lost.
    func end() {
        life.withLock { life in
            switch life {
            case .beginning: life = .unwanted
            // It has not been waited for, so the number is still its own.
            case .running(let pid): kill(pid, SIGKILL)
            case .over, .unwanted: break
            }
        }
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Whether it is gone soon after it was ended.
    func ends(withinMs: Int64) -> Bool {
        let limitMs = Clock.system.nowMs + withinMs
        while life.withLock({ if case .running = $0 { true } else { false } }) {
            guard Clock.system.nowMs < limitMs else { return false }
            usleep(2_000)
        }
        return true
    }

    private func live(_ start: Start) {
        let pid = Self.spawn(start.program, socket: start.theirs)
        // From here only the reader holds it, so its end shows as the end of what it says.
        close(start.theirs)
        if let pid {
            let isWanted = life.withLock { life in
                if case .unwanted = life { return false }
                life = .running(pid)
                return true
            }
            if !isWanted { kill(pid, SIGKILL) }
            waitForEnd(of: pid)
        } else {
            life.withLock { $0 = .over }
        }
        start.onEnd()
    }

    /// Until it has ended; its number is given back only when it is not used here any more.
    private func waitForEnd(of pid: pid_t) {
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        life.withLock { life in
            _ = waitpid(pid, nil, 0)
            life = .over
        }
    }

    /// With the socket in the place of input and output, nothing else of ours, and no signal blocked.
    private static func spawn(_ program: ReaderProgram, socket: Int32) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, socket, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, socket, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)

        // Of the environment only what finds libraries: nothing in there is a reader's business.
        let kept = unsafe getenv("LD_LIBRARY_PATH").map { unsafe ["LD_LIBRARY_PATH=\(String(cString: $0))"] } ?? []
        var pid = pid_t()
        let status = unsafe withWords([program.path] + program.arguments) { words in
            unsafe withWords(kept) { environment in unsafe posix_spawn(&pid, program.path, &actions, &attributes, words, environment) }
        }
        return status == 0 ? pid : nil
    }

    private static func withWords<Result>(_ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result) -> Result {
        let copies: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?> = .allocate(capacity: words.count + 1)
        unsafe copies.initialize(repeating: nil)
        for (index, word) in words.enumerated() { unsafe copies[index] = strdup(word) }
        defer {
            unsafe copies.forEach { unsafe free($0) }
            unsafe copies.deallocate()
        }
        guard let first = unsafe UnsafePointer(copies.baseAddress) else { preconditionFailure("A list with its end is never empty.") }
        return unsafe body(first)
    }
}
