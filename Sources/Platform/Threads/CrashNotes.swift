/// Notes in a file that this program ends by a mistake of its own, so that its next start knows of it.
///
/// The handler of the signals runs on a stack of its own, because a stack that is full is a usual cause. Linux has such a stack for each
/// thread: those of `OwnThread` get one; a thread that a C library has started has none, so that only its full stack is not noted.
import CLinux
import Glibc
import Synchronization

package enum CrashNotes {
    private static let areOn = Atomic(false)
    /// Room for the registers of any processor, and for the few calls of the handler.
    private static let stackBytes = 64 * 1024

    /// From now on, before there is a second thread. The file stays open until the end of the program.
    package static func begin(in descriptor: CInt) {
        clinux_note_crashes(descriptor)
        areOn.store(true, ordering: .relaxed)
        _ = Stack()
    }

    /// A crash is noted with the time from here on instead of that since the start.
    package static func countFromNow() { clinux_count_crashes_from_now() }

    /// Lets the handler through where all other signals are blocked: a fault of a thread that blocks it ends the program unheard.
    static func letThrough(_ blocked: inout sigset_t) {
        for at in 0..<CLINUX_CRASHES { unsafe sigdelset(&blocked, clinux_crash(at)) }
    }

    /// Runs the body of a thread, with a stack for the handler.
    static func run(_ body: () -> Void) {
        guard areOn.load(ordering: .relaxed), let stack = Stack() else { return body() }
        body()
        stack.remove()
    }

    /// The calling thread's stack for the handler. Its memory is not touched before there is a crash.
    @safe private struct Stack {
        // Held by this thread alone, from `init` to `remove`.
        private let memory: UnsafeMutableRawPointer

        /// `nil` when the system gives no memory: then only a full stack is not noted.
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
