/// A title from a file's name, until the player has read the tags inside.
package enum FileTitle {
    /// The tags that the name tells: a title, and a track number where the name begins with one.
    package static func tags(of path: String) -> Tags {
        let (number, title) = parts(of: stem(path))
        var tags = Tags(title: title)
        tags.track = number
        return tags
    }

    /// The title alone, as `tags(of:)` finds it.
    package static func title(_ path: String) -> String { parts(of: stem(path)).title }

    /// The last path component without its suffix; underscores replace the spaces that some systems refuse.
    private static func stem(_ path: String) -> String {
        var name = path.split(separator: "/").last.map(String.init) ?? ""
        if let suffix = FileName.suffix(of: name), FileName.isAudio(name) { name.removeLast(suffix.count + 1) }
        return name.contains(" ") ? name : String(name.map { $0 == "_" ? " " : $0 })
    }

    /// "01 - Title", "1. Title", "01 Title" and "1-01 Title" begin with a number of the track; "7 Seconds"
    /// and "1999" do not.
    private static func parts(of stem: String) -> (track: Int?, title: String) {
        var rest = Substring(stem)
        // The number of the disc before that of the track.
        if let disc = leadingDigits(rest), disc.count == 1, let dash = rest.dropFirst().first, dash == "-" || dash == ".",
            let track = leadingDigits(rest.dropFirst(2)), track.count == 2
        {
            rest = rest.dropFirst(2)
        }
        guard let digits = leadingDigits(rest), digits.count <= 3 else { return (nil, stem) }
        let behind = rest.dropFirst(digits.count)
        let separators = behind.prefix { " .-\u{2013})".contains($0) }
        let title = behind.dropFirst(separators.count)
        let isMarked = separators.contains { $0 != " " } || (digits.hasPrefix("0") && !separators.isEmpty)
        guard isMarked, !title.isEmpty, let number = Int(digits), number > 0 else { return (nil, stem) }
        return (number, String(title))
    }

    private static func leadingDigits(_ text: Substring) -> Substring? {
        let digits = text.prefix { "0"..."9" ~= $0 }
        return digits.isEmpty ? nil : digits
    }
}
