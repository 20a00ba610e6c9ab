package import BatonCore

/// A source of items. The library, servers, radio and generators all stand behind this seam.
///
/// Every verb may wait for as long as the source makes it, and none is called on the loop. A verb that a
/// source does not have is left to the defaults below, which say so in a sentence; `about` declares the others,
/// so that the hub does not have to try.
package protocol Connector: Sendable {
    /// The source's own word: its name in the hub, and the part of an item's URI before the colon.
    var source: String { get }

    /// What it is called, and what it can do.
    var about: SourceAbout { get }

    /// Whether it can be used now; a sentence for people when not.
    func check() async throws(SourceFault)

    /// Turns what a remote named into entries to queue, in order: a folder, a playlist or an album
    /// becomes its tracks.
    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry]

    /// Turns an item into something the player can open, checked anew each time.
    func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable

    /// What is kept of the sound of a station, whether it is heard now or not; `nil` where nothing is kept.
    func past(of uri: ItemURI) async throws(SourceFault) -> PastStation?

    /// What is in a container; without one, the shelves to begin at.
    func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage

    func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage

    func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails

    /// The picture as its maker left it. `name` is the source's own, without the source (`ArtworkID`).
    func picture(_ name: String) async throws(SourceFault) -> PictureSource

    /// `nil` when it has none.
    func lyrics(of uri: ItemURI) async throws(SourceFault) -> Lyrics?

    /// Tells the source what was done with its item here at this time (wall clock), if it wants to know.
    func writeBack(_ note: WriteBack, atMs: Int64) async throws(SourceFault)

    /// Whether the source shows that this note reached it, asked when the answer to it was lost; `nil` when that cannot be seen,
    /// and then the note is sent again only where twice is as good as once.
    func hasReached(_ note: WriteBack, atMs: Int64) async throws(SourceFault) -> Bool?

    /// Tracks that are like this one and can follow it.
    func similar(to uri: ItemURI, count: Int) async throws(SourceFault) -> [NewEntry]

    /// One step of a pass over everything that it has, in an order of its own, for the hub's mirror of it.
    func mirror(after cursor: String?) async throws(SourceFault) -> MirrorPage

    /// The bytes of the item as its source keeps them, for keeping and reading ahead: asking for them is no play.
    func download(_ uri: ItemURI) async throws(SourceFault) -> NamedBytes

    /// The queue that the account keeps at its server, or what another of its devices plays; `nil` when there is none now.
    func savedQueue() async throws(SourceFault) -> SavedQueue?

    /// Where the account's person is in a spoken item; `nil` where the server keeps no place.
    func place(of uri: ItemURI) async throws(SourceFault) -> ServerPlace?

    /// The next book of the series of a book; `nil` where there is none.
    func following(_ uri: ItemURI) async throws(SourceFault) -> ItemRow?

    /// Where the account's person is in what was begun there lately, and what has a place that the server lists.
    func places() async throws(SourceFault) -> [ItemURI: ServerPlace]

    /// Listens to what the server tells by itself, and returns when the connection has ended.
    func listen(_ told: @escaping @Sendable (SourceNews) async -> Void) async throws(SourceFault)

    /// Makes, changes or deletes one of its lists, and names it. `conflict` when the list has changed there meanwhile.
    func edit(_ edit: SourceListEdit) async throws(SourceFault) -> ItemURI

    /// Has the server look for new music.
    func rescan() async throws(SourceFault)

    /// Gives the server a file of music; a sentence says what became of it.
    func upload(_ content: NamedBytes) async throws(SourceFault) -> String

    /// Its rooms, in which several people hear the same.
    func rooms() async throws(SourceFault) -> ServerRooms

    /// Enters a room; the first news is how that is now.
    func enter(_ room: String) async throws(SourceFault) -> any ServerRoomConnection
}

/// Which rows are wanted: so many, from a place by number or from where the last page ended.
package struct PageWindow: Equatable, Sendable {
    package var from: Int
    package var limit: Int
    /// A page's own word for where the next begins. It wins over `from`.
    package var cursor: String?

    package init(from: Int = 0, limit: Int = 100, cursor: String? = nil) {
        self.from = from
        self.limit = limit
        self.cursor = cursor
    }

    /// The row with which the page begins, of sources whose cursors are numbers. Remotes may send any number, and sums with this one stay
    /// small.
    package var place: Int { min(max(0, cursor.flatMap { Int($0) } ?? from), 10_000_000) }
}

