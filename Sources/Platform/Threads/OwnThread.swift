/// A thread outside of Swift's own pool, for calls that may block, which the pool must not.
///
/// The loop handles signals. So they are blocked in each thread that is started here and in those that it starts, except for signals of
/// crashes (`CrashNotes`).
import Glibc

package enum OwnThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// The niceness of a quiet thread. On a busy machine it keeps a tenth of a processor. With the system's maximum it would get next to
    /// nothing there, while others wait for its locks, and music would not be found. Threads and programs that it starts inherit it.
    package static let quietness: CInt = 10

    /// Starts a thread that ends with `body` and is not waited for; `body` itself passes on its result. `false` if the system has no
    /// threads left; then `body` is not called. A higher `niceness` means a lower priority.
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
            // Linux applies this to the calling thread only. Threads that it starts inherit it.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
            body()
        }
    }

    /// Starts a thread for work that cannot continue without one.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        precondition(tryStart(body), "The system gives no more threads.")
    }

    /// The result of a call that may block, such as creating or destroying a player. The caller waits without occupying a thread, and
    /// continues where it was: on the loop if it came from there, never in Swift's own pool.
    package static func run<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation(isolation: isolation) { continuation in
            let work = { @Sendable in continuation.resume(returning: body()) }
            // If the system has no thread left, blocking here once is better than never answering.
            if !tryStart(work) { work() }
        }
    }
}
