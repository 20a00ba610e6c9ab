import BatonSeams
import EventLoop
import Processes

/// Returns free memory to the system on a background thread: once after the start, and after many clients or a player
/// have ended.
@Loop
final class MemoryTrimmer {
    private let loop: EventLoop
    private var releasing: Task<Void, Never>?
    private var alarm: (any Alarm)?
    /// Delay after the start, during which the first remotes and the first scan load most code.
    private static let settled = Duration.seconds(8)

    init(_ loop: EventLoop) { self.loop = loop }

    func releaseLater() {
        alarm = loop.after(Self.settled) { [weak self] in self?.release() }
    }

    /// Returns free memory, unless this is in progress.
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
