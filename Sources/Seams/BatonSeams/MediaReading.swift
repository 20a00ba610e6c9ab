package import BatonCore

/// Reads tags and pictures of files of unknown origin. It works in processes of its own that may
/// crash or hang without harm to the hub; a file that makes one do so is named and skipped. Blocks;
/// never asked on the loop.
package protocol MediaReading: Sendable {
    /// One answer for each path, in order.
    func read(_ paths: [String]) -> [Result<MediaFacts, SourceFault>]

    /// The same for files of music and the pictures beside them, in one request.
    func read(_ paths: [String], covers: [String]) -> MediaRead

    /// The picture's own bytes and type.
    func picture(_ source: PictureSource) throws(SourceFault) -> Picture

    /// The picture at exactly this size, covering it and cut at the sides that stand out; with one
    /// measure missing, the other decides and nothing is cut.
    func scaled(_ source: PictureSource, width: Int?, height: Int?, format: Picture.Format, mostBytes: Int?) throws(SourceFault) -> Picture

    /// The two colours that stand for it, `0xRRGGBB`, ground first.
    func colours(of source: PictureSource) throws(SourceFault) -> [Int]
}

/// One answer for each path, in order.
package struct MediaRead: Sendable {
    package var files: [Result<MediaFacts, SourceFault>]
    /// What the pictures are called and how large they are.
    package var covers: [Result<Artwork, SourceFault>]

    package init(files: [Result<MediaFacts, SourceFault>], covers: [Result<Artwork, SourceFault>]) {
        self.files = files
        self.covers = covers
    }
}

extension MediaReading {
    /// Picture by picture, for a reader without a quicker way.
    package func read(_ paths: [String], covers: [String]) -> MediaRead {
        MediaRead(
            files: read(paths),
            covers: covers.map { path in
                Result { () throws(SourceFault) in
                    let picture = try picture(.file(path))
                    return Artwork(id: picture.id, width: picture.width, height: picture.height)
                }
            })
    }
}

/// What is in one file of music.
package struct MediaFacts: Equatable, Sendable {
    package var track: TrackFacts
    package var fingerprint: Fingerprint
    package var lyrics: Lyrics?
    /// A cue sheet inside the file, as it stands there.
    package var cueSheet: String?

    package init(track: TrackFacts, fingerprint: Fingerprint, lyrics: Lyrics? = nil, cueSheet: String? = nil) {
        self.track = track
        self.fingerprint = fingerprint
        self.lyrics = lyrics
        self.cueSheet = cueSheet
    }
}

/// What is known of one track.
package struct TrackFacts: Equatable, Sendable {
    package var tags = Tags()
    package var genres: [String] = []
    package var composers: [String] = []
    package var labels: [String] = []
    package var isCompilation = false
    /// How its names are to be sorted, where that differs.
    package var sortTitle = ""
    package var sortArtist = ""
    package var sortAlbum = ""
    package var sortAlbumArtist = ""
    package var format: SoundFormat?
    package var gain: ReplayGain?
    package var chapters: [Chapter] = []
    /// As exactly as the file says it.
    package var lengthUs: Int?
    /// Where in its file it begins and ends, when it is a part of one.
    package var startMs: Int?
    package var endMs: Int?
    /// Whether the file itself says that it is a book, read aloud.
    package var isBook = false
    package var book = BookTags()
    /// The files that a book is made of, in their order; empty for all else.
    package var parts: [BookPart] = []
    /// Where the picture that `tags.art` names is; `nil` for none.
    package var picture: PictureSource?

    package init() {}
}

/// One of the files of a book.
package struct BookPart: Equatable, Sendable {
    /// Of its file: its name in the folder of the book, or its whole path, as where the book has folders for its discs.
    package var name: String
    package var title: String
    package var lengthUs: Int

    package init(name: String, title: String, lengthUs: Int) {
        self.name = name
        self.title = title
        self.lengthUs = lengthUs
    }
}

package struct Picture: Equatable, Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case jpeg, png, webp, gif

        package var type: String { "image/\(rawValue)" }
    }

    /// The first half of the hash of its bytes, in hexadecimal: its name.
    package var id: String
    package var format: Format
    package var width: Int
    package var height: Int
    package var bytes: [UInt8]

    package init(id: String, format: Format, width: Int, height: Int, bytes: [UInt8]) {
        self.id = id
        self.format = format
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
