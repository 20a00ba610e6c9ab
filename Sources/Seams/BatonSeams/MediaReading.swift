package import BatonCore

/// Reads tags and pictures of untrusted files. The work runs in separate processes that may crash or hang without harm to the hub; a file that causes
/// this is named and skipped. Blocks; never called on the loop.
package protocol MediaReading: Sendable {
    /// Reads files; one result for each path, in order.
    func read(_ paths: [String]) -> [Result<MediaFacts, SourceFault>]

    /// Reads music files and the pictures beside them in one request.
    func read(_ paths: [String], covers: [String]) -> MediaRead

    /// The original picture with its type.
    func picture(_ source: PictureSource) throws(SourceFault) -> Picture

    /// The picture scaled to cover exactly this size and cropped at the sides. With only one measure it keeps its proportions uncropped.
    func scaled(_ source: PictureSource, width: Int?, height: Int?, format: Picture.Format, mostBytes: Int?) throws(SourceFault) -> Picture

    /// The two main colours of the picture, `0xRRGGBB`, background first.
    func colours(of source: PictureSource) throws(SourceFault) -> [Int]
}

/// Results for the requested paths, in order.
package struct MediaRead: Sendable {
    package var files: [Result<MediaFacts, SourceFault>]
    /// The ids and sizes of the pictures.
    package var covers: [Result<Artwork, SourceFault>]

    package init(files: [Result<MediaFacts, SourceFault>], covers: [Result<Artwork, SourceFault>]) {
        self.files = files
        self.covers = covers
    }
}

extension MediaReading {
    /// Reads picture by picture, for a reader without a faster way.
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

/// The content of one music file.
package struct MediaFacts: Equatable, Sendable {
    /// The track that the file holds as a whole.
    package var track: TrackFacts
    /// The identity of the sound, which stays when tags are edited.
    package var fingerprint: Fingerprint
    /// The lyrics in the file; `nil` where it has none.
    package var lyrics: Lyrics?
    /// The text of a cue sheet inside the file.
    package var cueSheet: String?

    package init(track: TrackFacts, fingerprint: Fingerprint, lyrics: Lyrics? = nil, cueSheet: String? = nil) {
        self.track = track
        self.fingerprint = fingerprint
        self.lyrics = lyrics
        self.cueSheet = cueSheet
    }
}

/// Facts about one track.
package struct TrackFacts: Equatable, Sendable {
    /// The tags, with picture and length.
    package var tags = Tags()
    /// The genres as the file has them.
    package var genres: [String] = []
    package var composers: [String] = []
    package var labels: [String] = []
    /// True when the file says that its album is by various artists.
    package var isCompilation = false
    /// Names for sorting, where they differ.
    package var sortTitle = ""
    /// The name of the artist for sorting; empty where it is the same.
    package var sortArtist = ""
    /// The name of the album for sorting; empty where it is the same.
    package var sortAlbum = ""
    /// The name of the album's artist for sorting; empty where it is the same.
    package var sortAlbumArtist = ""
    package var format: SoundFormat?
    /// The loudness correction in the tags.
    package var gain: ReplayGain?
    package var chapters: [Chapter] = []
    /// The exact length that the file states.
    package var lengthUs: Microseconds?
    /// Start and end in its file, when the track is a part of one.
    package var startMs: Milliseconds?
    /// The end in its file; `nil` for the last part, which goes on to the end.
    package var endMs: Milliseconds?
    /// True when the file itself says that it is an audiobook.
    package var isBook = false
    /// The facts of a book; empty for music.
    package var book = BookTags()
    /// The files of a book in order; empty for all other items.
    package var parts: [BookPart] = []
    /// The origin of the picture in `tags.art`; `nil` without a picture.
    package var picture: PictureSource?
    /// All tags of the file as it has them; `nil` for an item that is not one whole file.
    package var fileTags: FileTags?

    package init() {}
}

/// A file of a book that has several. Together they have one timeline, in this order.
package struct BookPart: Equatable, Sendable {
    /// The name of the file in the book's folder, or its full path, as when the book has a folder for each disc.
    package var name: String
    /// The title of the chapter that this file is.
    package var title: String
    /// The length as exactly as it is known, because those before it decide where the next file begins.
    package var lengthUs: Microseconds

    package init(name: String, title: String, lengthUs: Microseconds) {
        self.name = name
        self.title = title
        self.lengthUs = lengthUs
    }
}

/// A picture in a format that clients can show, with its size.
package struct Picture: Equatable, Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case jpeg, png, webp, gif

        package var type: String { "image/\(rawValue)" }
    }

    /// The id: the first half of the hash of its bytes, in hexadecimal.
    package var id: String
    package var format: Format
    package var width: Int
    package var height: Int
    /// The file, ready to be sent.
    package var bytes: [UInt8]

    package init(id: String, format: Format, width: Int, height: Int, bytes: [UInt8]) {
        self.id = id
        self.format = format
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
