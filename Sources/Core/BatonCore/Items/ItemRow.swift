/// An item as a row of a list: the facts of its source, and its marks on this hub.
public struct ItemRow: Equatable, Sendable {
    /// The URI by which commands name the item.
    public var uri: ItemURI
    /// The tags, which include kind and picture.
    public var tags: Tags
    /// Number of tracks in it; `nil` for an item that is no container.
    public var count: Int?
    /// The marks of the person who asked, or those of the hub.
    public var mark: ItemMark
    /// True while it cannot be played, because its source is down or its file is missing. It stays in lists and is shown grey.
    public var isAway: Bool
    /// True when its favourite or stars were set here and have not reached its server yet.
    public var isPending = false
    /// Facts about a book; `nil` for other items.
    public var book: BookTags?
    /// The time at which an episode was published, wall clock.
    public var publishedMs: Milliseconds?
    /// The share of it on the hub's own disk; `nil` when the item is not kept.
    public var kept: KeepMark?
    /// All known sources of the same track, best first, including this row's own; empty while only one is known.
    public var variants: [ItemURI]
    /// The sound quality that its source reports. It orders `variants` and is not shown.
    package var quality: SoundQuality?

    /// A row with what every item has; the source and the hub add the rest as far as they know it.
    public init(
        uri: ItemURI, tags: Tags, count: Int? = nil, mark: ItemMark = ItemMark(), isAway: Bool = false, variants: [ItemURI] = []
    ) {
        self.uri = uri
        self.tags = tags
        self.count = count
        self.mark = mark
        self.isAway = isAway
        self.variants = variants
    }
}

/// Marks and play counts of an item on this hub. They work for every source.
public struct ItemMark: Equatable, Sendable {
    /// True when a person has marked it, here or at its server.
    public var isFavourite: Bool
    /// Rating from 1 to 5; 0 for none.
    public var stars: Int
    /// Number of times that it counted as played, which is after half of it or four minutes.
    public var plays: Int
    /// Wall clock time.
    public var lastPlayedMs: Milliseconds?

    /// Marks of an item that was never marked or played, unless some are given.
    public init(isFavourite: Bool = false, stars: Int = 0, plays: Int = 0, lastPlayedMs: Milliseconds? = nil) {
        self.isFavourite = isFavourite
        self.stars = stars
        self.plays = plays
        self.lastPlayedMs = lastPlayedMs
    }
}

/// A picture, named by its content, so that the picture of a name never changes.
public struct Artwork: Equatable, Sendable {
    /// The id with which the picture is requested.
    public var id: String
    /// Width in pixels; `nil` where the size is not known.
    public var width: Int?
    /// Height in pixels; `nil` where the size is not known.
    public var height: Int?
    /// Two colours for screens too small for the picture, `0xRRGGBB`, background first. Empty until they are computed.
    public var colours: [Int]

    public init(id: String, width: Int? = nil, height: Int? = nil, colours: [Int] = []) {
        self.id = id
        self.width = width
        self.height = height
        self.colours = colours
    }
}

/// The order of a container's items.
public enum ItemSort: String, Sendable, CaseIterable {
    case name, artist, year, added, played, plays, stars, track
}
