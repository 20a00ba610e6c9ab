import CLinux
import Glibc

/// What a reader takes from itself before it looks at the first file, so that a file which takes it over
/// has won as little as can be.
package enum Confinement {
    /// How much memory a reader may want beyond what its libraries take.
    private static let memory: UInt64 = 512 << 20

    /// Behind the hub and its players, and gone when the hub is.
    package static func lower() {
        _ = clinux_end_with_parent(SIGKILL)
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        _ = clinux_read_disk_last()
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// No files written, no traces of memory left, no more rights by starting other programs, no network.
    package static func close() {
        limit(RLIMIT_FSIZE, to: 0)
        limit(RLIMIT_CORE, to: 0)
        limit(RLIMIT_AS, to: memoryInUse + memory)
        _ = clinux_no_new_rights()
        CallFilter.close()
    }

    private static func limit(_ what: __rlimit_resource, to most: UInt64) {
        var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
        _ = unsafe setrlimit(__rlimit_resource_t(what.rawValue), &limit)
    }

    /// Addresses that are taken already; most of them by libraries.
    private static var memoryInUse: UInt64 {
        let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 512 << 20 }
        defer { Glibc.close(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = unsafe read(file, &text, text.count)
        let pages = text.prefix(max(0, count)).prefix { $0 != UInt8(ascii: " ") }
        return (UInt64(String(decoding: pages, as: UTF8.self)) ?? 131_072) * UInt64(getpagesize())
    }
}
