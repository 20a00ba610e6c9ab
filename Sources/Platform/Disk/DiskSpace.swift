import Glibc

/// Size of the disk of a file or folder, and the space that programs may still use; the system reserves a part for its administrator.
package struct DiskSpace: Equatable, Sendable {
    package var freeBytes: Int64
    package var totalBytes: Int64

    /// `nil` if nothing exists at that path.
    package init?(at path: String) {
        var figures = statvfs()
        guard unsafe statvfs(path, &figures) == 0 else { return nil }
        let block = Int64(clamping: figures.f_frsize)
        freeBytes = Int64(clamping: figures.f_bavail) * block
        totalBytes = Int64(clamping: figures.f_blocks) * block
    }
}
