package import BatonSeams

/// Has free memory given back to the system some time after connections have ended or a player was let go.
///
/// The allocator keeps what was freed for those who come next, and after many clients have left that would be most of what the process
/// holds. Once in a while is enough, and while nothing ends nothing is done, so that a hub at rest is not woken.
@Loop
package final class MemoryRelease {
    private let reactor: any Reactor
    private var alarm: (any Alarm)?
    private let release: @Loop () -> Void
    /// Long enough for those who only reconnect to be back, and for all of many clients to be gone.
    package static let delay = Duration.seconds(20)

    init(_ reactor: any Reactor, release: @escaping @Loop () -> Void) {
        self.reactor = reactor
        self.release = release
    }

    /// Something was freed that is worth it if it was one of many.
    package func note() {
        guard alarm == nil else { return }
        alarm = reactor.after(Self.delay) { [weak self] in
            self?.alarm = nil
            self?.release()
        }
    }

    package func close() { alarm?.cancel() }
}
