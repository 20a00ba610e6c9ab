public import BatonCore

/// Commands about bookmarks.
public enum BookmarkRequest: Equatable, Sendable {
    case add(BookmarkTarget, note: String)
    /// Those of an item, or all.
    case list(ItemURI?, PageRequest)
    case edit(Int, BookmarkEdit)
    case delete(Int)
}

/// Which place is to be marked.
public enum BookmarkTarget: Equatable, Sendable {
    /// In what plays; where the room is when no position is named. Nothing happens when another entry than this plays.
    case current(EntryID?, positionMs: Int?)
    case item(ItemURI, positionMs: Int)
}
