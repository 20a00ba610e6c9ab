/// The address of a unix socket: a path, or a name in the kernel's abstract namespace, which is written with a leading `@`.
import Glibc

struct LocalAddress: Sendable {
    private let bytes: [UInt8]

    private static let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)

    init?(path: String) {
        var bytes = Array(path.utf8)
        guard bytes.count > 1, bytes.count < MemoryLayout<sockaddr_un>.size - MemoryLayout<sa_family_t>.size else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "/"): bytes.append(0)
        case UInt8(ascii: "@"): bytes[0] = 0
        default: return nil
        }
        self.bytes = bytes
    }

    /// Sends one datagram without waiting; false if it was not accepted.
    func send(_ message: [UInt8], over descriptor: Int32) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let sent = unsafe withUnsafePointer(to: address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(descriptor, message, message.count, Self.flags, $0, length)
            }
        }
        return sent == message.count
    }
}
