/// A playlist file: `.m3u`, `.m3u8` or `.pls`, as the entries it names.
///
/// The hub parses playlists itself and gives the player single files, so that a playlist cannot open files that the
/// remote may not reach.
import BatonCore
import BatonSeams

struct Playlist: Equatable {
    struct Entry: Equatable {
        enum Target: Equatable {
            /// An absolute path.
            case path(String)
            case url(String)
        }

        var target: Target
        /// Tags that the playlist gives for the entry.
        var tags: Tags?
    }

    var entries: [Entry]

    static let largest = 4 << 20

    static func recognises(_ path: String) -> Bool { ["m3u", "m3u8", "pls"].contains(FileName.suffix(of: path)) }

    /// Parses a playlist. Its relative names are resolved against the folder of the real path `path`.
    static func read(_ path: String, _ file: any FileRange) throws(SourceFault) -> Playlist {
        let folder = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
        let text = PlaylistText.text(of: try bytes(of: path, file))
        // HLS playlists list segments of one recording, which are no tracks.
        if text.contains("#EXT-X-") { throw SourceFault(.unsupported, "\(path) is a stream in pieces (HLS), not a playlist of tracks.") }
        let list = FileName.suffix(of: path) == "pls" ? PlaylistText(pls: text) : PlaylistText(m3u: text)
        return Playlist(
            entries: list.entries.compactMap { entry in
                target(entry.name, in: folder).map { Entry(target: $0, tags: entry.tags) }
            })
    }

    /// The target of an entry; `nil` for addresses that are neither a file nor http.
    static func target(_ named: String, in folder: String) -> Entry.Target? {
        if WebAddress.scheme(of: named) != nil { return .url(named) }
        if FileURL.isOne(named) { return (try? FileURI.path(of: ItemURI(named))).map { .path($0) } }
        if named.contains("://") { return nil }
        // Playlists from Windows use backslashes.
        let path = named.contains("/") ? named : String(named.map { $0 == "\\" ? "/" : $0 })
        return .path(path.hasPrefix("/") ? path : (folder == "/" ? "" : folder) + "/" + path)
    }

    private static func bytes(of path: String, _ file: any FileRange) throws(SourceFault) -> [UInt8] {
        let bytes = try file.read(at: 0, count: largest + 1)
        guard bytes.count <= largest else {
            throw SourceFault(.tooLarge, "The playlist \(path) is larger than \(largest >> 20) MiB.")
        }
        return bytes
    }
}
