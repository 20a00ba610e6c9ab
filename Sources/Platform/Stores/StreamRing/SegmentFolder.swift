/// The folder of a station's segments, beside those of other stations. Each file is named after its first position.
import Disk
import Glibc

struct SegmentFolder {
    let path: String

    private static let ending = ".past"
    /// Disk space that is left for other data.
    private static let spareBytes: Int64 = 256 << 20

    init(_ path: String) { self.path = path }

    func path(of first: Int64) -> String {
        let digits = String(first, radix: 16)
        return "\(path)/\(String(repeating: "0", count: 16 - digits.count))\(digits)\(Self.ending)"
    }

    /// Creates the folder, and returns the reason if that fails.
    func make() -> String? {
        for folder in [parent, path] {
            if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST { return Self.reason(errno) }
        }
        return nil
    }

    private var parent: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

    func remove(_ first: Int64) { unsafe unlink(path(of: first)) }

    /// The first positions of the segments, in order.
    func segments() -> [Int64] {
        FolderNames.visible(in: path).compactMap { $0.hasSuffix(Self.ending) ? Int64($0.dropLast(Self.ending.count), radix: 16) : nil }
            .filter { $0 >= 0 }.sorted()
    }

    /// Removes segments of all stations that are older than `seconds`.
    func removeOld(_ seconds: Int64) {
        let oldest = Int64(time(nil)) - seconds
        for name in FolderNames.visible(in: parent) {
            let folder = "\(parent)/\(name)"
            for file in FolderNames.visible(in: folder) where file.hasSuffix(Self.ending) {
                var status = Glibc.stat()
                if unsafe lstat("\(folder)/\(file)", &status) == 0, Int64(status.st_mtim.tv_sec) < oldest {
                    unsafe unlink("\(folder)/\(file)")
                }
            }
            // Stays if it is not empty.
            if folder != path { unsafe rmdir(folder) }
        }
    }

    /// The reason for not writing more: the disk is nearly full.
    var fullness: String? {
        guard let space = DiskSpace(at: path), space.freeBytes < Self.spareBytes else { return nil }
        return "the disk is nearly full"
    }

    var lastReason: String { Self.reason(errno) }

    static func reason(_ cause: Int32) -> String { unsafe String(cString: strerror(cause)) }
}
