/// Listening sockets that the service manager has opened and passed to this process (sd_listen_fds(3)).
import Glibc

package struct InheritedSocket: Equatable, Sendable {
    package var descriptor: Int32
    /// The name from `FileDescriptorName=` in its unit; by default the name of the unit.
    package var name: String

    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    private static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
    private static let first: Int32 = 3
    private static let most = 64

    /// Takes the sockets that the environment announces for this process, and removes the announcement, so that child processes do not take
    /// it for theirs. Must be called before there is a second thread.
    package static func take(environment: [String: String], process: Int32) -> [InheritedSocket] {
        let sockets = announced(in: environment, to: process)
        for name in variables { unsafe unsetenv(name) }
        for socket in sockets {
            _ = fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(socket.descriptor, F_SETFL, fcntl(socket.descriptor, F_GETFL) | O_NONBLOCK)
        }
        return sockets
    }

    /// Takes the sockets from this process's environment.
    package static func take(process: Int32) -> [InheritedSocket] {
        var environment: [String: String] = [:]
        for name in variables {
            if let value = unsafe getenv(name) { environment[name] = unsafe String(cString: value) }
        }
        return take(environment: environment, process: process)
    }

    static func announced(in environment: [String: String], to process: Int32) -> [InheritedSocket] {
        guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == process, let count = environment["LISTEN_FDS"].flatMap({ Int($0) }),
            (1...most).contains(count)
        else { return [] }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        return (0..<count).map { InheritedSocket(descriptor: first + Int32($0), name: $0 < names.count ? names[$0] : "") }
    }
}
