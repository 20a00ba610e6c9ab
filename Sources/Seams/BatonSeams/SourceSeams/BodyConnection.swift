/// The connected socket from which the rest of an answer's body comes, and nothing else before its end.
///
/// The kernel can move these bytes to another socket without this process, at a fraction of the cost of reading and writing them. The object owns the
/// descriptor, which is non-blocking, and closes it.
import Glibc

/// A connected socket and the bytes that were read from it before.
package final class BodyConnection: Sendable {
    /// The socket, valid while the object exists.
    package let descriptor: Int32
    /// Bytes before those of the socket, which were read already.
    package let early: [UInt8]
    /// Number of bytes that come from the socket.
    package let length: Int64

    package init(_ descriptor: Int32, early: [UInt8], length: Int64) {
        self.descriptor = descriptor
        self.early = early
        self.length = length
    }

    deinit { close(descriptor) }
}
