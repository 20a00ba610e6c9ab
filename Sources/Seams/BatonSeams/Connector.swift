package import BatonCore

/// A source of items: the library, a server, radio or a generator.
///
/// Every call may take as long as the source needs, and none runs on the loop. Calls that a source does not support have defaults below, which throw
/// a sentence; `about` declares the others, so that the hub need not try.
package protocol Connector: Sendable {
    /// The name of the source in the hub, and the scheme of its items' URIs.
    var source: String { get }

    /// The title and the abilities of the source.
    var about: SourceAbout { get }

    /// Throws a sentence for people when the source cannot be used now.
    func check() async throws(SourceFault)

    /// The entries for a named item, in order: a folder, a playlist or an album becomes its tracks.
    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry]

    /// The playable form of an item, checked anew each time.
    func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable

    /// The recorded past of a station, whether it plays now or not; `nil` where nothing is recorded.
    func past(of uri: ItemURI) async throws(SourceFault) -> StationWithPast?

    /// The items of a container, or the shelves of the source without one.
    func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage

    /// The items that match a text, in the order of the source.
    func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage

    /// Everything about one item, for people who look at it.
    func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails

    /// The original picture. `name` is the source's own, without the source (`ArtworkID`).
    func picture(_ name: String) async throws(SourceFault) -> PictureSource

    /// The lyrics; `nil` when there are none.
    func lyrics(of uri: ItemURI) async throws(SourceFault) -> Lyrics?

    /// Tells the source, if it wants to know, what happened to its item here at this time (wall clock).
    func writeBack(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault)

    /// True when the source shows the effect of this note. Asked after its answer was lost; with `nil`, which means unknown, the note is sent again
    /// only if receiving it twice does no harm.
    func hasReached(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) -> Bool?

    /// Tracks that are similar to this one and can follow it.
    func similar(to uri: ItemURI, count: Int) async throws(SourceFault) -> [NewEntry]

    /// One step of a pass over all items of the source, in its own order, for the hub's mirror.
    func mirror(after cursor: String?) async throws(SourceFault) -> MirrorPage

    /// The original bytes of the item, for keeping and reading ahead; they do not count as a play.
    func download(_ uri: ItemURI) async throws(SourceFault) -> NamedBytes

    /// The queue that the server stores for the account, or that another of its devices plays; `nil` when there is none.
    func savedQueue() async throws(SourceFault) -> SavedQueue?

    /// The place of the account's person in a spoken item; `nil` where the server stores none.
    func place(of uri: ItemURI) async throws(SourceFault) -> ServerPlace?

    /// The next book in the series of a book; `nil` where there is none.
    func following(_ uri: ItemURI) async throws(SourceFault) -> ItemRow?

    /// The places of the account's person in recently begun items, and in others that the server lists.
    func places() async throws(SourceFault) -> [ItemURI: ServerPlace]

    /// Receives messages that the server sends by itself, until the connection ends.
    func listen(_ told: @escaping @Sendable (SourceNews) async -> Void) async throws(SourceFault)

    /// Creates, changes or deletes a list of the source, and returns its URI. `conflict` when the list has changed there meanwhile.
    func edit(_ edit: SourceListEdit) async throws(SourceFault) -> ItemURI

    /// Makes the server look for new music.
    func rescan() async throws(SourceFault)

    /// Uploads a music file; the returned sentence says what the server did with it.
    func upload(_ content: NamedBytes) async throws(SourceFault) -> String

    /// The rooms of the server, in which several people hear the same.
    func rooms() async throws(SourceFault) -> ServerRooms

    /// Enters a room; the first news is its present state.
    func enter(_ room: String) async throws(SourceFault) -> any ServerRoomConnection
}

/// The part of a list that is requested: a number of rows, from an index or from the end of the last page.
package struct PageWindow: Equatable, Sendable {
    /// The index of the first row, from 0.
    package var from: Int
    /// Number of rows at most; a source may return fewer and still have more.
    package var limit: Int
    /// The source's own mark of where the next page begins. It takes precedence over `from`.
    package var cursor: String?

    package init(from: Int = 0, limit: Int = 100, cursor: String? = nil) {
        self.from = from
        self.limit = limit
        self.cursor = cursor
    }

    /// The first row of the page, for sources with numeric cursors. Remotes may send any number, so it is limited to keep sums small.
    package var offset: Int { min(max(0, cursor.flatMap { Int($0) } ?? from), 10_000_000) }
}

/// A request for a part of a container.
package struct BrowseQuery: Equatable, Sendable {
    /// The orders that a container may offer.
    package typealias Sort = ItemSort

    /// The container; `nil` for the shelves.
    package var node: ItemURI?
    /// The order; `nil` for the container's own.
    package var sort: Sort?
    package var window: PageWindow

    package init(node: ItemURI? = nil, sort: Sort? = nil, window: PageWindow = PageWindow()) {
        self.node = node
        self.sort = sort
        self.window = window
    }
}

/// A request for items by words.
package struct SearchQuery: Equatable, Sendable {
    /// The text as it was typed; each source decides how it matches.
    package var text: String
    /// The kinds of items to find; empty means all.
    package var kinds: [ItemKind]
    package var window: PageWindow
    /// True to find items with one typing mistake in a word too, after exact matches and only on the first page. For people who type; programs mean
    /// exactly what they ask for.
    package var toleratesMistakes: Bool

    package init(_ text: String, kinds: [ItemKind] = [], window: PageWindow = PageWindow(), toleratesMistakes: Bool = false) {
        self.text = text
        self.kinds = kinds
        self.window = window
        self.toleratesMistakes = toleratesMistakes
    }
}

