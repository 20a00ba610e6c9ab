/// Everything that a source knows about one item.
public struct ItemDetails: Equatable, Sendable {
    public var row: ItemRow
    public var genres: [String] = []
    public var composers: [String] = []
    /// The companies that published it.
    public var labels: [String] = []
    public var isCompilation = false
    public var format: SoundFormat?
    public var gain: ReplayGain?
    public var chapters: [Chapter] = []
    public var hasLyrics = false
    /// A text of its source about it, such as the life of an artist.
    public var about: String?
    /// The recipe with which the built-in composer generates the piece again.
    public var recipe: String?
    /// A container of similar tracks; `nil` where the source knows none.
    public var similar: ItemURI?
    /// Containers of an artist's most heard tracks and of similar artists; `nil` where the source knows none.
    public var top: ItemURI?
    public var related: ItemURI?
    /// The path of its file, for users who may use paths; `nil` where there is none.
    public var path: String?
    /// Additional files such as a score: names to be appended to its URI after a `/`.
    public var files: [String] = []
    /// The time at which it came into the source, wall clock.
    public var addedAtMs: Int64?

    public init(row: ItemRow) { self.row = row }
}

/// The loudness correction of a track, as its maker or a tool measured it.
public struct ReplayGain: Equatable, Sendable {
    /// Gains in hundredths of a decibel.
    public var track: Int?
    public var album: Int?
    /// Peaks in millionths of full scale.
    public var trackPeak: Int?
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
    public var title: String
    public var startMs: Int
    public var endMs: Int

    public init(title: String, startMs: Int, endMs: Int) {
        self.title = title
        self.startMs = startMs
        self.endMs = endMs
    }
}

/// The words of a song: lines, each with the time at which it is sung if that is known.
public struct Lyrics: Equatable, Sendable {
    /// One line of text and its time.
    public struct Line: Equatable, Sendable {
        public var atMs: Int?
        public var text: String

        public init(atMs: Int? = nil, text: String) {
            self.atMs = atMs
            self.text = text
        }
    }

    public var lines: [Line]

    public init(lines: [Line]) { self.lines = lines }

    public var isTimed: Bool { lines.contains { $0.atMs != nil } }
}
