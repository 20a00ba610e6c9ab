import Disk
import Glibc

/// The memory of a program and its child processes. The kernel limits each process separately, so the sum is computed here.
enum UsedMemory {
    /// Limit of processes, above all others, so that the walk ends even if processes change meanwhile.
    private static let mostProcesses = 4096

    static func bytes(of program: pid_t) -> Int64 {
        var waiting = [program]
        var kilobytes: Int64 = 0
        var seen = 0
        while let process = waiting.popLast(), seen < mostProcesses {
            seen += 1
            kilobytes += own(process)
            for task in FolderNames.all(in: "/proc/\(process)/task") {
                waiting += text("/proc/\(process)/task/\(task)/children").split(separator: " ").compactMap { pid_t($0) }
            }
        }
        return kilobytes * 1024
    }

    /// Memory that belongs to no file on a disk, in KiB.
    private static func own(_ process: pid_t) -> Int64 {
        text("/proc/\(process)/status").split(separator: "\n").filter { $0.hasPrefix("RssAnon:") || $0.hasPrefix("RssShmem:") }
            .reduce(0) { $0 + ($1.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int64($0) } ?? 0) }
    }

    private static func text(_ path: String) -> String {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = unsafe read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
