/// Writing what comes to disk, beside the part that appends. The sound that comes says when, so no timer is needed while a station plays.
import BatonSeams
import Synchronization

extension MemoryRing {
    /// What came is written after this time, with the sound that comes then.
    static let betweenWrites = Duration.milliseconds(500)
    /// So much is written at once: a piece of HLS may be the last for several seconds.
    static let mostUnwritten = 32 * 1024

    package func keep() async {
        guard let disk else { return }
        disk.setReceiving(true)
        defer { disk.setReceiving(false) }
        disk.open(before: begin)
        var writing = PastWriting()
        while !Task.isCancelled, !state.withLock({ $0.hasEnded }) {
            disk.flush(&writing)
            await untilWriteDue()
        }
        disk.flush(&writing)
    }

    /// Returns once there is enough to write, the ring is at its end, or this task was cancelled.
    private func untilWriteDue() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { keeper in
                let isDue = state.withLock { state in
                    let isDue = state.isWriteDue || Task.isCancelled
                    if !isDue { state.keeper = keeper }
                    return isDue
                }
                if isDue { keeper.resume() }
            }
        } onCancel: {
            state.withLock { $0.keeper.take() }?.resume()
        }
        state.withLock { state in (state.unwritten, state.written) = (0, .now) }
    }
}
