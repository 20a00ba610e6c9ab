import BatonSeams
import CLinux
import Glibc

/// Waits for a socket file to be made, so that a bus which is not there costs nothing until it comes.
@safe @Loop
final class SocketArrival {
    private let descriptor: Int32
    private var watch: (any Watch)?

    /// `nil` where the folder does not exist, or cannot be watched.
    init?(of path: String, on reactor: any Reactor, _ action: @escaping @Loop () -> Void) {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        guard unsafe inotify_add_watch(descriptor, folder, UInt32(IN_CREATE | IN_MOVED_TO)) >= 0 else {
            close(descriptor)
            return nil
        }
        let name = Array(path[path.index(after: slash)...].utf8)
        watch = reactor.watch(descriptor, for: .readable) { [descriptor] _ in
            if Self.hasArrived(name, descriptor) { action() }
        }
    }

    func cancel() {
        guard let watch else { return }
        watch.cancel()
        close(descriptor)
        self.watch = nil
    }

    isolated deinit { cancel() }

    /// Reads what has happened. A folder in which much happens, or an overflow, counts as an arrival, which one attempt settles.
    private static func hasArrived(_ name: [UInt8], _ descriptor: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return false }
        return count > bytes.count / 2 || bytes.prefix(count).contains(name)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func contains(_ name: [UInt8]) -> Bool {
        name.count <= count && indices.dropLast(name.count - 1).contains { self[$0...].starts(with: name) }
    }
}
