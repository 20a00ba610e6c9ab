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

    /// True for an item that a queue holds only as its tracks.
    public var isContainer: Bool {
        switch self {
        case .track, .chapter, .station, .generation, .episode, .book: false
        case .album, .artist, .composer, .genre, .year, .label, .folder, .playlist, .podcast, .series, .author, .narrator, .shelf: true
        }
    }
}

/// Facts about an item that remotes show. Empty text means unknown.
public struct Tags: Equatable, Sendable {
    /// The kind, which decides how the item resumes and is levelled.
    public var kind: ItemKind = .track
    /// The title; for a plain file without tags, made of its name.
    public var title = ""
    /// The performers, in the order of the source.
    public var artists: [String] = []
    /// The album; for an episode its podcast, and for a book its series.
    public var album = ""
    /// The artist under which the album is filed, as the tags name it; often empty.
    public var albumArtist = ""
    /// The number on its disc, from 1; `nil` where the source has none.
    public var track: Int?
    /// The number of the disc, from 1; `nil` where the source has none.
    public var disc: Int?
    /// The year of publication; `nil` where the source has none.
    public var year: Int?
    /// The length; `nil` while it is unknown, and for endless streams.
    public var durationMs: Milliseconds?
    /// The current title of a station's stream.
    public var streamTitle: String?
    /// The picture of the item; `nil` where its source has none, or it is not known yet.
    public var art: Artwork?

    /// True for streams without an end, in which no position can be sought.
    public var isLive: Bool { kind == .station && durationMs == nil }

    package init() {}

    package init(title: String, artists: [String] = [], durationMs: Milliseconds? = nil) {
        self.title = title
        self.artists = artists
        self.durationMs = durationMs
    }
}

/// The format of the sound as the decoder sees it.
public struct SoundFormat: Equatable, Sendable {
    /// The name of the codec, as the player or the source calls it.
    public var codec: String
    /// Samples per second.
    public var rate: Int
    /// Bits per sample; `nil` where the format has no such number, as lossy ones.
    public var bits: Int?
    /// Number of channels, 1 for mono.
    public var channels: Int

    package init(codec: String, rate: Int, bits: Int?, channels: Int) {
        self.codec = codec
        self.rate = rate
        self.bits = bits
        self.channels = channels
    }
}
