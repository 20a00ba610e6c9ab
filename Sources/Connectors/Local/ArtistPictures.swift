/// Pictures of artists: a file called `artist` in a folder that is named like one and has music of that artist in it or below it.
import BatonCore
import BatonSeams

struct ArtistPictures {
    let scan: Scan

    /// So many are read in one request.
    private static let batch = 64

    static func isOne(_ name: String) -> Bool { rank(name) != nil }

    /// The one that counts of several in a folder is that of the lowest rank.
    static func rank(_ name: String) -> Int? {
        guard FileName.stem(of: name).lowercased() == "artist" else { return nil }
        return FileName.suffix(of: name).flatMap { FolderNote.pictureSuffixes.firstIndex(of: $0) }
    }

    /// `seen` are those that the scan has found, and `looked` the folders in which it has looked. `isSure` says that it has looked
    /// everywhere, and `hasNewMusic` that artists may have come or gone. True when pictures came, changed or went.
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
                // Read by the next scan.
                case .failure(let fault) where fault.code == .unavailable: break
                case .failure: pictures.append(ScannedArtistPicture(path: path, stamp: stamp, art: nil))
                }
            }
        }
        try scan.catalogue.setArtistPictures(pictures, gone: gone.sorted())
        return !pictures.isEmpty || !gone.isEmpty
    }
}
