/// A thread outside of Swift's pool, for calls that may block: the pool may not be.
///
/// Signals belong to the loop, so they are blocked in it and in all threads that it starts in turn.
import Glibc

package enum OwnThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// The thread ends with `body`, and nobody waits for it: what it has to say, `body` says. `false` when
    /// the system gives no more threads; then `body` is not called.
    package static func tryStart(stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
        let retained = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, &attributes,
            { @Sendable raw in
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                // The pointer is the one that was retained above.
                Unmanaged<Body>.fromOpaque(raw!).takeRetainedValue().run()
                return nil
            }, retained.toOpaque())
        if status != 0 { retained.release() }
        return status == 0
    }

    /// For what cannot go on without one.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        precondition(tryStart(body), "The system gives no more threads.")
    }
}
