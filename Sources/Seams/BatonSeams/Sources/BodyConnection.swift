/// The rest of an answer's body at the place where it arrives: a connected socket out of which nothing else comes before its end.
///
/// The kernel passes such bytes on to another socket without this process reading them, which costs a fraction of reading and
/// writing them. The object owns the descriptor, which does not block, and closes it.
import Glibc

package final class BodyConnection: Sendable {
    package let descriptor: Int32
    /// Bytes that stand before those of the socket, and were read already.
    package let early: [UInt8]
    /// How many come out of the socket.
    package let length: Int64

    package init(_ descriptor: Int32, early: [UInt8], length: Int64) {
        self.descriptor = descriptor
        self.early = early
        self.length = length
    }

    deinit { close(descriptor) }
}
