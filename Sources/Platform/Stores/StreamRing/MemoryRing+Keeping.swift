/// Writing of received sound to disk, separate from the receiver. Arriving sound triggers the writes, so no timer is needed.
import BatonSeams
import Synchronization

extension MemoryRing {
    /// Minimum time between writes; sound that arrives later triggers the next one.
    static let betweenWrites = Duration.milliseconds(500)
    /// Amount that is written at once, because a piece of HLS may be the last for several seconds.
    static let mostUnwritten = 32 * 1024

    package func record() async {
        guard let disk else { return }
        disk.setReceiving(true)
        defer { disk.setReceiving(false) }
        disk.open(before: begin)
        var writing = SegmentWriter()
        while !Task.isCancelled, !state.withLock({ $0.hasEnded }) {
            disk.flush(&writing)
            await untilWriteDue()
        }
        disk.flush(&writing)
    }

    /// Returns once enough sound waits, the ring has ended, or this task was cancelled.
    private func untilWriteDue() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waitingWriter in
                let isDue = state.withLock { state in
                    let isDue = state.isWriteDue || Task.isCancelled
                    if !isDue { state.waitingWriter = waitingWriter }
                    return isDue
                }
                if isDue { waitingWriter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waitingWriter.take() }?.resume()
        }
        state.withLock { state in (state.unwritten, state.written) = (0, .now) }
    }
}
