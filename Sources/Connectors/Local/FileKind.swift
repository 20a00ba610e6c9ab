/// What a path is, as far as the system and its name tell.
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

    static func isAudio(_ path: String) -> Bool { suffix(of: path).map(audio.contains) ?? false }

    /// In lower case; nothing for a name that only begins with its dot.
    static func suffix(of path: String) -> String? {
        let name = name(in: path)
        return dot(in: name).map { name[name.utf8.index(after: $0)...].lowercased() }
    }

    /// The last name without its suffix.
    static func stem(of path: String) -> String {
        let name = name(in: path)
        return dot(in: name).map { String(name[..<$0]) } ?? String(name)
    }

    // By bytes, since every file of a library is asked for its suffix a few times.

    private static func name(in path: String) -> Substring {
        var rest = path[...]
        while rest.utf8.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        return rest.utf8.lastIndex(of: UInt8(ascii: "/")).map { rest[rest.utf8.index(after: $0)...] } ?? rest
    }

    private static func dot(in name: Substring) -> Substring.Index? {
        name.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name.startIndex ? $0 : nil }
    }

    /// What libmpv decodes and people keep as music. Containers that usually hold films are left to
    /// those who name them.
    private static let audio: Set<String> = [
        "aac", "ac3", "aif", "aifc", "aiff", "alac", "amr", "ape", "au", "caf", "dff", "dsf", "dts", "flac", "it", "m4a", "m4b", "mka",
        "mod", "mp1", "mp2", "mp3", "mp4", "mpc", "oga", "ogg", "opus", "ra", "s3m", "shn", "snd", "spx", "tak", "tta", "w64", "wav",
        "weba", "webm", "wma", "wv", "xm",
    ]
}

enum RealPath {
    /// Every symlink and `..` followed; nothing when something on the way is missing, with `errno` set.
    static func of(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(validatingCString: found)
    }

    /// Whether a real path is one of these, or below one.
    static func isBelow(_ folders: [String], _ real: String) -> Bool {
        folders.contains { folder in real == folder || real.hasPrefix(folder == "/" ? "/" : folder + "/") }
    }

    /// The same for a path whose end is missing: what exists is followed, the rest is taken by its
    /// words. Where the rest climbs with `..`, nobody knows where it leads, so that leads to the root.
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
}
