/// What a queue holds and what is known about it. Nothing here knows where sound comes from.

/// The kinds of thing a source can offer.
public enum ItemKind: String, Sendable, CaseIterable {
    case track, chapter, station, generation, episode, book
    // What holds others. A queue has their tracks, never themselves.
    case album, artist, composer, genre, year, label, folder, playlist, podcast, series, author, narrator
    /// A place to begin looking: all albums, what was played last.
    case shelf

    /// Speech, to which people go back a little after a pause.
    package var isSpoken: Bool { self == .chapter || self == .episode || self == .book }

    public var isContainer: Bool {
        switch self {
        case .track, .chapter, .station, .generation, .episode, .book: false
        case .album, .artist, .composer, .genre, .year, .label, .folder, .playlist, .podcast, .series, .author, .narrator, .shelf: true
        }
    }
}

/// What a remote shows of an item. Empty text means that it is not known yet.
public struct Tags: Equatable, Sendable {
    public var kind: ItemKind = .track
    public var title = ""
    public var artists: [String] = []
    public var album = ""
    public var albumArtist = ""
    public var track: Int?
    public var disc: Int?
    public var year: Int?
    /// `nil` while it is not known, and for what has no end.
    public var durationMs: Int?
    /// What a station says it is playing now.
    public var streamTitle: String?
    public var art: Artwork?

    /// Has no end, so no place in it can be sought.
    public var isLive: Bool { kind == .station && durationMs == nil }

    package init() {}

    package init(title: String, artists: [String] = [], durationMs: Int? = nil) {
        self.title = title
        self.artists = artists
        self.durationMs = durationMs
    }
}

/// How the sound itself is stored, as the decoder sees it.
public struct SoundFormat: Equatable, Sendable {
    public var codec: String
    public var rate: Int
    public var bits: Int?
    public var channels: Int

    package init(codec: String, rate: Int, bits: Int?, channels: Int) {
        self.codec = codec
        self.rate = rate
        self.bits = bits
        self.channels = channels
    }
}
