import CCurl
import Glibc

/// The connection of a transfer that goes on without libcurl.
struct HandedSocket: Sendable {
    /// The receiver closes it.
    let descriptor: Int32
    /// How much of the body comes out of it.
    let length: Int64
}

/// A transfer that leaves its connection to another reader in the middle of the body.
///
/// Between two calls of `curl_multi_perform` libcurl holds no byte that it has read and not delivered, except those of a paused
/// transfer, which resuming it delivers at once. That is so in the versions before 8; later ones keep bytes in layers of their own,
/// and with those every body is read through libcurl.
extension Transfer {
    private static let firstLayeredVersion: UInt32 = 0x08_00_00

    /// `nil` when the bytes do not come one for one, or none are left.
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
