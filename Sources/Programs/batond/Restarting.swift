/// Restarts the hub in the same process, with its arguments and the service manager's sockets. To the service manager
/// the service remains the same.
import Glibc
import Processes

struct Restarting: Sendable {
    /// The signal that the hub sends itself for a restart.
    static let signal = SIGUSR2

    private let program: String?
    /// Copies of the service manager's sockets, because the hub closes its own.
    private let sockets: [InheritedSocket]

    /// Reads the program's path and copies the sockets. Must run while there is a single thread.
    init(keeping inherited: [InheritedSocket]) {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        // The suffix appears if an upgrade has replaced the program's file meanwhile.
        let name = count > 0 ? String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
        let gone = " (deleted)"
        program = name.map { $0.hasSuffix(gone) ? String($0.dropLast(gone.count)) : $0 }
        sockets = inherited.map { InheritedSocket(descriptor: fcntl($0.descriptor, F_DUPFD_CLOEXEC, 256), name: $0.name) }
    }

    /// Restarts. Returns only on failure.
    func begin() {
        guard let program else { return }
        let first: Int32 = 3
        for (index, socket) in sockets.enumerated() where socket.descriptor >= 0 { dup2(socket.descriptor, first + Int32(index)) }
        if !sockets.isEmpty {
            setenv("LISTEN_PID", "\(getpid())", 1)
            setenv("LISTEN_FDS", "\(sockets.count)", 1)
            setenv("LISTEN_FDNAMES", sockets.map(\.name).joined(separator: ":"), 1)
        }
        var words = CommandLine.arguments.map { strdup($0) } + [nil]
        execv(program, &words)
    }
}
