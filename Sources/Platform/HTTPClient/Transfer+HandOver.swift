import CCurl
import Glibc

/// The connection of a transfer that continues without libcurl.
struct HandedSocket: Sendable {
    /// The receiver closes it.
    let descriptor: Int32
    /// Number of bytes of the body that are still to come.
    let length: Int64
}

/// Hands a transfer's connection to another reader in the middle of the body.
///
/// Between two calls of `curl_multi_perform`, libcurl holds no byte that it has read and not delivered, except those of a paused transfer,
/// which are delivered at once when it is resumed. This holds for versions before 8; later ones buffer bytes in layers of their own, and
/// with those every body is read through libcurl.
extension Transfer {
    private static let firstLayeredVersion: UInt32 = 0x08_00_00

    /// `nil` if the bytes are transformed on the way, or none are left.
    func handOver() -> HandedSocket? {
        guard unsafe easy != nil, head.isDelivered, call.limits.bodyBytes == nil, method == .get, url.scheme == "http", proxy == nil,
            head.header("transfer-encoding") == nil, let length = head.length,
            baton_curl_version() < Self.firstLayeredVersion
        else { return nil }
        exchange.takingAll { resume() }
        guard fault == nil, received < length, let ends, let socket = sockets?.descriptor(between: ends) else { return nil }
        let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : HandedSocket(descriptor: copy, length: length - received)
    }
}
