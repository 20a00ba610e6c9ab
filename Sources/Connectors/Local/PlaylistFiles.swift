/// Playlist files in the folders of the library, which become playlists of the same name. A file that changes fills its list anew, and
/// one that goes takes it along.
import BatonCore
import BatonSeams

struct PlaylistFiles {
    let scan: Scan
    let roots: [String]

    /// Other kinds of text are no lists, and pieces of a stream are no tracks.
    static func isOne(_ name: String) -> Bool { Playlist.recognises(name) }

    /// `seen` are those that the scan has found, and `looked` the folders in which it has looked. `isSure` says that it has looked everywhere.
    func settle(
        _ seen: [String: FileStamp], in looked: Set<String>, isSure: Bool, hasNewMusic: Bool
    ) throws(SourceFault) -> [String] {
        var problems: [String] = []
        let known = try scan.catalogue.playlistFiles()
        for (path, stamp) in seen.sorted(by: { $0.key < $1.key }) {
            let before = known[path]
            // A list names files that may come later than itself.
            guard before?.stamp != stamp || before?.isPartial == true && hasNewMusic else { continue }
            do throws(SourceFault) {
                if let list = try read(path, stamp) { try scan.catalogue.keep(list, atMs: scan.clock.wallMs) }
            } catch {
                guard error.code != .notFound else { continue }
                problems.append(error.sentence)
            }
        }
        let gone = known.keys.filter { seen[$0] == nil && (isSure || RealPath.folder(of: $0).map(looked.contains) == true) }
        if !gone.isEmpty { try scan.catalogue.forgetPlaylistFiles(gone.sorted()) }
        return problems
    }

    private func read(_ path: String, _ stamp: FileStamp) throws(SourceFault) -> ScannedPlaylist? {
        let file = try scan.disk.open(path, below: roots)
        let list: Playlist
        do throws(SourceFault) { list = try Playlist.read(path, file) } catch {
            // A stream in pieces has the same ending, and is no mistake.
            if error.code == .unsupported { return nil }
            throw error
        }
        var entries: [NewEntry] = []
        var isPartial = false
        for entry in list.entries.prefix(PlaybackQueue.limit) {
            switch entry.target {
            case .url(let url): entries.append(NewEntry(uri: ItemURI(url), tags: entry.tags ?? Tags(title: url)))
            case .path(let named):
                let track = try scan.catalogue.track(atPath: Self.plain(named))
                if let track, let found = try scan.catalogue.expand(track, most: 1).first {
                    entries.append(found)
                } else {
                    isPartial = true
                }
            }
        }
        let name = String(FileName.stem(of: path.split(separator: "/").last.map(String.init) ?? path).prefix(64))
        return ScannedPlaylist(path: path, stamp: stamp, name: name, entries: entries, isPartial: isPartial)
    }

    /// Without `.` and `..`, as files are named in the library.
    static func plain(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
