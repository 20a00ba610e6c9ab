import BatonSeams
import Threads

/// A thread for one call that may block, such as making a player or taking it apart. The loop and
/// the cooperative pool stay free; whoever called waits without holding a thread. libmpv's own threads
/// inherit that no signal reaches them.
@Loop func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        let work = { @Sendable in continuation.resume(returning: body()) }
        // No thread to be had. Blocking here for once is better than never answering.
        if !OwnThread.tryStart(work) { work() }
    }
}
