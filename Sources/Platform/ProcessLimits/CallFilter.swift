import CSeccomp

/// The system calls that a confined program may still make once it has started: reading and writing open files, memory, and its own end. It
/// cannot open files, create sockets, start programs or access other processes.
///
/// Any other call fails with “not permitted” and does not end the program, since a library may merely be probing. The kernel checks every
/// call; the filter cannot be removed.
enum CallFilter {
    /// Calls by name, since the numbers differ between machines. Calls that a machine lacks are skipped.
    private static let allowed = [
        "read", "write", "pread64", "recvmsg", "close", "fstat", "newfstatat", "lseek", "poll", "ppoll", "mmap", "munmap", "mprotect",
        "mremap", "madvise", "brk", "futex", "getrandom", "clock_gettime", "gettimeofday", "sched_getaffinity", "sched_yield",
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "restart_syscall", "exit", "exit_group",
    ]

    /// Installs the filter. Calls of another architecture, which have other numbers, end the program.
    static func close(allowing more: [String]) {
        guard let filter = unsafe seccomp_init(baton_seccomp_refuse()) else { return }
        defer { unsafe seccomp_release(filter) }
        for call in allowed + more { _ = unsafe baton_seccomp_allow(filter, seccomp_syscall_resolve_name(call)) }
        unsafe seccomp_load(filter)
    }
}
