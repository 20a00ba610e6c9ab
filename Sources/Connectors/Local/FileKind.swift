/// What a path is, as far as the system tells.
import Glibc

enum FileKind {
    case file, folder, other

    /// Follows symlinks; nothing when there is nothing.
    static func of(_ path: String) -> FileKind? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .other
        }
    }
}

enum RealPath {
    /// Every symlink and `..` followed; nothing when something on the way is missing, with `errno` set.
    static func of(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(validatingCString: found)
    }

    /// The folder that a path lies in; `nil` for a mere name.
    static func folder(of path: String) -> String? {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
    }

    /// Whether a real path is one of these, or below one.
    static func isBelow(_ folders: [String], _ real: String) -> Bool {
        folders.contains { folder in real == folder || real.hasPrefix(folder == "/" ? "/" : folder + "/") }
    }

    /// The same for a path whose end is missing: what exists is followed, the rest is taken by its
    /// words. Where the rest climbs with `..`, the target is unknown, so the root is returned.
    static func ofWhatExists(_ path: String) -> String {
        var head = path.split(separator: "/").map(String.init)
        var tail: [String] = []
        while let last = head.popLast() {
            tail.insert(last, at: 0)
            guard let real = of("/" + head.joined(separator: "/")) else { continue }
            return tail.contains("..") ? "/" : (real == "/" ? "" : real) + "/" + tail.joined(separator: "/")
        }
        return "/"
    }

    /// A path by its words alone, for a disk that cannot be asked. One that climbs with `..` may lead anywhere, so the root is returned.
    static func named(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        return parts.contains("..") ? "/" : "/" + parts.joined(separator: "/")
    }
}
