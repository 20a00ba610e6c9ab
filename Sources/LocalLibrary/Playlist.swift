/// A playlist file: `.m3u`, `.m3u8` or `.pls`, as the entries it names.
///
/// The hub reads playlists itself and hands single files to the player, so that a playlist cannot lead
/// the player anywhere a remote may not go.
import BatonCore
import BatonSeams
import Glibc

struct Playlist: Equatable {
    struct Entry: Equatable {
        enum Target: Equatable {
            /// Absolute.
            case path(String)
            case url(String)
        }

        var target: Target
        /// What the playlist itself says about it.
        var tags: Tags?
    }

    var entries: [Entry]

    static let largest = 4 << 20

    static func recognises(_ path: String) -> Bool { ["m3u", "m3u8", "pls"].contains(FileKind.suffix(of: path)) }

    static func read(_ path: String) throws(SourceFault) -> Playlist {
        let folder = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
        let text = text(of: try bytes(of: path))
        // A list of pieces of one recording, for players that stream; the pieces are no tracks.
        if text.contains("#EXT-X-") { throw SourceFault(.unsupported, "\(path) is a stream in pieces (HLS), not a playlist of tracks.") }
        let reader = FileKind.suffix(of: path) == "pls" ? PLS.entries : M3U.entries
        return Playlist(entries: reader(text, folder))
    }

    /// Nothing for an address that is neither a file nor http.
    static func target(_ named: String, in folder: String) -> Entry.Target? {
        if WebAddresses.scheme(of: named) != nil { return .url(named) }
        if named.prefix(7).lowercased() == "file://" { return (try? FileURI.path(of: ItemURI(named))).map { .path($0) } }
        if named.contains("://") { return nil }
        // Written on a system with the other slash.
        let path = named.contains("/") ? named : String(named.map { $0 == "\\" ? "/" : $0 })
        return .path(path.hasPrefix("/") ? path : (folder == "/" ? "" : folder) + "/" + path)
    }

    /// UTF-8 with or without its mark; else Latin-1, in which every byte is a character.
    static func text(of bytes: [UInt8]) -> String {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        if let text = String(validating: body, as: UTF8.self) { return text }
        var text = ""
        for byte in body { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }

    static func lines(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: true) { $0.isNewline }.map(trimmed).filter { !$0.isEmpty }
    }

    static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }

    /// "Artist - Title" as both formats write it.
    static func tags(_ words: String, seconds: Int?) -> Tags? {
        guard !words.isEmpty else { return nil }
        let durationMs = seconds.flatMap { (1...1_000_000).contains($0) ? $0 * 1000 : nil }
        guard let dash = words.firstRange(of: " - ") else { return Tags(title: words, durationMs: durationMs) }
        return Tags(
            title: String(words[dash.upperBound...]), artists: [String(words[..<dash.lowerBound])], durationMs: durationMs)
    }

    private static func bytes(of path: String) throws(SourceFault) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(path, errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= largest {
            let got = Glibc.read(file, &piece, piece.count)
            guard got >= 0 else { throw .unreadable(path, errno) }
            if got == 0 { return bytes }
            bytes += piece.prefix(got)
        }
        throw SourceFault(.tooLarge, "The playlist \(path) is larger than \(largest >> 20) MiB.")
    }
}

private enum M3U {
    static func entries(_ text: String, _ folder: String) -> [Playlist.Entry] {
        var entries: [Playlist.Entry] = []
        var tags: Tags?
        for line in Playlist.lines(text) {
            if line.hasPrefix("#EXTINF:") {
                tags = described(line.dropFirst("#EXTINF:".count))
            } else if !line.hasPrefix("#") {
                if let target = Playlist.target(line, in: folder) { entries.append(Playlist.Entry(target: target, tags: tags)) }
                tags = nil
            }
        }
        return entries
    }

    /// `123,Artist - Title`; attributes may stand behind the seconds.
    private static func described(_ text: Substring) -> Tags? {
        guard let comma = text.firstIndex(of: ",") else { return nil }
        let seconds = Int(text.prefix { "0"..."9" ~= $0 || $0 == "-" })
        return Playlist.tags(Playlist.trimmed(text[text.index(after: comma)...]), seconds: seconds)
    }
}

private enum PLS {
    static func entries(_ text: String, _ folder: String) -> [Playlist.Entry] {
        var files: [Int: String] = [:]
        var titles: [Int: String] = [:]
        var lengths: [Int: Int] = [:]
        for line in Playlist.lines(text) {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let name = Playlist.trimmed(line[..<equals]).lowercased()
            let value = Playlist.trimmed(line[line.index(after: equals)...])
            if let number = Int(name.dropFirst(4)), name.hasPrefix("file") { files[number] = value }
            if let number = Int(name.dropFirst(5)), name.hasPrefix("title") { titles[number] = value }
            if let number = Int(name.dropFirst(6)), name.hasPrefix("length") { lengths[number] = Int(value) }
        }
        return files.keys.sorted().compactMap { number in
            Playlist.target(files[number] ?? "", in: folder).map { target in
                Playlist.Entry(target: target, tags: Playlist.tags(titles[number] ?? "", seconds: lengths[number]))
            }
        }
    }
}
