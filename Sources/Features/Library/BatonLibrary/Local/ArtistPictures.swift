/// Pictures of artists: a file called `artist` in a folder that has an artist's name and holds music of that artist,
/// at any depth.
import BatonCore
import BatonSeams

struct ArtistPictures {
    let scan: Scan

    /// Number of pictures read in one request.
    private static let batch = 64

    static func isOne(_ name: String) -> Bool { rank(name) != nil }

    /// The preference of a picture's name: the lowest rank in a folder wins. `nil` for other files.
    static func rank(_ name: String) -> Int? {
        guard FileName.stem(of: name).lowercased() == "artist" else { return nil }
        return FileName.suffix(of: name).flatMap { FolderNote.pictureSuffixes.firstIndex(of: $0) }
    }

    /// Updates the catalogue. `seen` are the files that the scan found, `looked` the folders that it listed, `isSure`
    /// says that it listed all folders, and `hasNewMusic` that artists may have changed. Returns true when pictures
    /// were added, changed or removed.
    func settle(
        _ seen: [String: FileStamp], in looked: Set<String>, isSure: Bool, hasNewMusic: Bool
    ) throws(SourceFault) -> Bool {
        let known = try scan.catalogue.artistPictures()
        let gone = known.keys.filter { seen[$0] == nil && (isSure || RealPath.folder(of: $0).map(looked.contains) == true) }
        let news = seen.filter { known[$0.key] != $0.value }.sorted { $0.key < $1.key }
        guard !news.isEmpty || !gone.isEmpty || (hasNewMusic && !known.isEmpty) else { return false }
        var pictures: [ScannedArtistPicture] = []
        for start in stride(from: 0, to: news.count, by: Self.batch) {
            let some = news[start..<min(news.count, start + Self.batch)]
            for ((path, stamp), answer) in zip(some, scan.media.read([], covers: some.map(\.key)).covers) {
                switch answer {
                case .success(let art): pictures.append(ScannedArtistPicture(path: path, stamp: stamp, art: art))
                // The next scan reads it again.
                case .failure(let fault) where fault.code == .unavailable: break
                case .failure: pictures.append(ScannedArtistPicture(path: path, stamp: stamp, art: nil))
                }
            }
        }
        try scan.catalogue.setArtistPictures(pictures, gone: gone.sorted())
        return !pictures.isEmpty || !gone.isEmpty
    }
}
