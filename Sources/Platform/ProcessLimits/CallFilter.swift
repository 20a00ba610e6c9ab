import CSeccomp

/// The system calls that a confined program may still make once it has begun: reading and writing what is open, memory, its own end.
/// No file is opened, for no purpose. No sockets, no programs, no other processes.
///
/// Any other call fails with “not permitted” rather than ending the program, since a library may merely be
/// asking. The kernel checks every call; the filter cannot be taken back.
enum CallFilter {
    /// By name, since the numbers differ between machines. A machine that has no such call has none to allow.
    private static let allowed = [
        "read", "write", "pread64", "recvmsg", "close", "fstat", "newfstatat", "lseek", "poll", "ppoll", "mmap", "munmap", "mprotect",
        "mremap", "madvise", "brk", "futex", "getrandom", "clock_gettime", "gettimeofday", "sched_getaffinity", "sched_yield",
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "restart_syscall", "exit", "exit_group",
    ]

    /// Calls of another machine's kind, which have other numbers, end the program.
    static func close(allowing more: [String]) {
        guard let filter = unsafe seccomp_init(baton_seccomp_refuse()) else { return }
        defer { unsafe seccomp_release(filter) }
        for call in allowed + more { _ = unsafe baton_seccomp_allow(filter, seccomp_syscall_resolve_name(call)) }
        unsafe seccomp_load(filter)
    }
}
