/// Playlist files in the library's folders, which become playlists of the same name. A changed file refills its
/// playlist, and a deleted file removes it.
import BatonCore
import BatonSeams

struct PlaylistFiles {
    let scan: Scan
    let roots: [String]

    /// Whether a file's name is that of a playlist.
    static func isOne(_ name: String) -> Bool { Playlist.recognises(name) }

    /// Updates the playlists. `seen` are the files that the scan found, `looked` the folders that it listed, and
    /// `isSure` says that it listed all folders.
    func settle(
        _ seen: [String: FileStamp], in looked: Set<String>, isSure: Bool, hasNewMusic: Bool
    ) throws(SourceFault) -> [String] {
        var problems: [String] = []
        let known = try scan.catalogue.playlistFiles()
        for (path, stamp) in seen.sorted(by: { $0.key < $1.key }) {
            let before = known[path]
            // A playlist may name files that are added later, so it is read again after new music.
            guard before?.stamp != stamp || before?.isPartial == true && hasNewMusic else { continue }
            do throws(SourceFault) {
                if let list = try read(path, stamp) { try scan.catalogue.store(list, atMs: scan.clock.wallMs) }
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
            // HLS streams use the same suffix and are skipped without an error.
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

    /// The path without `.` and `..`, as the library stores paths.
    static func plain(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
