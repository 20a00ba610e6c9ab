import Glibc

/// A thread outside of the cooperative pool, for calls that may block.
enum Thread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// The thread ends with `body`. Nobody waits for it: what it has to say, `body` says.
    static func start(_ body: @escaping @Sendable () -> Void) {
        let box = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
        var thread = pthread_t()
        let failed = unsafe pthread_create(
            &thread, nil,
            { box in
                guard let box = unsafe box else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
                return nil
            }, box)
        precondition(failed == 0, "The system gives no more threads.")
        pthread_detach(thread)
    }
}
