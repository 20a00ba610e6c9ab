import CLinux
import Glibc

/// What of the kernel a reader may still call once it has begun: reading files, memory, its own end. No
/// sockets, no programs, no other processes, and files are opened for reading or not at all.
///
/// Anything else fails with “not permitted” rather than ending the reader, since a library may merely be
/// asking. The kernel runs this list for every call; it cannot be taken back.
enum CallFilter {
    private static let allowed: [Int] = {
        var calls = [
            SYS_read, SYS_write, SYS_pread64, SYS_close, SYS_fstat, SYS_newfstatat, SYS_lseek, SYS_ppoll, SYS_mmap, SYS_munmap,
            SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_getrandom, SYS_clock_gettime, SYS_gettimeofday,
            SYS_sched_getaffinity, SYS_sched_yield, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_restart_syscall,
            SYS_exit, SYS_exit_group,
        ]
        #if arch(x86_64)
            calls.append(SYS_poll)
        #endif
        return calls.map(Int.init)
    }()

    #if arch(x86_64)
        private static let machine: UInt32 = 0xC000_003E
    #elseif arch(arm64)
        private static let machine: UInt32 = 0xC000_00B7
    #else
        /// No numbers are known for it, so nothing is filtered.
        private static let machine: UInt32 = 0
    #endif

    /// Where the kernel shows what was called: the number, the machine, the flags of `openat`.
    private static let places: (number: UInt32, machine: UInt32, flags: UInt32) = (0, 4, 32)
    private static let refuse = UInt32(SECCOMP_RET_ERRNO) | UInt32(EPERM)
    private static let permit = UInt32(SECCOMP_RET_ALLOW)
    private static let changing = UInt32(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)

    static func close() {
        guard machine != 0 else { return }
        var steps = program
        _ = unsafe steps.withUnsafeMutableBufferPointer { steps in
            var program = unsafe sock_fprog(len: UInt16(steps.count), filter: steps.baseAddress)
            return unsafe clinux_filter_calls(&program)
        }
    }

    private static var program: [sock_filter] {
        // Another machine's calls have other numbers; what opens for changing anything is refused.
        var steps = [
            load(places.machine), skipUnless(equal: machine, 1), skip(1), end(refuse),
            load(places.number), skipUnless(equal: UInt32(SYS_openat), 4),
            load(places.flags), skipUnless(anyOf: changing, 1), end(refuse), end(permit),
        ]
        for call in allowed { steps += [skipUnless(equal: UInt32(call), 1), end(permit)] }
        return steps + [end(refuse)]
    }

    private static func load(_ place: UInt32) -> sock_filter { step(BPF_LD | BPF_W | BPF_ABS, place) }

    private static func end(_ verdict: UInt32) -> sock_filter { step(BPF_RET | BPF_K, verdict) }

    private static func skip(_ steps: UInt32) -> sock_filter { step(BPF_JMP | BPF_JA, steps) }

    private static func skipUnless(equal value: UInt32, _ steps: UInt8) -> sock_filter {
        step(BPF_JMP | BPF_JEQ | BPF_K, value, else: steps)
    }

    private static func skipUnless(anyOf bits: UInt32, _ steps: UInt8) -> sock_filter {
        step(BPF_JMP | BPF_JSET | BPF_K, bits, else: steps)
    }

    private static func step(_ code: Int32, _ value: UInt32, else steps: UInt8 = 0) -> sock_filter {
        sock_filter(code: UInt16(code), jt: 0, jf: steps, k: value)
    }
}
