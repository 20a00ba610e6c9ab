import BatonSeams
import EventLoop
import ProcessMemory

/// Gives memory back to the system, on a thread that may wait: what a crowd or a player has left, and once what only
/// starting needed.
@Loop
final class MemoryKeeper {
    private let loop: EventLoop
    private var releasing: Task<Void, Never>?
    private var alarm: (any Alarm)?
    /// After starting, the first remotes come and the first scan begins: all that uses code for the first time.
    private static let settled = Duration.seconds(8)

    init(_ loop: EventLoop) { self.loop = loop }

    /// Not while the last one goes on: it does the same. Code is let go only where nobody is connected: it comes back
    /// within a fraction of a millisecond, and nobody should wait for that in the middle of something.
    func release(isIdle: Bool) { begin(withPages: isIdle) }

    func releaseLater() {
        alarm = loop.after(Self.settled) { [weak self] in self?.begin(withPages: true) }
    }

    private func begin(withPages: Bool) {
        guard releasing == nil else { return }
        releasing = Task(executorPreference: loop.blockingPool) { [weak self] in
            await Self.work(withPages: withPages)
            await self?.hasEnded()
        }
    }

    private nonisolated static func work(withPages: Bool) async {
        if withPages { LibraryPages.release() }
        // Last: reading the list of mappings takes memory itself.
        Allocator.returnFreePages()
    }

    private func hasEnded() { releasing = nil }

    func close() async {
        alarm?.cancel()
        await releasing?.value
    }
}
