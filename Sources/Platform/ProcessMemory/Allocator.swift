import CLinux
import Glibc

/// The C library's allocator: how it shares memory among threads, what it holds, and how free pages go back.
///
/// It starts no thread and lends nothing. Every call may be made from any thread; those that look at
/// everything hold the lock of one arena after the other, so they belong off the loop where a moment counts.
package enum Allocator {
    /// Each thread that allocates gets an arena of its own until there are so many, and an arena keeps what its
    /// threads have freed. glibc allows eight for each processor, which a hub with players fills within minutes.
    private static let mostArenas: Int32 = 2
    /// Blocks above this size have pages of their own, and return them when they are freed. Left alone, glibc raises
    /// the limit to the largest block that was ever freed.
    private static let mappedBytes: Int32 = 128 << 10
    /// Free memory at the end of the heap that is kept.
    private static let keptBytes: Int32 = 1 << 20

    package struct Figures: Sendable {
        /// What the arenas have taken from the system.
        package var heap: Int
        /// Blocks with pages of their own.
        package var mapped: Int
        /// Of the arenas: in use, and free. Free pages that went back to the system count as free all the same.
        package var used: Int
        package var free: Int
    }

    /// Once, before there is a second thread.
    package static func configure() {
        mallopt(M_ARENA_MAX, mostArenas)
        mallopt(M_MMAP_THRESHOLD, mappedBytes)
        mallopt(M_TRIM_THRESHOLD, keptBytes)
    }

    package static var figures: Figures {
        let info = mallinfo2()
        return Figures(heap: Int(info.arena), mapped: Int(info.hblkhd), used: Int(info.uordblks), free: Int(info.fordblks))
    }

    /// Gives every page back on which nothing lies.
    package static func returnFreePages() { malloc_trim(0) }
}
