import BatonSeams
import Glibc

/// A thread for one call that may block, such as making a player or taking it apart. The loop and
/// the cooperative pool stay free; whoever called waits without holding a thread.
@Loop func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        let errand = Errand { @Sendable in continuation.resume(returning: body()) }
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { @Sendable raw in
                // libmpv's threads inherit what is blocked here: signals belong to the loop.
                var all = sigset_t()
                unsafe sigfillset(&all)
                unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
                // The pointer is the one that was retained for this thread below.
                unsafe Unmanaged<Errand>.fromOpaque(raw!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(errand).toOpaque())
        if status == 0 {
            pthread_detach(thread)
        } else {
            // No thread to be had. Blocking here for once is better than never answering.
            unsafe Unmanaged.passUnretained(errand).release()
            errand.run()
        }
    }
}

private final class Errand: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
