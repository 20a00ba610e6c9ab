/// Items of a queue and their tags. Nothing here knows where sound comes from.

/// The kind of an item.
public enum ItemKind: String, Sendable, CaseIterable {
    case track, chapter, station, generation, episode, book
    // Containers. A queue holds their tracks, never the containers.
    case album, artist, composer, genre, year, label, folder, playlist, podcast, series, author, narrator
    /// A starting point for browsing, such as all albums or recently played items.
    case shelf

    /// True for speech, which resumes a little back after a pause.
    package var isSpoken: Bool { self == .chapter || self == .episode || self == .book }

    public var isContainer: Bool {
        switch self {
        case .track, .chapter, .station, .generation, .episode, .book: false
        case .album, .artist, .composer, .genre, .year, .label, .folder, .playlist, .podcast, .series, .author, .narrator, .shelf: true
        }
    }
}

/// Facts about an item that remotes show. Empty text means unknown.
public struct Tags: Equatable, Sendable {
    public var kind: ItemKind = .track
    public var title = ""
    public var artists: [String] = []
    public var album = ""
    public var albumArtist = ""
    public var track: Int?
    public var disc: Int?
    public var year: Int?
    /// The length; `nil` while it is unknown, and for endless streams.
    public var durationMs: Int?
    /// The current title of a station's stream.
    public var streamTitle: String?
    public var art: Artwork?

    /// True for streams without an end, in which no position can be sought.
    public var isLive: Bool { kind == .station && durationMs == nil }

    package init() {}

    package init(title: String, artists: [String] = [], durationMs: Int? = nil) {
        self.title = title
        self.artists = artists
        self.durationMs = durationMs
    }
}

/// The format of the sound as the decoder sees it.
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
