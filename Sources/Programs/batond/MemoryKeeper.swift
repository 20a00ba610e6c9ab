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

    func releaseLater() {
        alarm = loop.after(Self.settled) { [weak self] in self?.release() }
    }

    /// Does nothing while the last release goes on, which does the same.
    func release() {
        guard releasing == nil else { return }
        releasing = Task(executorPreference: loop.blockingPool) { [weak self] in
            await Self.returnFreePages()
            await self?.hasEnded()
        }
    }

    private nonisolated static func returnFreePages() async { Allocator.returnFreePages() }

    private func hasEnded() { releasing = nil }

    func close() async {
        alarm?.cancel()
        await releasing?.value
    }
}
