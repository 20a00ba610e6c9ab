import BatonCore
import BatonProtocol
import Glibc

/// A playlist file on this machine, in the format of its suffix. Its paths are relative to its folder.
struct PlaylistFile {
    enum Form: String, CaseIterable {
        case m3u8, m3u, pls, jspf

        init(path: String) throws(Stop) {
            let suffix = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
            guard path.contains("."), let form = Form(rawValue: suffix) else {
                throw Stop(.usage, "“\(path)” does not say what form it has. Name it .m3u8 or .jspf; .m3u and .pls are read too.")
            }
            self = form
        }
    }

    let path: String
    let form: Form
    private static let largest = 16 << 20
    private static let mostEntries = WireLimits.standard.playlistLength

    init(_ path: String) throws(Stop) {
        self.path = path
        form = try Form(path: path)
    }

    // MARK: Reading

    /// Refuses a list with more entries than a playlist of the hub holds, before the hub is asked about each.
    func read() throws(Stop) -> PlaylistText {
        let list = try parsed(try Self.bytes(of: path, atMost: Self.largest))
        guard list.entries.count <= Self.mostEntries else {
            throw Stop(
                .refused,
                "\(path) has \(list.entries.count) entries, and a playlist of the hub holds at most \(Self.mostEntries). Import it in parts."
            )
        }
        return list
    }

    private func parsed(_ bytes: [UInt8]) throws(Stop) -> PlaylistText {
        switch form {
        case .m3u8, .m3u: return PlaylistText(m3u: PlaylistText.text(of: bytes))
        case .pls: return PlaylistText(pls: PlaylistText.text(of: bytes))
        case .jspf:
            do { return try JSPF.read(bytes) } catch { throw Stop(.refused, "\(path) is no playlist in JSON (JSPF): \(error.sentence)") }
        }
    }

    /// Reads a whole file.
    static func bytes(of path: String, atMost largest: Int) throws(Stop) -> [UInt8] {
        guard let file = fopen(path, "r") else { throw Stop(.refused, "\(path) cannot be read: \(String(cString: strerror(errno))).") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= largest {
            let count = fread(&piece, 1, piece.count, file)
            if count == 0 {
                guard ferror(file) == 0 else { throw Stop(.refused, "\(path) cannot be read.") }
                return bytes
            }
            bytes += piece.prefix(count)
        }
        throw Stop(.refused, "\(path) is larger than \(largest >> 20) MiB, which no playlist is.")
    }

    /// The URIs to try for an entry: the item that Baton wrote, and the name read relative to the folder of the file.
    func candidates(_ entry: PlaylistText.Entry) -> [String] {
        ([entry.item] + [target(entry.name)]).compactMap { $0 }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private func target(_ name: String) -> String? {
        if name.isEmpty { return nil }
        if FileURL.isOne(name) { return FileURL.path(of: name) }
        if isItem(name) { return name }
        // JSPF names are addresses, in which a path is percent-encoded.
        let path =
            form == .jspf ? PercentText.decoded(name) ?? name : name.contains("/") ? name : String(name.map { $0 == "\\" ? "/" : $0 })
        return path.hasPrefix("/") ? path : folder + path
    }

    /// Whether the name is an item of the hub or an address. A path may contain a colon, but does not begin with a
    /// scheme.
    private func isItem(_ name: String) -> Bool {
        guard let colon = name.firstIndex(of: ":"), name[..<colon].utf8.count > 1 else { return false }
        let isScheme = name[..<colon].utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        return isScheme && (name[colon...].hasPrefix("://") || ItemURI.usualSources.contains(name[..<colon].lowercased()))
    }

    /// The absolute path of the folder, with a slash at the end.
    private var folder: String {
        let absolute = path.hasPrefix("/") ? path : Self.here + "/" + path
        return String(absolute[...(absolute.lastIndex(of: "/") ?? absolute.startIndex)])
    }

    private static var here: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }

    // MARK: Writing

    /// Files below the list's own folder get relative names, so that the folder can be moved as a whole.
    func text(of list: PlaylistText) throws(Stop) -> String {
        let folder = folder
        var list = list
        for index in list.entries.indices where list.entries[index].name.hasPrefix(folder) {
            list.entries[index].name = String(list.entries[index].name.dropFirst(folder.count))
        }
        switch form {
        case .m3u8, .m3u: return list.m3u
        case .jspf: return JSPF.text(of: list)
        case .pls: throw Stop(.usage, "Playlists are written as .m3u8 or .jspf.")
        }
    }

    /// Writes another file and renames it, so that the old list stays when writing fails.
    func write(_ list: PlaylistText) throws(Stop) { try Self.write(try text(of: list), to: path) }

    /// Writes any text in the same way.
    static func write(_ text: String, to path: String) throws(Stop) {
        let text = Array(text.utf8)
        let draft = "\(path).\(getpid())"
        guard let file = fopen(draft, "w") else { throw Stop(.refused, "\(path) cannot be written: \(String(cString: strerror(errno))).") }
        let whole = fwrite(text, 1, text.count, file) == text.count
        let closed = fclose(file) == 0
        guard whole, closed, rename(draft, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(draft)
            throw Stop(.refused, "\(path) cannot be written: \(reason).")
        }
    }
}
