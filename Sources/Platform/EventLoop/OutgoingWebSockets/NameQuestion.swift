import BatonSeams
import Threads

/// One request to the system's resolver, which blocks. It runs on a thread of its own, and the caller waits for the answer up to a limit or
/// until the task is cancelled.
@Loop
final class NameQuestion {
    private let loop: EventLoop
    private var waiting: CheckedContinuation<[Address], Never>?

    init(_ loop: EventLoop) { self.loop = loop }

    /// Empty if there is no such name, or no answer in time.
    func addresses(_ host: String, _ port: UInt16, within limit: Duration) async -> [Address] {
        let alarm = loop.after(limit) { [weak self] in self?.answer([]) }
        defer { alarm.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                self.waiting = waiting
                let ask: @Sendable () -> Void = { [loop] in
                    let addresses = Address.resolved(host, port)
                    loop.post { self.answer(addresses) }
                }
                if Task.isCancelled || !OwnThread.tryStart(ask) { answer([]) }
            }
        } onCancel: {
            loop.post { self.answer([]) }
        }
    }

    /// Only the first answer counts.
    private func answer(_ addresses: [Address]) {
        waiting?.resume(returning: addresses)
        waiting = nil
    }
}
