/// A small album that the hub generates itself, so that something can be played before there is music.
///
/// Its three tracks are cut from one piece sample by sample, so that they join without a gap. They are created once,
/// under temporary names until they are complete.
package import BatonCore
package import BatonSeams
import Glibc

package struct DemoAlbum: Sendable {
    package static let title = "Overture for a Quiet House"
    package static let artist = "Baton"
    private static let tracks = ["First Light", "Stairs", "Lamps On"]
    private static let year = 2026
    private static let rate = 44_100

    private let folder: String
    /// The item of the file at a path, according to the source of files.
    private let item: @Sendable (_ path: String) -> ItemURI
    /// Length of each track in beats.
    private let beats: Int

    /// Uses a folder that the source of files serves; otherwise remotes cannot play the tracks.
    package init(in folder: String, item: @escaping @Sendable (_ path: String) -> ItemURI) {
        self.init(in: folder, item: item, beats: 40)
    }

    /// For tests: a shorter album, joined in the same way.
    init(in folder: String, item: @escaping @Sendable (_ path: String) -> ItemURI, beats: Int) {
        self.folder = folder
        self.item = item
        self.beats = beats
    }

    /// The tracks in order, created if one is missing. Takes up to a second, so it runs off the loop.
    @concurrent
    package func offers() async throws(SourceFault) -> [NewEntry] {
        try make()
        return Self.tracks.indices.map { index in
            let durationMs = Milliseconds(frames(in: index).count * 1000 / Self.rate)
            var tags = Tags(title: Self.tracks[index], artists: [Self.artist], durationMs: durationMs)
            tags.album = Self.title
            tags.albumArtist = Self.artist
            tags.track = index + 1
            tags.year = Self.year
            return NewEntry(uri: item(path(of: index)), tags: tags)
        }
    }

    func make() throws(SourceFault) {
        if Self.tracks.indices.allSatisfy({ access(path(of: $0), R_OK) == 0 }) { return }
        // Creates only the last folder; the data folder above it exists before the hub opens.
        if mkdir(folder, 0o755) != 0, errno != EEXIST { throw unwritable(folder) }
        let piece = DemoPiece(rate: Self.rate, beats: beats * Self.tracks.count).samples()
        for index in Self.tracks.indices {
            let frames = frames(in: index)
            let sound = piece[frames.lowerBound * 2..<frames.upperBound * 2]
            try write(WAV(rate: Self.rate, samples: sound, info: info(of: index)).bytes, to: path(of: index))
        }
    }

    func path(of index: Int) -> String { "\(folder)/0\(index + 1) - \(Self.tracks[index]).wav" }

    /// The frames of a track. Cuts are slightly off the beat, inside sounding notes, so that a bad join would be audible.
    private func frames(in index: Int) -> Range<Int> {
        let length = beats * DemoPiece.framesPerBeat(Self.rate)
        let cut = index == 0 ? 0 : index * length + 7_001
        return cut..<(index == Self.tracks.count - 1 ? Self.tracks.count * length : (index + 1) * length + 7_001)
    }

    private func info(of index: Int) -> [(String, String)] {
        [
            ("INAM", Self.tracks[index]), ("IART", Self.artist), ("IPRD", Self.title), ("ITRK", String(index + 1)),
            ("ICRD", String(Self.year)),
        ]
    }

    private func write(_ bytes: [UInt8], to path: String) throws(SourceFault) {
        let draft = "\(path).\(getpid()).part"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw unwritable(draft) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard written > 0 else { break }
            rest = rest.dropFirst(written)
        }
        // The file gets its name only when it is complete and on disk.
        guard rest.isEmpty, fsync(file) == 0 else {
            let fault = unwritable(path)
            close(file)
            unlink(draft)
            throw fault
        }
        close(file)
        guard rename(draft, path) == 0 else { throw unwritable(path) }
    }

    private func unwritable(_ path: String) -> SourceFault {
        SourceFault(.failed, "The demo album could not be written to \(path): \(String(cString: strerror(errno))).")
    }
}
