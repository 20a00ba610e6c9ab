package import BatonSeams

/// Gives free memory back to the system some time after connections have ended or a player was closed.
///
/// The allocator keeps freed memory for later use, and after many clients have left that would be most of the process. One
/// release in a while is enough, and without such an event there is none, so that an idle hub is not woken.
@Loop
package final class MemoryRelease {
    private let reactor: any Reactor
    private var alarm: (any Alarm)?
    private let release: @Loop () -> Void
    /// Time that lets reconnecting clients come back, and many leaving clients be gone.
    static let delay = Duration.seconds(20)

    init(_ reactor: any Reactor, release: @escaping @Loop () -> Void) {
        self.reactor = reactor
        self.release = release
    }

    /// Schedules a release. It is called for each closed connection and player, since many of them hold much memory.
    package func note() {
        guard alarm == nil else { return }
        alarm = reactor.after(Self.delay) { [weak self] in
            self?.alarm = nil
            self?.release()
        }
    }

    func close() { alarm?.cancel() }
}
