/// The listening sockets that the service manager opened for this process and passed to it (sd_listen_fds(3)).
import Glibc

package struct InheritedSocket: Equatable, Sendable {
    package var descriptor: Int32
    /// As `FileDescriptorName=` of its unit says; that of the unit, where it says none.
    package var name: String

    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    private static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
    private static let first: Int32 = 3
    private static let most = 64

    /// Takes over what the environment announces for this process, and removes the announcement, so that programs that it
    /// starts do not believe it meant for them. Before there is a second thread.
    package static func take(environment: [String: String], process: Int32) -> [InheritedSocket] {
        let sockets = announced(in: environment, to: process)
        for name in variables { unsafe unsetenv(name) }
        for socket in sockets {
            _ = fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(socket.descriptor, F_SETFL, fcntl(socket.descriptor, F_GETFL) | O_NONBLOCK)
        }
        return sockets
    }

    /// The same by the environment of this process.
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
