/// Everything that a source knows about one item.
public struct ItemDetails: Equatable, Sendable {
    /// The row as lists have it; the other members are what lists leave out.
    public var row: ItemRow
    /// The genres in the words of its source.
    public var genres: [String] = []
    /// The composers, which lists do not show.
    public var composers: [String] = []
    /// The companies that published it.
    public var labels: [String] = []
    /// True when the file says that its album is by various artists.
    public var isCompilation = false
    /// The format of its sound; `nil` where the source does not report it.
    public var format: SoundFormat?
    /// The loudness correction; `nil` where neither file nor server has one.
    public var gain: ReplayGain?
    /// The chapters with their beginnings and ends; empty for an item that has none.
    public var chapters: [Chapter] = []
    /// True when asking for the lyrics is worth it; some servers say only then whether they have them.
    public var hasLyrics = false
    /// A text of its source about it, such as the life of an artist.
    public var about: String?
    /// The recipe with which the built-in composer generates the piece again.
    public var recipe: String?
    /// A container of similar tracks; `nil` where the source knows none.
    public var similar: ItemURI?
    /// Containers of an artist's most heard tracks and of similar artists; `nil` where the source knows none.
    public var top: ItemURI?
    /// A container of artists who are similar; `nil` where the source knows none.
    public var related: ItemURI?
    /// The path of its file, for users who may use paths; `nil` where there is none.
    public var path: String?
    /// Additional files such as a score: names to be appended to its URI after a `/`.
    public var files: [String] = []
    /// The time at which it came into the source, wall clock.
    public var addedAtMs: Milliseconds?

    /// Details of which nothing but the row is known; the source fills in the rest.
    public init(row: ItemRow) { self.row = row }
}

/// The loudness correction of a track, as its maker or a tool measured it.
public struct ReplayGain: Equatable, Sendable {
    /// Gains in hundredths of a decibel.
    public var track: Int?
    /// The gain that levels its album as a whole, in the same unit.
    public var album: Int?
    /// Peaks in millionths of full scale.
    public var trackPeak: Int?
    /// The peak of its album, in the same unit.
    public var albumPeak: Int?

    public init(track: Int? = nil, album: Int? = nil, trackPeak: Int? = nil, albumPeak: Int? = nil) {
        self.track = track
        self.album = album
        self.trackPeak = trackPeak
        self.albumPeak = albumPeak
    }
}

/// A named part of a track or book.
public struct Chapter: Equatable, Sendable {
    /// The name for people; empty where the file has none.
    public var title: String
    /// The beginning, in milliseconds of the whole item.
    public var startMs: Milliseconds
    /// The end, which is the beginning of the next chapter or the end of the item.
    public var endMs: Milliseconds

    public init(title: String, startMs: Milliseconds, endMs: Milliseconds) {
        self.title = title
        self.startMs = startMs
        self.endMs = endMs
    }
}

/// The words of a song: lines, each with the time at which it is sung if that is known.
public struct Lyrics: Equatable, Sendable {
    /// One line of text and its time.
    public struct Line: Equatable, Sendable {
        /// The position at which the line is sung; `nil` in a text without times.
        public var atMs: Milliseconds?
        /// The words; empty for a pause, or for the space between two stanzas.
        public var text: String

        public init(atMs: Milliseconds? = nil, text: String) {
            self.atMs = atMs
            self.text = text
        }
    }

    /// The lines in their order in the song; one that is sung at several times is listed for each.
    public var lines: [Line]

    /// Lyrics that their source has parsed; `init(text:)` reads them from a text.
    public init(lines: [Line]) { self.lines = lines }

    /// True when at least one line has a time, so that a client can follow the song.
    public var isTimed: Bool { lines.contains { $0.atMs != nil } }
}
