import BatonCore
import BatonSeams
import CLinux
import Glibc
import Synchronization
import Threads

/// One program, from its start to its end.
final class RunningProgram: Sendable {
    enum News: Sendable {
        case line([UInt8])
        /// Ended because it wrote a line that is too long, or too many lines.
        case tooMuch
        /// Killed because it and its child processes use too much memory.
        case tooLarge
        case notStarted(Int32)
        case ended(ProgramEnd)
    }

    private enum Life {
        case beginning
        case running(pid_t)
        /// The program was asked to end, and is killed at this time.
        case ending(pid_t, killUs: Microseconds)
        case over
        /// Not needed any more while it still starts; it is ended as soon as it runs.
        case unwanted
    }

    private let life = Mutex(Life.beginning)
    private let report: @Sendable (News) -> Void
    private let limits: ProgramLimits

    private static let patienceUs: Microseconds = 2_000_000
    private static let turnMs: Int32 = 100
    private static let mostOutput = 8 << 20
    private static let memoryTurnUs: Microseconds = 200_000

    private init(_ limits: ProgramLimits, _ report: @escaping @Sendable (News) -> Void) {
        self.limits = limits
        self.report = report
    }

    /// `nil` if the system has no thread left.
    static func start(
        _ words: [String], for call: ProgramCall, within limits: ProgramLimits, report: @escaping @Sendable (News) -> Void
    ) -> RunningProgram? {
        let program = RunningProgram(limits, report)
        return OwnThread.tryStart(stackBytes: 256 << 10, { program.live(words, call) }) ? program : nil
    }

    /// Asks it to end, and returns at once.
    func end() {
        life.withLock { life in
            switch life {
            case .beginning: life = .unwanted
            case .running(let pid):
                kill(-pid, SIGTERM)
                life = .ending(pid, killUs: Clock.system.nowUs + Self.patienceUs)
            case .ending, .over, .unwanted: break
            }
        }
    }

    // MARK: On its thread

    private func live(_ words: [String], _ call: ProgramCall) {
        if call.isQuiet { Self.goLast() }
        if call.isConfined { JobFolder(call.folder).give() }
        guard let spawned = spawn(words, call) else { return }
        let isWanted = life.withLock { life in
            if case .unwanted = life { return false }
            life = .running(spawned.pid)
            return true
        }
        if !isWanted { life.withLock { $0 = .ending(spawned.pid, killUs: 0) } }
        read(spawned.output, countsMemory: call.isConfined)
        close(spawned.output)
        var end = wait(for: spawned.pid)
        if call.isConfined {
            JobFolder(call.folder).takeBack()
            // This status is how bubblewrap reports a signal.
            if case .exited(let status) = end, status > 128 { end = .killed(signal: status - 128) }
        }
        report(.ended(end))
    }

