public import BatonCore

/// The answer to `lib.item`: the details of one item, and its lyrics and media link if they were asked for.
public struct ItemAnswer: Equatable, Sendable {
    /// The address at which a program can fetch the item itself for a while.
    public struct Media: Equatable, Sendable {
        /// On the hub's own port.
        public var url: String
        /// Wall clock.
        public var untilMs: Int64

        package init(url: String, untilMs: Int64) {
            self.url = url
            self.untilMs = untilMs
        }
    }

    public var details: ItemDetails
    public var lyrics: Lyrics?
    public var media: Media?

    package init(_ details: ItemDetails, lyrics: Lyrics? = nil, media: Media? = nil) {
        self.details = details
        self.lyrics = lyrics
        self.media = media
    }
}
