import Glibc

/// How large the disk is on which a file or folder lies, and what of it programs may still fill: the system keeps a part for its administrator.
package struct DiskSpace: Equatable, Sendable {
    package var freeBytes: Int64
    package var totalBytes: Int64

    /// `nil` where nothing lies at that path.
    package init?(at path: String) {
        var figures = statvfs()
        guard unsafe statvfs(path, &figures) == 0 else { return nil }
        let block = Int64(clamping: figures.f_frsize)
        freeBytes = Int64(clamping: figures.f_bavail) * block
        totalBytes = Int64(clamping: figures.f_blocks) * block
    }
}
