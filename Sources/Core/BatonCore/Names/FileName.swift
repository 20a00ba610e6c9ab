/// Facts about a file from its name alone: its suffix, and whether it is music.
package enum FileName {
    /// True when the suffix is one of a music format; nothing is read.
    package static func isAudio(_ path: String) -> Bool { suffix(of: path).map(audio.contains) ?? false }

    /// The suffix in lower case; `nil` for a name whose only dot is its first character.
    package static func suffix(of path: String) -> String? {
        let name = name(in: path)
        return dot(in: name).map { name[name.utf8.index(after: $0)...].lowercased() }
    }

    /// The last name without its suffix.
    package static func stem(of path: String) -> String {
        let name = name(in: path)
        return dot(in: name).map { String(name[..<$0]) } ?? String(name)
    }

    // Works on bytes, because a scan asks for the suffix of every file several times.

    private static func name(in path: String) -> Substring {
        var rest = path[...]
        while rest.utf8.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        return rest.utf8.lastIndex(of: UInt8(ascii: "/")).map { rest[rest.utf8.index(after: $0)...] } ?? rest
    }

    private static func dot(in name: Substring) -> Substring.Index? {
        name.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name.startIndex ? $0 : nil }
    }

    /// Formats that libmpv decodes and that people keep as music. Containers that usually hold films are left out.
    private static let audio: Set<String> = [
        "aac", "ac3", "aif", "aifc", "aiff", "alac", "amr", "ape", "au", "caf", "dff", "dsf", "dts", "flac", "it", "m4a", "m4b", "mka",
        "mod", "mp1", "mp2", "mp3", "mp4", "mpc", "oga", "ogg", "opus", "ra", "s3m", "shn", "snd", "spx", "tak", "tta", "w64", "wav",
        "weba", "webm", "wma", "wv", "xm",
    ]
}
