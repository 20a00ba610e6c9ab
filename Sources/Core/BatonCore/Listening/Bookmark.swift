/// A place in an item that a person wants to find again.
public struct Bookmark: Equatable, Sendable {
    /// Never given to another one.
    public var id: Int
    public var place: BookmarkPlace
    public var note: String
    /// Who set it.
    public var author: String?
    /// Wall clock.
    public var atMs: Int64

    package init(id: Int, place: BookmarkPlace, note: String = "", author: String? = nil, atMs: Int64) {
        self.id = id
        self.place = place
        self.note = note
        self.author = author
        self.atMs = atMs
    }

    /// Beyond so many none is set.
    package static let most = 10_000
    package static let noteBytes = 1000
}

/// Where a bookmark lies, with the names that the item had then: they are shown also while its source is away.
public struct BookmarkPlace: Equatable, Sendable {
    public var uri: ItemURI
    public var positionMs: Int
    public var title: String
    public var album: String
    public var chapter: String

    package init(uri: ItemURI, positionMs: Int, title: String, album: String = "", chapter: String = "") {
        self.uri = uri
        self.positionMs = positionMs
        self.title = title
        self.album = album
        self.chapter = chapter
    }
}

/// What is to become of a bookmark; what is `nil` stays.
public struct BookmarkEdit: Equatable, Sendable {
    public var note: String?
    public var positionMs: Int?
    /// It was deleted and is to be there again.
    public var restores: Bool

    public init(note: String? = nil, positionMs: Int? = nil, restores: Bool = false) {
        self.note = note
        self.positionMs = positionMs
        self.restores = restores
    }
}

extension Room {
    /// The place that is heard, or another one in the same item.
    package func bookmarkPlace(atMs positionMs: Int?, at now: Moment) throws(Refusal) -> BookmarkPlace {
        guard let entry = currentEntry else { throw Refusal(.invalidState, "Nothing is playing, so there is no place to mark.") }
        if entry.tags.isLive || entry.tags.kind == .station { throw Refusal(.invalidState, "A live station has no place to mark.") }
        let position = entry.bounded(positionMs ?? self.positionMs(at: now))
        let chapter = chapters.index(atMs: position).flatMap(chapter)?.title ?? ""
        return BookmarkPlace(uri: entry.uri, positionMs: position, title: entry.tags.title, album: entry.tags.album, chapter: chapter)
    }
}
