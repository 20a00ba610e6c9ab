public import BatonCore

/// What is asked about the things that sources offer, and what is said of them.
public enum LibraryRequest: Equatable, Sendable {
    case search(Search)
    /// Without a node: the shelves of all sources.
    case browse(node: ItemURI?, sort: ItemSort?, Page)
    case item(ItemURI, lyrics: Bool, media: Bool)
    case history(Page)
    case favourite(ItemURI, Bool)
    case stars(ItemURI, Int)
    case folders
    case setFolder(String, isWanted: Bool)
    case scan(isFull: Bool)

    /// What a search asks for.
    public struct Search: Equatable, Sendable {
        package var text: String
        /// Empty means all.
        package var kinds: [ItemKind]
        /// `nil` asks every source that can be searched.
        package var source: String?
        package var page: Page

        package init(_ text: String, kinds: [ItemKind] = [], source: String? = nil, page: Page = Page(limit: 80)) {
            self.text = text
            self.kinds = kinds
            self.source = source
            self.page = page
        }
    }

    /// Which rows: so many, from a place by number or from where the last page ended.
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
