import Glibc
import Synchronization
import Threads

/// Ends a call of libavahi that would block the loop. Its calls wait for avahi-daemon's answer, 25 seconds if need
/// be, and a daemon that is stopped or hangs gives none. When a call takes too long, its connections to the bus are shut
/// down, and it returns at once with an error.
///
/// Lifetime: a descriptor is noted and forgotten on the loop by `AvahiPolling`, and forgotten before
/// libdbus closes it, so a descriptor that is shut down here is open and ours.
final class BusCallLimit: Sendable {
    /// Some thousand times as long as a call takes: on a busy machine a daemon that is well may be late by tenths of a second, and to give
    /// it up takes the hub off the network for a moment.
    private static let usualMs: Int64 = 500

    private final class Descriptors: Sendable {
        let open = Mutex<[Int32]>([])

        func shutDown() {
            open.withLock { for descriptor in $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } }
        }
    }

    private let descriptors: Descriptors
    private let timer: CallTimer

    init(limitMs: Int64?) {
        let descriptors = Descriptors()
        self.descriptors = descriptors
        timer = CallTimer(limitMs: limitMs ?? Self.usualMs) { descriptors.shutDown() }
    }

    func note(_ descriptor: Int32) { descriptors.open.withLock { $0.append(descriptor) } }

    func forget(_ descriptor: Int32) { descriptors.open.withLock { $0.removeAll { $0 == descriptor } } }

    func begin() { timer.begin() }

    /// Whether the call that began last was cut short.
    func end() -> Bool { timer.end() }

    /// The same, while the call still runs.
    var hasCut: Bool { timer.hasExpired }

    func close() { timer.close() }
}
