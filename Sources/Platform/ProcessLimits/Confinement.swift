import CLinux
import Glibc

/// Limits that a program imposes on itself before it reads any foreign data, so that malicious input which takes it over can do little.
package enum Confinement {
    /// Memory for the program beyond that of its libraries.
    private static let memory: UInt64 = 512 << 20

    /// The rights of a program after its confinement.
    package enum Rights {
        /// Reading and answering through descriptors that are already open.
        case reading
        /// Also writing to files that are already open, with a size limit for each, and renaming them in one folder.
        case filling(bytes: UInt64, folder: Int32)

        fileprivate var calls: [String] {
            switch self {
            case .reading: []
            case .filling: ["writev", "pwrite64", "fsync", "fcntl", "dup", "renameat", "renameat2", "sigaltstack"]
            }
        }

        fileprivate var fileBytes: UInt64 { if case .filling(let bytes, _) = self { bytes } else { 0 } }
    }

    /// Gives precedence to the hub and its players, and ends the program together with the hub.
    package static func lower() {
        endWithParent()
        behind()
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Ends the program with the thread that started it. Otherwise a program of a killed hub could write files that the next hub does not
    /// expect.
    package static func endWithParent() { _ = clinux_end_with_parent(SIGKILL) }

    /// Gives precedence to the hub and its players.
    package static func behind() {
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        _ = clinux_read_disk_last()
    }

    /// Forbids opening files, leaving memory dumps, gaining rights through other programs, and the network.
    package static func close(_ rights: Rights = .reading) {
        limit(RLIMIT_FSIZE, to: rights.fileBytes)
        limit(RLIMIT_CORE, to: 0)
        limit(RLIMIT_AS, to: memoryInUse + memory)
        _ = clinux_no_new_rights()
        // The filter of system calls cannot see paths, so Landlock restricts renaming to the folder. A kernel without Landlock has only the
        // filter.
        if case .filling(_, let folder) = rights { _ = clinux_only_below(folder) }
        CallFilter.close(allowing: rights.calls)
    }

    private static func limit(_ what: __rlimit_resource, to most: UInt64) {
        var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
        _ = unsafe setrlimit(__rlimit_resource_t(what.rawValue), &limit)
    }

    /// Address space in use, most of it by libraries.
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
