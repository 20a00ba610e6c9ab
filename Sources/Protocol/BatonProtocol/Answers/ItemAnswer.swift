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
    /// The files that the item has beside its sound, by name.
    public var files: [File]

    /// One of the files, with the address from which it can be fetched.
    public struct File: Equatable, Sendable {
        public var name: String
        public var media: Media

        package init(_ name: String, _ media: Media) {
            self.name = name
            self.media = media
        }
    }

    package init(_ details: ItemDetails, lyrics: Lyrics? = nil, media: Media? = nil, files: [File] = []) {
        self.details = details
        self.lyrics = lyrics
        self.media = media
        self.files = files
    }
}
