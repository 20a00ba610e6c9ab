/// What a queue holds and what is known about it. Nothing here knows where sound comes from.

/// The kinds of thing a source can offer.
package enum ItemKind: String, Sendable, CaseIterable {
    case track, chapter, station, generation
}

/// What a remote shows of an item. Empty text means that nobody has told us yet.
package struct Tags: Equatable, Sendable {
    package var kind: ItemKind = .track
    package var title = ""
    package var artists: [String] = []
    package var album = ""
    package var albumArtist = ""
    package var track: Int?
    package var disc: Int?
    package var year: Int?
    /// `nil` for what has no end, such as a station.
    package var durationMs: Int?
    /// What a station says it is playing now.
    package var streamTitle: String?

    package init() {}

    package init(title: String, artists: [String] = [], durationMs: Int? = nil) {
        self.title = title
        self.artists = artists
        self.durationMs = durationMs
    }
}

/// How the sound itself is stored, as the decoder sees it.
package struct SoundFormat: Equatable, Sendable {
    package var codec: String
    package var rate: Int
    package var bits: Int?
    package var channels: Int

    package init(codec: String, rate: Int, bits: Int?, channels: Int) {
        self.codec = codec
        self.rate = rate
        self.bits = bits
        self.channels = channels
    }
}
