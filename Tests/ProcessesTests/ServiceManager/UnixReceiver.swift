/// A unix datagram socket that takes what a service manager or journald would be sent.
import Foundation
import Glibc

final class UnixReceiver {
    let path: String
    private let descriptor: Int32

    init() throws {
        path = NSTemporaryDirectory() + "baton-\(UUID().uuidString.prefix(8)).sock"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        guard bound == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// The next datagram; `nil` when none was sent. What was sent before is there already, since sending puts it into the kernel.
    func next() -> [UInt8]? {
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : Array(room[..<count])
    }

    var text: String? { next().map { String(decoding: $0, as: UTF8.self) } }
}
