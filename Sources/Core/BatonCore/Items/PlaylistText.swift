/// The text of a playlist file: the entries, and their descriptions. `.m3u`, `.m3u8` and `.pls` are read, and `.m3u8` is written.
///
/// Names stay as they are written. The caller knows where the file is, and decides whether a name is a path, an address or an item, and what a
/// relative one refers to.
package struct PlaylistText: Equatable, Sendable {
    /// A line of the file that names something to play, with what the lines before it say.
    package struct Entry: Equatable, Sendable {
        /// The path, address or item URI as the file has it.
        package var name: String
        /// The item URI in our own lists, beside a name that other programs understand.
        package var item: String?
        /// The playlist's description of the entry.
        package var tags: Tags?

        package init(_ name: String, item: String? = nil, tags: Tags? = nil) {
            self.name = name
            self.item = item
            self.tags = tags
        }
    }

    /// The title of the list.
    package var title: String?
    /// The entries in the order of the file.
    package var entries: [Entry]

    package init(title: String? = nil, _ entries: [Entry] = []) {
        self.title = title
        self.entries = entries
    }

    /// Decodes UTF-8 with or without a byte order mark, else Latin-1, in which every byte is a character.
    package static func text(of bytes: [UInt8]) -> String {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        if let text = String(validating: body, as: UTF8.self) { return text }
        var text = ""
        for byte in body { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }

    private static func lines(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: true) { $0.isNewline }.map(trimmed).filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }

    /// Reads "Artist - Title", the form of both formats.
    private static func tags(_ words: String, seconds: Int?) -> Tags? {
        guard !words.isEmpty else { return nil }
        let durationMs = seconds.flatMap { (1...1_000_000).contains($0) ? Milliseconds.seconds($0) : nil }
        guard let dash = words.firstRange(of: " - ") else { return Tags(title: words, durationMs: durationMs) }
        return Tags(
            title: String(words[dash.upperBound...]), artists: [String(words[..<dash.lowerBound])], durationMs: durationMs)
    }
}

// MARK: M3U

extension PlaylistText {
    private static let about = "#EXTINF:"
    private static let named = "#PLAYLIST:"
    /// Our own extension; a comment to other programs.
    private static let item = "#BATON-ITEM:"

    /// Reads an M3U file; lines that it does not understand are skipped.
    package init(m3u text: String) {
        self.init()
        var tags: Tags?
        var item: String?
        for line in Self.lines(text) {
            if line.hasPrefix(Self.about) {
                tags = Self.described(line.dropFirst(Self.about.count))
            } else if line.hasPrefix(Self.item) {
                item = Self.trimmed(line.dropFirst(Self.item.count))
            } else if line.hasPrefix(Self.named) {
                title = Self.trimmed(line.dropFirst(Self.named.count))
            } else if !line.hasPrefix("#") {
                entries.append(Entry(line, item: item, tags: tags))
                tags = nil
                item = nil
            }
        }
    }

    /// Reads `123,Artist - Title`; attributes may follow the seconds.
    private static func described(_ text: Substring) -> Tags? {
        guard let comma = text.firstIndex(of: ",") else { return nil }
        let seconds = Int(text.prefix { "0"..."9" ~= $0 || $0 == "-" })
        return tags(trimmed(text[text.index(after: comma)...]), seconds: seconds)
    }

    /// The list in M3U form for other programs.
    package var m3u: String {
        var lines = ["#EXTM3U"]
        if let title { lines.append(Self.named + Self.onOneLine(title)) }
        for entry in entries {
            if let tags = entry.tags {
                let seconds = tags.durationMs.map { (Int($0) + 500) / 1000 } ?? -1
                let words = (tags.artists.isEmpty ? "" : tags.artists.joined(separator: ", ") + " - ") + tags.title
                lines.append("\(Self.about)\(seconds),\(Self.onOneLine(words))")
            }
            if let item = entry.item, item != entry.name { lines.append(Self.item + item) }
            lines.append(entry.name)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A line break in a title would make the rest a name.
    private static func onOneLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
}

// MARK: PLS

extension PlaylistText {
    /// Reads a PLS file. Entries come in the order of their numbers, which need not be that of the lines.
    package init(pls text: String) {
        var names: [Int: String] = [:]
        var titles: [Int: String] = [:]
        var lengths: [Int: Int] = [:]
        for line in Self.lines(text) {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let key = Self.trimmed(line[..<equals]).lowercased()
            let value = Self.trimmed(line[line.index(after: equals)...])
            if let number = Int(key.dropFirst(4)), key.hasPrefix("file") { names[number] = value }
            if let number = Int(key.dropFirst(5)), key.hasPrefix("title") { titles[number] = value }
            if let number = Int(key.dropFirst(6)), key.hasPrefix("length") { lengths[number] = Int(value) }
        }
        self.init(
            names.keys.sorted().map { number in
                Entry(names[number] ?? "", tags: Self.tags(titles[number] ?? "", seconds: lengths[number]))
            })
    }
}
