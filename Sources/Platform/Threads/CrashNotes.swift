/// Records crashes of this program in a file, so that its next start knows of them.
///
/// The signal handler runs on a separate stack, because a full stack is a usual cause. Linux has such a stack for each thread: those of
/// `OwnThread` get one. A thread of a C library has none, so only its stack overflows are not recorded.
import CLinux
import Glibc
import Synchronization

package enum CrashNotes {
    private static let areOn = Atomic(false)
    /// Room for the registers of any processor, and for the few calls of the handler.
    private static let stackBytes = 64 * 1024

    /// Starts recording; must be called before there is a second thread. The file stays open until the program ends.
    package static func begin(in descriptor: CInt) {
        clinux_note_crashes(descriptor)
        areOn.store(true, ordering: .relaxed)
        _ = Stack()
    }

    /// Crashes are recorded with the time since this call instead of the time since the start.
    package static func countFromNow() { clinux_count_crashes_from_now() }

    /// Keeps the crash signals unblocked: a fault of a thread that blocks them ends the program without a record.
    static func letThrough(_ blocked: inout sigset_t) {
        for at in 0..<CLINUX_CRASHES { unsafe sigdelset(&blocked, clinux_crash(at)) }
    }

    /// Runs the body of a thread, with a stack for the handler.
    static func run(_ body: () -> Void) {
        guard areOn.load(ordering: .relaxed), let stack = Stack() else { return body() }
        body()
        stack.remove()
    }

    /// The calling thread's stack for the handler. Its memory is not used before a crash.
    @safe private struct Stack {
        // Owned by this thread alone, from `init` to `remove`.
        private let memory: UnsafeMutableRawPointer

        /// `nil` if the system has no memory; then only a stack overflow is not recorded.
        init?() {
            let found = unsafe mmap(nil, stackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let found = unsafe found, unsafe found != MAP_FAILED else { return nil }
            unsafe memory = found
            var stack = unsafe stack_t(ss_sp: memory, ss_flags: 0, ss_size: stackBytes)
            unsafe sigaltstack(&stack, nil)
        }

        func remove() {
            var none = unsafe stack_t(ss_sp: nil, ss_flags: CInt(SS_DISABLE), ss_size: 0)
            unsafe sigaltstack(&none, nil)
            unsafe munmap(memory, stackBytes)
        }
    }
}
