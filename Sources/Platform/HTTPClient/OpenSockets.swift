import BatonSeams
import Glibc

/// The sockets that libcurl has opened. The socket of a transfer is found among them by its two ends, because libcurl names it only after
/// the transfer.
///
/// Only libcurl's thread uses it. libcurl closes sockets without notice, so a number may belong to another file by now; the kernel tells
/// the ends of each.
final class OpenSockets {
    private var descriptors: [Int32] = []
    /// More than the number of calls and idle connections. A transfer whose socket was dropped is read through libcurl.
    private static let most = 512

    func opened(_ descriptor: Int32) {
        guard descriptor >= 0 else { return }
        descriptors.removeAll { $0 == descriptor }
        if descriptors.count >= Self.most { descriptors.removeFirst() }
        descriptors.append(descriptor)
    }

    func descriptor(between ends: Ends) -> Int32? { descriptors.last { Ends(of: $0) == ends } }

    /// The two ends of a connection, which identify it.
    struct Ends: Equatable {
        var ownPort: UInt16
        var port: UInt16
        var address: NetworkAddress

        init(ownPort: UInt16, port: UInt16, address: NetworkAddress) {
            self.ownPort = ownPort
            self.port = port
            self.address = address
        }

        /// `nil` if the descriptor is not a connected socket.
        init?(of descriptor: Int32) {
            guard let own = unsafe Self.end(of: descriptor, getsockname), let other = unsafe Self.end(of: descriptor, getpeername) else {
                return nil
            }
            self.init(ownPort: own.port, port: other.port, address: other.address)
        }

        private static func end(
            of descriptor: Int32, _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
        ) -> (address: NetworkAddress, port: UInt16)? {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            return unsafe withUnsafeMutableBytes(of: &storage) { room in
                guard let start = room.baseAddress else { return nil }
                let origin = unsafe start.assumingMemoryBound(to: sockaddr.self)
                guard unsafe ask(descriptor, origin, &length) == 0,
                    let address = unsafe NetworkAddress(family: Int32(origin.pointee.sa_family), at: start)
                else { return nil }
                // The port has the same offset for both families, in big-endian order.
                let offset = MemoryLayout<sockaddr_in>.offset(of: \.sin_port)!  // A stored field of C.
                return (address, UInt16(bigEndian: unsafe start.load(fromByteOffset: offset, as: UInt16.self)))
            }
        }
    }
}
