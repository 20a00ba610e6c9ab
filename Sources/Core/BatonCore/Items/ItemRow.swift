/// An item as a row of a list: what the source says of it, and the marks that it has on this hub.
public struct ItemRow: Equatable, Sendable {
    public var uri: ItemURI
    /// What kind of thing it is stands in here, and its picture too.
    public var tags: Tags
    /// How many tracks there are in it; `nil` for what is one itself.
    public var count: Int?
    public var mark: ItemMark
    /// Cannot be played now: its source is down, or its file is missing. It is kept and shown grey.
    public var isAway: Bool
    /// Its favourite or its stars were set here and have not reached its server yet.
    public var isPending = false
    /// Of a book.
    public var book: BookTags?
    /// When an episode was published, wall clock.
    public var publishedMs: Int64?
    /// How much of it is on the hub's own disk; `nil` when the item is not kept.
    public var kept: KeepMark?
    /// All places of the same track, best first, this row's own among them; empty while only one is known.
    public var places: [ItemURI]
    /// How good its sound is, as far as its source says. It orders `places` and is not shown.
    package var quality: SoundQuality?

    public init(
        uri: ItemURI, tags: Tags, count: Int? = nil, mark: ItemMark = ItemMark(), isAway: Bool = false, places: [ItemURI] = []
    ) {
        self.uri = uri
        self.tags = tags
        self.count = count
        self.mark = mark
        self.isAway = isAway
        self.places = places
    }
}

/// Favourite and stars of an item on this hub. Every source has the same marks.
public struct ItemMark: Equatable, Sendable {
    public var isFavourite: Bool
    /// 1 to 5; 0 is not rated.
    public var stars: Int
    public var plays: Int
    /// Wall clock.
    public var lastPlayedMs: Int64?

    public init(isFavourite: Bool = false, stars: Int = 0, plays: Int = 0, lastPlayedMs: Int64? = nil) {
        self.isFavourite = isFavourite
        self.stars = stars
        self.plays = plays
        self.lastPlayedMs = lastPlayedMs
    }
}

/// A picture, by the name under which it can be asked for: its content decides the name, so a picture
/// of one name never changes.
public struct Artwork: Equatable, Sendable {
    public var id: String
    public var width: Int?
    public var height: Int?
    /// The picture in two colours, `0xRRGGBB`, ground first, for screens too small for it. Empty until
    /// they were computed.
    public var colours: [Int]

    public init(id: String, width: Int? = nil, height: Int? = nil, colours: [Int] = []) {
        self.id = id
        self.width = width
        self.height = height
        self.colours = colours
    }
}

/// In which order a container shows what is in it.
public enum ItemSort: String, Sendable, CaseIterable {
    case name, artist, year, added, played, plays, stars, track
}
