import CLinux
import Glibc

/// The C library's allocator: its arenas, its memory figures, and the return of free pages.
///
/// It starts no thread and lends no memory. Any thread may call it. Calls that examine everything lock one arena after the other, so they
/// must not run on the loop.
package enum Allocator {
    /// Limit of arenas. Each allocating thread gets one of its own up to the limit, and an arena retains the memory that its threads have
    /// freed. glibc's limit is eight for each processor, which a hub with players reaches within minutes.
    private static let mostArenas: Int32 = 2
    /// Size above which a block has pages of its own, which are returned when it is freed. By default, glibc raises this limit to the
    /// largest block that was ever freed.
    private static let mappedBytes: Int32 = 128 << 10
    /// Free memory at the end of the heap that is retained.
    private static let storedBytes: Int32 = 1 << 20

    package struct Figures: Sendable {
        /// Memory that the arenas have taken from the system.
        package var heap: Int
        /// Memory of blocks with pages of their own.
        package var mapped: Int
        /// Used and free memory of the arenas. Free pages that were returned to the system count as free too.
        package var used: Int
        package var free: Int
    }

    /// Called once, before there is a second thread.
    package static func configure() {
        mallopt(M_ARENA_MAX, mostArenas)
        mallopt(M_MMAP_THRESHOLD, mappedBytes)
        mallopt(M_TRIM_THRESHOLD, storedBytes)
    }

    package static var figures: Figures {
        let info = mallinfo2()
        return Figures(heap: Int(info.arena), mapped: Int(info.hblkhd), used: Int(info.uordblks), free: Int(info.fordblks))
    }

    /// Returns every page without used memory to the system.
    package static func returnFreePages() { malloc_trim(0) }
}