/// A part of a list, with the means to get the next one.
package struct ItemPage: Equatable, Sendable {
    /// The rows in the order of the list.
    package var rows: [ItemRow]
    /// The cursor of the next page; `nil` at the end.
    package var cursor: String?
    /// The number of all rows, if it is known without counting.
    package var total: Int?
    /// The state of an editable list, for `SourceListEdit.base`.
    package var version: String?

    package init(_ rows: [ItemRow] = [], cursor: String? = nil, total: Int? = nil, version: String? = nil) {
        self.rows = rows
        self.cursor = cursor
        self.total = total
        self.version = version
    }

    /// The part of a complete list that the window shows.
    package init(of list: [ItemRow], in window: PageWindow, version: String? = nil) {
        let part = Array(list.dropFirst(window.offset).prefix(max(1, window.limit)))
        let end = window.offset + part.count
        self.init(part, cursor: end < list.count ? String(end) : nil, total: list.count, version: version)
    }
}

/// The origin of a picture's bytes.
package enum PictureSource: Equatable, Sendable {
    /// A picture file whose real path was permitted.
    case file(String)
    /// The picture inside a music file.
    case embedded(in: String)
    /// The bytes themselves, as a server sent them.
    case bytes([UInt8])
}

/// An event about an item on this hub.
package enum WriteBack: Equatable, Sendable {
    /// The person has made the item a favourite, or has taken that back.
    case favourite(ItemURI, Bool)
    /// The person has rated the item from 1 to 5, or has removed the rating with 0.
    case stars(ItemURI, Int)
    /// The item was heard long enough to count as played; `atMs` is when it began.
    case played(ItemURI, atMs: Milliseconds)
    /// The item has begun to play.
    case nowPlaying(ItemURI)
    /// The person has reached a place in a spoken item.
    case progress(ServerPlaceNote)
    /// A room has these items in its queue, with the position in the current one.
    case queue([ItemURI], current: ItemURI?, ms: Milliseconds)
}

/// The reason why a source could not answer a request.
package struct SourceFault: Error, Equatable, Sendable {
    /// The kind of fault, for decisions of the hub.
    package enum Code: Equatable, Sendable {
        case notFound, forbidden, unreadable, unsupported, failed, tooLarge, badRequest, conflict, anchorGone, gone, keyMismatch, quota,
            invalidState
        /// The source is down or the disk is full, so the request may succeed later.
        case unavailable
        /// The caller cancelled the request, which says nothing about the source.
        case cancelled
    }

    package var code: Code
    /// A sentence for people that names what was requested.
    package var sentence: String
    /// True when the caller stopped waiting, perhaps because of a disk that does not answer.
    package var isLate = false
    /// The present revision of the list, with `conflict`.
    package var revision: Int?
    /// The delay that the source asked for (`Retry-After`), with `unavailable`.
    package var retryAfterMs: Milliseconds?
    /// True with `unavailable` when the request did not reach the source, or the source said that it did not act on it. Otherwise that is unknown.
    package var isUntaken = false
    /// The further input that lets a person in, with `forbidden`.
    package var asks: Ask?

    package enum Ask: String, Sendable {
        /// A code from an authenticator.
        case code
    }

    /// A fault; `retryAfterMs`, `isLate` and the others are set afterwards where they apply.
    package init(_ code: Code, _ sentence: String, revision: Int? = nil) {
        self.code = code
        self.sentence = sentence
        self.revision = revision
    }

    /// The fault of a request that its caller has given up.
    package static let cancelled = SourceFault(.cancelled, "Cancelled before it was done.")
}

extension Connector {
    /// Default for a source with nothing but its name.
    package var about: SourceAbout { SourceAbout(name: source) }
    /// Default for a source that is always there.
    package func check() async throws(SourceFault) {}
    package func past(of uri: ItemURI) async throws(SourceFault) -> StationWithPast? { nil }
    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage { throw cannot("be browsed") }
    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage { throw cannot("be searched") }
    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails { throw cannot("say more of an item") }
    package func picture(_ name: String) async throws(SourceFault) -> PictureSource { throw cannot("show pictures") }
    package func lyrics(of uri: ItemURI) async throws(SourceFault) -> Lyrics? { nil }
    package func writeBack(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) {}
    package func hasReached(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) -> Bool? { nil }
    package func similar(to uri: ItemURI, count: Int) async throws(SourceFault) -> [NewEntry] { throw cannot("say what is alike") }
    package func mirror(after cursor: String?) async throws(SourceFault) -> MirrorPage { throw cannot("be mirrored") }
    package func download(_ uri: ItemURI) async throws(SourceFault) -> NamedBytes { throw cannot("be downloaded from") }
    package func savedQueue() async throws(SourceFault) -> SavedQueue? { nil }
    package func place(of uri: ItemURI) async throws(SourceFault) -> ServerPlace? { nil }
    package func following(_ uri: ItemURI) async throws(SourceFault) -> ItemRow? { nil }
    package func places() async throws(SourceFault) -> [ItemURI: ServerPlace] { [:] }
    package func listen(_ told: @escaping @Sendable (SourceNews) async -> Void) async throws(SourceFault) { throw cannot("be listened to") }
    package func edit(_ edit: SourceListEdit) async throws(SourceFault) -> ItemURI { throw cannot("have its lists edited") }
    package func rescan() async throws(SourceFault) { throw cannot("be told to look for new music") }
    package func upload(_ content: NamedBytes) async throws(SourceFault) -> String { throw cannot("take files") }
    package func rooms() async throws(SourceFault) -> ServerRooms { throw cannot("be joined: it has no rooms") }
    package func enter(_ room: String) async throws(SourceFault) -> any ServerRoomConnection { throw cannot("be joined: it has no rooms") }

    private func cannot(_ what: String) -> SourceFault { SourceFault(.unsupported, "The source “\(about.name)” cannot \(what).") }
}
