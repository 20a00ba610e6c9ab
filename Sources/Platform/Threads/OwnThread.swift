/// A thread outside of Swift's own pool, for calls that may block: the pool must not be blocked.
///
/// Signals are read by the loop, so they are blocked in each thread that is started here and in the threads that it
/// starts in turn.
import Glibc

package enum OwnThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// The thread ends with `body` and is not waited for: a result is handed over by `body` itself. `false` when
    /// the system gives no more threads; then `body` is not called.
    package static func tryStart(stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        if let stackBytes { unsafe pthread_attr_setstacksize(&attributes, stackBytes) }
        let retained = unsafe Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, &attributes,
            { @Sendable raw in
                var all = sigset_t()
                unsafe sigfillset(&all)
                unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
                guard let raw = unsafe raw else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(raw).takeRetainedValue().run()
                return nil
            }, retained.toOpaque())
        if status != 0 { unsafe retained.release() }
        return status == 0
    }

    /// For work that cannot go on without a thread.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        precondition(tryStart(body), "The system gives no more threads.")
    }

    /// The result of a call that may block, such as making a player or taking it apart. The caller waits without
    /// holding a thread, and goes on where it was: on the loop if it came from there, never in Swift's own pool.
    package static func run<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation(isolation: isolation) { continuation in
            let work = { @Sendable in continuation.resume(returning: body()) }
            // Where the system gives no thread, blocking here once is better than never answering.
            if !tryStart(work) { work() }
        }
    }
}
