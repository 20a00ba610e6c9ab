import BatonCore
import BatonSeams
import CLinux
import Glibc
import Synchronization
import Threads

/// One running `baton-reader` and the socket to it.
///
/// A thread of its own starts it and waits for its end. So no caller waits for a process that the kernel holds, none stays a zombie, and
/// the kernel can be asked to end the reader together with its starting thread, that is, with the hub.
final class ReaderProcess: Sendable {
    /// Our end of the socket, which never blocks.
    let socket: Int32
    private let life = Mutex(Life.beginning)

    private enum Life {
        case beginning
        case running(pid_t)
        /// Ended, or never started.
        case over
        /// Not needed any more while it still starts; it is ended as soon as it runs.
        case unwanted
    }

    /// Parameters of its thread.
    private struct Start: Sendable {
        let program: ReaderProgram
        let theirs: Int32
        let process: ReaderProcess
        let onEnd: @Sendable () -> Void
    }

    /// `nil` if the system has no sockets or threads left.
    static func start(_ program: ReaderProgram, onEnd: @escaping @Sendable () -> Void) -> ReaderProcess? {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return nil }
        let process = ReaderProcess(pair[0])
        let start = Start(program: program, theirs: pair[1], process: process, onEnd: onEnd)
        // A small stack is enough, and there may be many threads.
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

    /// Kills it without waiting; its work is lost.
    func end() {
        life.withLock { life in
            switch life {
            case .beginning: life = .unwanted
            // It has not been waited for, so the number is not reused.
            case .running(let pid): kill(pid, SIGKILL)
            case .over, .unwanted: break
            }
        }
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Whether it is gone within this time after it was killed.
    func ends(withinMs: Milliseconds) -> Bool {
        let limitMs = Clock.system.nowMs + withinMs
        while life.withLock({ if case .running = $0 { true } else { false } }) {
            guard Clock.system.nowMs < limitMs else { return false }
            usleep(2_000)
        }
        return true
    }

    /// Time for which it was ready to run and had no processor.
    var starvedMs: Milliseconds {
        life.withLock { life in
            guard case .running(let pid) = life else { return 0 }
            let file = unsafe open("/proc/\(pid)/schedstat", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return 0 }
            defer { close(file) }
            var text = [UInt8](repeating: 0, count: 128)
            let count = unsafe read(file, &text, text.count)
            // Nanoseconds on a processor, nanoseconds of waiting for one, and the number of turns.
            let figures = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
            return figures.count > 1 ? Milliseconds((Int64(figures[1]) ?? 0) / 1_000_000) : 0
        }
    }

    private func live(_ start: Start) {
        let pid = Self.spawn(start.program, socket: start.theirs)
        // From here on only the reader holds this end, so its exit appears as the end of the stream.
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

    /// Waits until it has ended. Its number is released only when it is no longer used here.
    private func waitForEnd(of pid: pid_t) {
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        life.withLock { life in
            _ = waitpid(pid, nil, 0)
            life = .over
        }
    }

    /// Starts the program with the socket as input and output, no other descriptors, and no blocked signals.
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

        // The reader gets none of the environment but the path of libraries.
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
