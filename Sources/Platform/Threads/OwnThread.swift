/// A thread outside of Swift's own pool, for calls that may block: the pool must not be blocked.
///
/// Signals are read by the loop, so they are blocked in each thread that is started here and in the threads that it
/// starts in turn, but for those of crashes (`CrashNotes`).
import Glibc

package enum OwnThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// How much the processor prefers others to a quiet thread: as much as the system allows, and it still goes on where they leave
    /// nothing, since it may hold what they wait for.
    package static let quietness: CInt = 19

    /// The thread ends with `body` and is not waited for: a result is handed over by `body` itself. `false` when
    /// the system gives no more threads; then `body` is not called. The more `niceness` it has, the more others are preferred.
    package static func tryStart(stackBytes: Int? = nil, niceness: CInt = 0, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        if let stackBytes { unsafe pthread_attr_setstacksize(&attributes, stackBytes) }
        let retained = unsafe Unmanaged.passRetained(Body(niceness > 0 ? nice(niceness, body) : body))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, &attributes,
            { @Sendable raw in
                var all = sigset_t()
                unsafe sigfillset(&all)
                CrashNotes.letThrough(&all)
                unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
                guard let raw = unsafe raw else { return nil }
                let body = unsafe Unmanaged<Body>.fromOpaque(raw).takeRetainedValue()
                CrashNotes.run(body.run)
                return nil
            }, retained.toOpaque())
        if status != 0 { unsafe retained.release() }
        return status == 0
    }

    private static func nice(_ niceness: CInt, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        {
            // Linux applies this to the calling thread alone. Threads that it starts inherit it.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
            body()
        }
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
