/// A place in an item that a person wants to find again.
public struct Bookmark: Equatable, Sendable {
    /// The number of the bookmark, never used for another one.
    public var id: Int
    /// The place, with the names of the item at that time.
    public var place: BookmarkPlace
    /// The words of the person; empty for none, at most `noteBytes`.
    public var note: String
    /// The person who set it.
    public var author: String?
    /// Wall clock time.
    public var atMs: Milliseconds

    package init(id: Int, place: BookmarkPlace, note: String = "", author: String? = nil, atMs: Milliseconds) {
        self.id = id
        self.place = place
        self.note = note
        self.author = author
        self.atMs = atMs
    }

    /// Maximum number of bookmarks.
    package static let most = 10_000
    /// Maximum length of a note in bytes; a longer one is refused.
    package static let noteBytes = 1000
}

/// The place of a bookmark, with the item's names at that time, which are shown even while its source is unavailable.
public struct BookmarkPlace: Equatable, Sendable {
    /// The item, which may have left its source since; the texts beside it show it then.
    public var uri: ItemURI
    /// The position in the item, within its length where that is known.
    public var positionMs: Milliseconds
    /// The title of the item at that time.
    public var title: String
    /// The album or podcast at that time; empty for none.
    public var album: String
    /// The title of the chapter at that time; empty where there was none.
    public var chapter: String

    package init(uri: ItemURI, positionMs: Milliseconds, title: String, album: String = "", chapter: String = "") {
        self.uri = uri
        self.positionMs = positionMs
        self.title = title
        self.album = album
        self.chapter = chapter
    }
}

/// A change of a bookmark; `nil` leaves a field as it is.
public struct BookmarkEdit: Equatable, Sendable {
    /// The note that replaces the old one; empty text removes it.
    public var note: String?
    /// The position that replaces the old one.
    public var positionMs: Milliseconds?
    /// True to restore a deleted bookmark.
    public var restores: Bool

    public init(note: String? = nil, positionMs: Milliseconds? = nil, restores: Bool = false) {
        self.note = note
        self.positionMs = positionMs
        self.restores = restores
    }
}

extension Room {
    /// The current place, or another one in the same item.
    package func bookmarkPlace(atMs positionMs: Milliseconds?, at now: Moment) throws(Refusal) -> BookmarkPlace {
        guard let entry = currentEntry else { throw Refusal(.invalidState, "Nothing is playing, so there is no place to mark.") }
        if entry.tags.isLive || entry.tags.kind == .station { throw Refusal(.invalidState, "A live station has no place to mark.") }
        let position = entry.bounded(positionMs ?? self.positionMs(at: now))
        let chapter = chapters.index(atMs: position).flatMap(chapter)?.title ?? ""
        return BookmarkPlace(uri: entry.uri, positionMs: position, title: entry.tags.title, album: entry.tags.album, chapter: chapter)
    }
}
