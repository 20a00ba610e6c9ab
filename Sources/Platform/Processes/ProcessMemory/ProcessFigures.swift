import Glibc

/// The kernel's figures for this process.
package struct ProcessFigures: Sendable, Equatable {
    /// Memory in use, including shared libraries.
    package var residentBytes: Int
    /// The part that belongs to no file: heap, stacks, and modified pages of libraries.
    package var ownBytes: Int
    package var threads: Int

    /// `nil` if `/proc` is not mounted.
    package static var now: ProcessFigures? {
        guard let pages = numbers(in: "/proc/self/statm"), pages.count > 2 else { return nil }
        let size = Int(getpagesize())
        // The name in front may contain any character, but the last parenthesis ends it. Field 20 is the 18th behind it.
        guard let status = text("/proc/self/stat"), let end = status.lastIndex(of: ")") else { return nil }
        let fields = status[status.index(after: end)...].split(separator: " ")
        guard fields.count > 17, let threads = Int(fields[17]) else { return nil }
        return ProcessFigures(residentBytes: pages[1] * size, ownBytes: (pages[1] - pages[2]) * size, threads: threads)
    }

    private static func numbers(in path: String) -> [Int]? {
        text(path)?.split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
    }

    static func text(_ path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            all += piece[..<count]
        }
        return String(decoding: all, as: UTF8.self)
    }
}