package struct BrowseQuery: Equatable, Sendable {
    package typealias Sort = ItemSort

    /// `nil` asks for the shelves.
    package var node: ItemURI?
    /// `nil` is the container's own order.
    package var sort: Sort?
    package var window: PageWindow

    package init(node: ItemURI? = nil, sort: Sort? = nil, window: PageWindow = PageWindow()) {
        self.node = node
        self.sort = sort
        self.window = window
    }
}

package struct SearchQuery: Equatable, Sendable {
    package var text: String
    /// Empty means all.
    package var kinds: [ItemKind]
    package var window: PageWindow
    /// Whether what has one typing mistake in a word is found, too, behind what has none, as far as the first page has room. For people
    /// who type; programs mean what they ask for.
    package var toleratesMistakes: Bool

    package init(_ text: String, kinds: [ItemKind] = [], window: PageWindow = PageWindow(), toleratesMistakes: Bool = false) {
        self.text = text
        self.kinds = kinds
        self.window = window
        self.toleratesMistakes = toleratesMistakes
    }
}

package struct ItemPage: Equatable, Sendable {
    package var rows: [ItemRow]
    /// Where the next page begins; `nil` at the end.
    package var cursor: String?
    /// How many there are, when that is known without counting.
    package var total: Int?
    /// Of a list that can be edited: its state, for `SourceListEdit.base`.
    package var version: String?

    package init(_ rows: [ItemRow] = [], cursor: String? = nil, total: Int? = nil, version: String? = nil) {
        self.rows = rows
        self.cursor = cursor
        self.total = total
        self.version = version
    }

    /// The part of a whole list that the window shows.
    package init(of list: [ItemRow], in window: PageWindow, version: String? = nil) {
        let part = Array(list.dropFirst(window.place).prefix(max(1, window.limit)))
        let end = window.place + part.count
        self.init(part, cursor: end < list.count ? String(end) : nil, total: list.count, version: version)
    }
}

/// Where a picture's own bytes are.
package enum PictureSource: Equatable, Sendable {
    /// A picture file whose real path was allowed.
    case file(String)
    /// The picture inside a file of music.
    case embedded(in: String)
    case bytes([UInt8])
}

/// What was done with an item here.
package enum WriteBack: Equatable, Sendable {
    case favourite(ItemURI, Bool)
    case stars(ItemURI, Int)
    /// Heard for long enough to count, since this time.
    case played(ItemURI, atMs: Int64)
    case nowPlaying(ItemURI)
    case progress(ServerPlaceNote)
    case queue([ItemURI], current: ItemURI?, ms: Int)
}

/// Why a source could not give what was asked for.
package struct SourceFault: Error, Equatable, Sendable {
    package enum Code: Equatable, Sendable {
        case notFound, forbidden, unreadable, unsupported, failed, tooLarge, badRequest, conflict, anchorGone, gone, keyMismatch, quota,
            invalidState
        /// The source is down, or the disk is full: the same may succeed later.
        case unavailable
        /// The caller gave the question up; it says nothing about the source.
        case cancelled
    }

    package var code: Code
    /// A sentence for people, naming what was asked for.
    package var sentence: String
    /// The caller stopped waiting for it, which may be the doing of a disk that does not answer.
    package var isLate = false
    /// With `conflict`: the revision that the list has now.
    package var revision: Int?
    /// With `unavailable`: how long the source asked to be left alone (`Retry-After`).
    package var retryAfterMs: Int?
    /// With `unavailable`: the request did not reach the source, or the source said that it did not act on it. Otherwise it is not
    /// known whether it did.
    package var isUntaken = false
    /// With `forbidden`: what a person can type to be let in.
    package var asks: Ask?

    package enum Ask: String, Sendable {
        /// That of an authenticator.
        case code
    }

    package init(_ code: Code, _ sentence: String, revision: Int? = nil) {
        self.code = code
        self.sentence = sentence
        self.revision = revision
    }

    package static let cancelled = SourceFault(.cancelled, "Cancelled before it was done.")
}

extension Connector {
    package var about: SourceAbout { SourceAbout(name: source) }
    package func check() async throws(SourceFault) {}
    package func past(of uri: ItemURI) async throws(SourceFault) -> PastStation? { nil }
    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage { throw cannot("be browsed") }
    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage { throw cannot("be searched") }
    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails { throw cannot("say more of an item") }
    package func picture(_ name: String) async throws(SourceFault) -> PictureSource { throw cannot("show pictures") }
    package func lyrics(of uri: ItemURI) async throws(SourceFault) -> Lyrics? { nil }
    package func writeBack(_ note: WriteBack, atMs: Int64) async throws(SourceFault) {}
    package func hasReached(_ note: WriteBack, atMs: Int64) async throws(SourceFault) -> Bool? { nil }
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
