import BatonSeams
import EventLoop
import ProcessMemory

/// Returns free memory to the system, on a thread that may wait: after many clients or a player have ended, and once
/// after the start.
@Loop
final class MemoryKeeper {
    private let loop: EventLoop
    private var releasing: Task<Void, Never>?
    private var alarm: (any Alarm)?
    /// After starting, the first remotes come and the first scan begins: all that uses code for the first time.
    private static let settled = Duration.seconds(8)

    init(_ loop: EventLoop) { self.loop = loop }

    /// Not while the last one goes on: it does the same. Code is let go only while no client is connected: reading it
    /// again takes a fraction of a millisecond, which would delay a command.
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
