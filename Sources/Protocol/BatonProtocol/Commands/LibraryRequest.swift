public import BatonCore

/// Commands about the items of sources: searching, browsing, marking, and the folders of the library.
public enum LibraryRequest: Equatable, Sendable {
    case search(Search)
    /// Without a node: the shelves of all sources.
    case browse(node: ItemURI?, sort: ItemSort?, isUnfolded: Bool = false, isAvailable: Bool = false, Page)
    case item(ItemURI, lyrics: Bool, media: Bool)
    case history(Page)
    case favourite(ItemURI, Bool)
    case stars(ItemURI, Int)
    /// Whether two items are kept apart.
    case split(ItemURI, from: ItemURI, Bool)
    /// With a path also the folders inside of that one.
    case folders(in: String? = nil)
    case setFolder(String, isWanted: Bool, holds: FolderContent? = nil)
    case scan(isFull: Bool)

    /// The words and filters of a search.
    public struct Search: Equatable, Sendable {
        package var text: String
        /// Empty means all.
        package var kinds: [ItemKind]
        /// `nil` asks every source that can be searched.
        package var source: String?
        /// Shows each place of a track as a row of its own.
        package var isUnfolded: Bool
        /// Only what can be played now.
        package var isAvailable: Bool
        package var page: Page

        package init(
            _ text: String, kinds: [ItemKind] = [], source: String? = nil, isUnfolded: Bool = false, isAvailable: Bool = false,
            page: Page = Page(limit: 80)
        ) {
            self.text = text
            self.kinds = kinds
            self.source = source
            self.isUnfolded = isUnfolded
            self.isAvailable = isAvailable
            self.page = page
        }
    }

    /// The rows that are wanted: their number, and where they begin, by a place or by the cursor of the page before.
    public struct Page: Equatable, Sendable {
        public var from: Int
        public var limit: Int
        public var cursor: String?

        public init(from: Int = 0, limit: Int = 100, cursor: String? = nil) {
            self.from = from
            self.limit = limit
            self.cursor = cursor
        }
    }
}

/// A picture at a size, over the artwork channel.
public struct ArtRequest: Equatable, Sendable {
    /// The format of a picture.
    public enum Format: String, Sendable, CaseIterable { case jpeg, png }

    package var id: String
    package var width: Int
    /// `nil` keeps the picture's shape.
    package var height: Int?
    package var format: Format

    package static let sides = 1...2048

    package init(id: String, width: Int, height: Int? = nil, format: Format = .jpeg) {
        self.id = id
        self.width = width
        self.height = height
        self.format = format
    }
}
