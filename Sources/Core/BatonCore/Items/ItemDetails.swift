/// Everything a source knows about one item.
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
    /// What its source tells people of it, such as the life of an artist.
    public var about: String?
    /// By which the built-in composer makes the piece again.
    public var recipe: String?
    /// A container of tracks that are like it and can be queued; `nil` where its source knows of none.
    public var similar: ItemURI?
    /// Of an artist: a container of its most heard tracks, and one of artists that are like it; `nil` where its source knows of none.
    public var top: ItemURI?
    public var related: ItemURI?
    /// Where its file is, for users who may name paths; `nil` where there is none.
    public var path: String?
    /// What it has beside its sound, such as a score: names behind its URI and a `/`.
    public var files: [String] = []
    /// Since when the source has it, wall clock.
    public var addedAtMs: Int64?

    public init(row: ItemRow) { self.row = row }
}

/// How much louder or quieter a track should be played, as its maker or a tool measured it.
public struct ReplayGain: Equatable, Sendable {
    /// In hundredths of a decibel.
    public var track: Int?
    public var album: Int?
    /// In millionths of full scale.
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

/// The words of a song: lines, each with the moment it is sung when that is known.
public struct Lyrics: Equatable, Sendable {
    /// One line, and when it is sung.
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
