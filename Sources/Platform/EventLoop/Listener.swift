package import BatonSeams
import CLinux
import CWebSockets
import Glibc

/// One listening socket, TCP or unix, and the connections that it accepts.
@Loop
package final class Listener {
    private let descriptor: Int32
    /// The port, or zero for a socket file.
    package let port: UInt16
    private let path: String?
    private let file: (device: dev_t, number: ino_t)?
    private var watch: (any Watch)?
    private var pause: (any Alarm)?

    /// Number of connections that are accepted before others are served again.
    private static let perTurn = 32
    /// Limit of unsent bytes in the kernel for one peer: several of the largest usual messages.
    private static let unsentBytes: Int32 = 16_384

    package init(tcp host: String, port: UInt16, backlog: Int32) throws(SocketsError) {
        guard let address = Address(host, port) else {
            throw SocketsError(.addressUnavailable, "\(host) is not an address of this machine: use a number such as 127.0.0.1 or ::.")
        }
        let descriptor = socket(address.family, Self.kind, 0)
        Self.set(on: descriptor, level: SOL_SOCKET, SO_REUSEADDR)
        // Inherited by accepted sockets. Frames are whole messages, so waiting for more only causes delay.
        Self.set(on: descriptor, level: Int32(IPPROTO_TCP), TCP_NODELAY)
        // Inherited too. Bytes that a peer does not accept wait in the hub, where newer state replaces them and a peer that stopped reading
        // is noticed. The kernel would hold megabytes of outdated state for it.
        Self.set(on: descriptor, level: Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, to: Self.unsentBytes)
        if address.family == AF_INET6 { Self.set(on: descriptor, level: Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: host == "::" ? 0 : 1) }
        guard address.bind(descriptor) == 0, Glibc.listen(descriptor, backlog) == 0 else {
            let cause = errno
            Glibc.close(descriptor)
            throw Self.error(at: host, port: port, cause: cause)
        }
        self.descriptor = descriptor
        self.port = Address(of: descriptor)?.port ?? port
        path = nil
        file = nil
    }

    /// A socket that the service manager has opened: bound, listening and non-blocking. Its file stays when this process ends.
    package init(inherited descriptor: Int32) {
        self.descriptor = descriptor
        port = Address(of: descriptor)?.port ?? 0
        if port != 0 {
            Self.set(on: descriptor, level: Int32(IPPROTO_TCP), TCP_NODELAY)
            Self.set(on: descriptor, level: Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, to: Self.unsentBytes)
        }
        path = nil
        file = nil
    }

    private static func error(at host: String, port: UInt16, cause: Int32) -> SocketsError {
        let sentence =
            switch cause {
            case EADDRINUSE: "Port \(port) is taken by another program; stop it, or choose another port."
            case EADDRNOTAVAIL: "\(host) is not an address of this machine."
            case EACCES: "Port \(port) may only be opened by root; choose one above 1023."
            default: "Port \(port) on \(host) could not be opened: \(SocketsError.words(for: cause))."
            }
        return SocketsError(SocketsError.code(for: cause), sentence, cause: cause)
    }

    package init(unix path: String, mode: UInt32, backlog: Int32) throws(SocketsError) {
        guard let address = Address(unix: path) else {
            throw SocketsError(.addressUnavailable, "The socket path \(path) is too long: the system allows 107 bytes.")
        }
        try Self.clear(path, address)
        let descriptor = socket(AF_UNIX, Self.kind, 0)
        // No connection is possible between bind and listen, so the mode applies from the start.
        guard address.bind(descriptor) == 0, unsafe chmod(path, mode) == 0, Glibc.listen(descriptor, backlog) == 0 else {
            let cause = errno
            Glibc.close(descriptor)
            throw SocketsError(
                SocketsError.code(for: cause), "The socket \(path) could not be opened: \(SocketsError.words(for: cause)).", cause: cause)
        }
        self.descriptor = descriptor
        self.path = path
        file = Self.identity(of: path)
        port = 0
    }

    /// Removes a socket file on which no program listens; anything else in the way is an error.
    private static func clear(_ path: String, _ address: Address) throws(SocketsError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SocketsError(.taken, "\(path) is in the way: it exists and is not a socket.", cause: EADDRINUSE)
        }
        let probe = socket(AF_UNIX, Self.kind, 0)
        defer { Glibc.close(probe) }
        if address.connect(probe) == 0 || errno != ECONNREFUSED {
            throw SocketsError(.taken, "Another program already listens on the socket \(path).", cause: EADDRINUSE)
        }
        unsafe unlink(path)
    }

    private static func identity(of path: String) -> (device: dev_t, number: ino_t)? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? (status.st_dev, status.st_ino) : nil
    }

    private static let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

    private static func set(on descriptor: Int32, level: Int32, _ name: Int32, to value: Int32 = 1) {
        var value = value
        unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    // MARK: Accepting

    package func attend(on loop: EventLoop, _ arrived: @escaping @Loop (Int32, Peer) -> Void) {
        watch = loop.watch(descriptor, for: .readable) { [weak self] _ in self?.accept(on: loop, arrived) }
    }

    private func accept(on loop: EventLoop, _ arrived: @escaping @Loop (Int32, Peer) -> Void) {
        for _ in 0..<Self.perTurn {
            let connection = accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue))
            guard connection < 0 else {
                loop.hasAccepted = true
                arrived(connection, Address.peer(of: connection))
                continue
            }
            if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS { rest(on: loop, arrived) }
            if errno != ECONNABORTED && errno != EINTR { return }
        }
    }

    /// No descriptor is left: waiting connections are accepted when others have ended.
    private func rest(on loop: EventLoop, _ arrived: @escaping @Loop (Int32, Peer) -> Void) {
        loop.log(.warning, "No file descriptor is left for another connection; new ones wait.")
        watch?.cancel()
        pause = loop.after(.seconds(1)) { [weak self] in self?.attend(on: loop, arrived) }
    }

    package func close() {
        watch?.cancel()
        pause?.cancel()
        Glibc.close(descriptor)
        // The file may belong to another program by now.
        if let path, let file, let now = Self.identity(of: path), now == file { unsafe unlink(path) }
    }
}
