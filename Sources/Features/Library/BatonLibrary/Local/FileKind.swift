/// The type of the file at a path.
import Glibc

enum FileKind {
    case file, folder, other

    /// The type after symlinks are followed; `nil` if nothing is there.
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
    /// The path with every symlink and `..` resolved; `nil` with `errno` set if a part of it is missing.
    static func of(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(validatingCString: found)
    }

    /// The parent folder; `nil` for a bare name.
    static func folder(of path: String) -> String? {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
    }

    /// Whether a real path equals one of these folders or is below one.
    static func isBelow(_ folders: [String], _ real: String) -> Bool {
        folders.contains { folder in real == folder || real.hasPrefix(folder == "/" ? "/" : folder + "/") }
    }

    /// The real path of the longest part that exists, with the rest appended as written. If the rest contains `..`,
    /// the target is unknown, so the root is returned.
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

    /// A path normalised without asking the disk, which may not respond. If it contains `..`, the target is unknown,
    /// so the root is returned.
    static func named(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        return parts.contains("..") ? "/" : "/" + parts.joined(separator: "/")
    }
}
