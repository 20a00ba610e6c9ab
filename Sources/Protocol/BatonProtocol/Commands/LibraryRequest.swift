public import BatonCore

/// Commands about the items of sources: searching, browsing, marking, and the folders of the library.
public enum LibraryRequest: Equatable, Sendable {
    case search(Search)
    /// Without a node: the shelves of all sources.
    case browse(node: ItemURI?, sort: ItemSort?, isUnfolded: Bool = false, isAvailable: Bool = false, PageRequest)
    case item(ItemURI, lyrics: Bool, media: Bool)
    case history(PageRequest)
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
        package var page: PageRequest

        package init(
            _ text: String, kinds: [ItemKind] = [], source: String? = nil, isUnfolded: Bool = false, isAvailable: Bool = false,
            page: PageRequest = PageRequest(limit: 80)
        ) {
            self.text = text
            self.kinds = kinds
            self.source = source
            self.isUnfolded = isUnfolded
            self.isAvailable = isAvailable
            self.page = page
        }
    }
}

/// A picture at a size, over the artwork channel.
public struct ArtRequest: Equatable, Sendable {
    package var id: String
    package var width: Int
    /// `nil` keeps the picture's shape.
    package var height: Int?
    package var format: ArtFormat

    package init(id: String, width: Int, height: Int? = nil, format: ArtFormat = .jpeg) {
        self.id = id
        self.width = width
        self.height = height
        self.format = format
    }
}
