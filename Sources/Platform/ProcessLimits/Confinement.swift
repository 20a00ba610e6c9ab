import CLinux
import Glibc

/// What a program takes from itself before it looks at anything that came from elsewhere, so that input which takes it over
/// has won as little as can be.
package enum Confinement {
    /// How much memory the program may want beyond what its libraries take.
    private static let memory: UInt64 = 512 << 20

    /// What is left to a program once it is confined.
    package enum Rights {
        /// It answers through what is open.
        case reading
        /// It also fills files that it has opened before, up to so many bytes each, and renames them in one folder.
        case filling(bytes: UInt64, folder: Int32)

        fileprivate var calls: [String] {
            switch self {
            case .reading: []
            case .filling: ["writev", "pwrite64", "fsync", "fcntl", "dup", "renameat", "renameat2", "sigaltstack"]
            }
        }

        fileprivate var fileBytes: UInt64 { if case .filling(let bytes, _) = self { bytes } else { 0 } }
    }

    /// Behind the hub and its players, and gone when the hub is.
    package static func lower() {
        endWithParent()
        behind()
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Gone when the thread that started it is: a program that a killed hub has left would write what the next hub does not expect.
    package static func endWithParent() { _ = clinux_end_with_parent(SIGKILL) }

    /// Behind the hub and its players.
    package static func behind() {
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        _ = clinux_read_disk_last()
    }

    /// No files opened, no traces of memory left, no more rights by starting other programs, no network.
    package static func close(_ rights: Rights = .reading) {
        limit(RLIMIT_FSIZE, to: rights.fileBytes)
        limit(RLIMIT_CORE, to: 0)
        limit(RLIMIT_AS, to: memoryInUse + memory)
        _ = clinux_no_new_rights()
        // The filter of calls cannot see paths, so Landlock keeps renaming in the folder. A kernel without Landlock has the filter alone.
        if case .filling(_, let folder) = rights { _ = clinux_only_below(folder) }
        CallFilter.close(allowing: rights.calls)
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