    /// Lowers the priority. The program inherits nice value and `SCHED_BATCH` from this thread; the latter keeps it from preempting others
    /// when it wakes up. `SCHED_IDLE` would leave it next to nothing on a busy machine, and a piece would never be finished.
    private static func goLast() {
        var none = sched_param()
        _ = unsafe sched_setscheduler(0, inBatches, &none)
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, OwnThread.quietness)
    }

    /// `SCHED_BATCH`, which Swift's Glibc module lacks.
    private static let inBatches: Int32 = 3

    private func read(_ output: Int32, countsMemory: Bool) {
        var line: [UInt8] = []
        var total = 0
        var isTooMuch = false
        var countUs = Clock.system.nowUs
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            var event = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&event, 1, Self.turnMs)
            killWhenDue()
            if countsMemory, !isTooMuch, Clock.system.nowUs >= countUs {
                countUs = Clock.system.nowUs + Self.memoryTurnUs
                if isTooLarge {
                    isTooMuch = true
                    report(.tooLarge)
                    endAtOnce()
                }
            }
            guard ready != 0 else {
                if isOver { return }
                continue
            }
            let count = unsafe Glibc.read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            total += count
            guard !isTooMuch else { continue }
            for byte in buffer[..<count] {
                if byte == 0x0A {
                    report(.line(line))
                    line.removeAll(keepingCapacity: true)
                } else {
                    line.append(byte)
                }
            }
            if line.count > ProgramCall.mostLine || total > Self.mostOutput {
                isTooMuch = true
                report(.tooMuch)
                end()
            }
        }
        if !line.isEmpty, !isTooMuch { report(.line(line)) }
    }

    private var isTooLarge: Bool {
        guard let pid = life.withLock({ if case .running(let pid) = $0 { pid } else { nil } }) else { return false }
        return UsedMemory.bytes(of: pid) > limits.memoryBytes
    }

    private func endAtOnce() {
        life.withLock { if case .running(let pid) = $0 { $0 = .ending(pid, killUs: 0) } }
        killWhenDue()
    }

    /// Whether it has ended. A child process may hold its output open longer.
    private var isOver: Bool {
        guard let pid = life.withLock({ if case .ending(let pid, _) = $0 { pid } else { nil } }) else { return false }
        return Self.hasEnded(pid)
    }

    private static func hasEnded(_ pid: pid_t) -> Bool {
        var info = unsafe siginfo_t()
        let status = unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT | WNOHANG)
        return unsafe status == 0 && info.si_signo == SIGCHLD
    }

    private func killWhenDue() {
        life.withLock { life in
            guard case .ending(let pid, let killUs) = life, Clock.system.nowUs >= killUs else { return }
            kill(-pid, SIGKILL)
            life = .ending(pid, killUs: Clock.system.nowUs + Self.patienceUs)
        }
    }

    /// Waits a moment for it to end by itself, after its output has ended.
    private func wait(for pid: pid_t) -> ProgramEnd {
        life.withLock { life in if case .running = life { life = .ending(pid, killUs: Clock.system.nowUs + Self.patienceUs) } }
        while !Self.hasEnded(pid) {
            killWhenDue()
            usleep(5_000)
        }
        // Its child processes end with it.
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        life.withLock { life in
            _ = unsafe waitpid(pid, &status, 0)
            life = .over
        }
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
    }

    // MARK: Starting

    private func spawn(_ words: [String], _ call: ProgramCall) -> (pid: pid_t, output: Int32)? {
        var input: [Int32] = [-1, -1]
        var output: [Int32] = [-1, -1]
        guard Self.pipe(&input) else { return refuse(errno) }
        guard Self.pipe(&output) else {
            let cause = errno
            for end in input { close(end) }
            return refuse(cause)
        }
        // The whole input fits into a pipe, so this does not block.
        _ = unsafe write(input[1], call.input, call.input.count)
        close(input[1])
        let (pid, cause) = Self.spawn(words, for: call, input: input[0], output: output[1])
        close(input[0])
        close(output[1])
        if let pid { return (pid, output[0]) }
        close(output[0])
        return refuse(cause)
    }

    /// Both ends are closed in programs that are started in the meantime.
    private static func pipe(_ ends: inout [Int32]) -> Bool {
        guard unsafe Glibc.pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return true
    }

    private func refuse(_ cause: Int32) -> (pid: pid_t, output: Int32)? {
        life.withLock { $0 = .over }
        report(.notStarted(cause))
        return nil
    }

    /// Starts the program with no other open descriptors, no blocked signals, and its own environment.
    private static func spawn(_ words: [String], for call: ProgramCall, input: Int32, output: Int32) -> (pid_t?, Int32) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        unsafe posix_spawn_file_actions_addchdir_np(&actions, call.folder)

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setflags(&attributes, Int16(Self.ownSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)

        let environment = call.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let program = words[0]
        var pid = pid_t()
        let status = unsafe withWords(words) { words in
            unsafe withWords(environment) { environment in
                unsafe posix_spawn(&pid, program, &actions, &attributes, words, environment)
            }
        }
        return status == 0 ? (pid, 0) : (nil, status)
    }

    /// `POSIX_SPAWN_SETSID`, which Swift's Glibc module lacks: a process group of its own, without a terminal that it could type into.
    private static let ownSession: Int32 = 0x80

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
