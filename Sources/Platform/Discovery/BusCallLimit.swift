import BatonCore
import Glibc
import Synchronization
import Threads

/// Aborts calls of libavahi that would block the loop. They wait up to 25 seconds for avahi-daemon's answer, which a stopped or hanging
/// daemon never gives. When a call takes too long, its bus connections are shut down, and it returns at once with an error.
///
/// Lifetime: `AvahiPolling` adds and removes descriptors on the loop, and removes them before libdbus closes them. So a descriptor that is
/// shut down here is open and ours.
final class BusCallLimit: Sendable {
    /// Several thousand times the usual duration. On a busy machine a healthy daemon may be late by tenths of a second, and an abort takes
    /// the hub off the network for a second: `AvahiSession` tries again soon after the first one.
    private static let usualMs: Milliseconds = 500

    private final class Descriptors: Sendable {
        let open = Mutex<[Int32]>([])

        func shutDown() {
            open.withLock { for descriptor in $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } }
        }
    }

    private let descriptors: Descriptors
    private let timer: CallTimer

    init(limitMs: Milliseconds?) {
        let descriptors = Descriptors()
        self.descriptors = descriptors
        timer = CallTimer(limitMs: limitMs ?? Self.usualMs) { descriptors.shutDown() }
    }

    func note(_ descriptor: Int32) { descriptors.open.withLock { $0.append(descriptor) } }

    func forget(_ descriptor: Int32) { descriptors.open.withLock { $0.removeAll { $0 == descriptor } } }

    func begin() { timer.begin() }

    /// Whether the last call was aborted.
    func end() -> Bool { timer.end() }

    /// Whether the running call was aborted.
    var hasCut: Bool { timer.hasExpired }

    func close() { timer.close() }
}
