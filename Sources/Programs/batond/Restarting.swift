/// The hub starts again in the same process, with the same words and the sockets that the service manager gave it: to the manager
/// it is the service that it was.
import Glibc
import ServiceManager

struct Restarting: Sendable {
    /// By which the hub tells itself that it starts again.
    static let signal = SIGUSR2

    private let program: String?
    /// Copies of what the service manager has opened, since the hub closes its own.
    private let sockets: [InheritedSocket]

    /// Before there is a second thread.
    init(keeping inherited: [InheritedSocket]) {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        // A package that was upgraded meanwhile has put another file there.
        let name = count > 0 ? String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
        let gone = " (deleted)"
        program = name.map { $0.hasSuffix(gone) ? String($0.dropLast(gone.count)) : $0 }
        sockets = inherited.map { InheritedSocket(descriptor: fcntl($0.descriptor, F_DUPFD_CLOEXEC, 256), name: $0.name) }
    }

    /// Returns only where it could not be done.
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
