import Glibc

/// Lets go of code that only starting needed: pages of programs and libraries as they are in their files.
///
/// Loading libmpv's two hundred libraries touches most of their pages once, and the kernel maps sixteen where one is
/// touched. What is used again comes back from the file, sixteen pages at a time; the rest stays away.
package enum LibraryPages {
    /// Reading the list of mappings takes some milliseconds, so this belongs on a thread that may wait.
    package static func release() {
        guard let list = ProcessFigures.text("/proc/self/smaps") else { return }
        for range in unwritten(in: list) {
            // Nothing is lost: every page in it is as in the file, and is read from there when it is needed.
            unsafe madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
    }

    /// Mappings of files that nothing can write to and nothing has written to. One with a page of its own, such as the
    /// tables that the linker fills in, would lose it.
    static func unwritten(in list: String) -> [Range<UInt>] {
        var found: [Range<UInt>] = []
        var candidate: Range<UInt>?
        for line in list.split(separator: "\n") {
            if let mapping = Mapping(line) {
                candidate = mapping.isFixed ? mapping.range : nil
            } else if let range = candidate, line.hasPrefix("Anonymous:") {
                if line.split(separator: " ").dropFirst().first == "0" { found.append(range) }
                candidate = nil
            }
        }
        return found
    }

    /// `start-end rwxp offset device inode path`.
    private struct Mapping {
        let range: Range<UInt>
        /// Private, of a file, and not to be written.
        let isFixed: Bool

        init?(_ line: Substring) {
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard fields.count >= 5, !fields[0].hasSuffix(":") else { return nil }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, ends[0] < ends[1] else { return nil }
            range = ends[0]..<ends[1]
            let rights = fields[1]
            isFixed = rights.hasPrefix("r-") && rights.hasSuffix("p") && fields.count == 6 && fields[5].drop { $0 == " " }.hasPrefix("/")
        }
    }
}
