/// The shelves of the library, and the orders in which their rows can be sorted.
import BatonCore
import BatonSeams
import SQLite

struct Shelf: Sendable {
    var shape: RowShape
    /// Tables to read from, if more than one is needed.
    var source: String?
    var filter: String
    var values: [Database.Value] = []
    /// Default order.
    var own: Order
    var orders: [BrowseQuery.Sort: Order] = [:]

    struct Order: Sendable {
        var columns: [String]
        var isDescending = false

        static func up(_ columns: String...) -> Order { Order(columns: columns) }
        static func down(_ columns: String...) -> Order { Order(columns: columns, isDescending: true) }
    }

    func listing(_ sort: BrowseQuery.Sort?) -> Listing {
        let order = sort.flatMap { orders[$0] } ?? own
        return Listing(
            shape: shape, source: source, filter: filter, values: values, order: order.columns, isDescending: order.isDescending)
    }

    static let order: [(name: String, title: String)] = [
        ("albums", "Albums"), ("artists", "Artists"), ("composers", "Composers"), ("genres", "Genres"), ("years", "Years"),
        ("labels", "Labels"), ("folders", "Folders"), ("tracks", "Tracks"), ("books", "Books"), ("series", "Series"),
        ("authors", "Authors"),
        ("narrators", "Narrators"),
        ("favourites", "Favourites"), ("recent", "Recently played"), ("most", "Most played"), ("added", "Recently added"),
        ("playlists", "Playlists"), ("random", "Random"),
    ]

    static let all: [String: Shelf] = [
        "albums": holders(.album), "artists": holders(.artist), "composers": holders(.composer), "genres": holders(.genre),
        "years": Shelf(shape: .year, filter: "TRUE", own: .down("release_year.id")), "labels": holders(.label),
        "folders": Shelf(shape: .folder, filter: "parent IS NULL AND (is_wanted = 1 OR tracks > 0)", own: .up("sort", "folder.id")),
        "tracks": Shelf(shape: .track, filter: LibraryDatabase.isMusic, own: .up("track.sort_title", "track.id"), orders: trackOrders),
        "added": Shelf(shape: .track, filter: LibraryDatabase.isMusic, own: .down("track.id"), orders: trackOrders),
        "books": Shelf(
            shape: .track, source: "track INDEXED BY book_by_title", filter: "track.is_gone = 0 AND track.kind = 'book'",
            own: .up("track.sort_title", "track.id"), orders: bookOrders),
        "series": holders(.series), "authors": holders(.author), "narrators": holders(.narrator),
        "favourites": Shelf(shape: .item, filter: "favourite_ms > 0", own: .down("favourite_ms", "item.id"), orders: itemOrders),
        "recent": Shelf(shape: .item, filter: "item.plays > 0", own: .down("item.played_ms", "item.id"), orders: itemOrders),
        "most": Shelf(shape: .item, filter: "item.plays > 0", own: .down("item.plays", "item.id"), orders: itemOrders),
        "playlists": Shelf(shape: .playlist, filter: "TRUE", own: .up("fold", "playlist.id")),
    ]

    private static func holders(_ kind: ItemKind) -> Shelf {
        Shelf(
            shape: .holder, filter: "holder.kind = ?", values: [.text(kind.rawValue)], own: .up("holder.sort", "holder.id"),
            orders: holderOrders)
    }

    static let trackOrders: [BrowseQuery.Sort: Order] = [
        .name: .up("track.sort_title", "track.id"),
        .artist: .up("track.sort_artist", "track.holder", "track.disc", "track.track", "track.id"),
        .year: .down("track.year", "track.id"),
        .added: .down("track.id"),
        .played: .down("track.played_ms", "track.id"),
        .plays: .down("track.plays", "track.id"),
        .stars: .down("track.stars", "track.id"),
        .track: .up("track.holder", "track.disc", "track.track", "track.id"),
    ]

    private static let bookOrders = trackOrders.merging([
        .artist: .up("track.sort_artist", "track.series", "track.place", "track.sort_title", "track.id")
    ]) { $1 }

    static let holderOrders: [BrowseQuery.Sort: Order] = [
        .name: .up("holder.sort", "holder.id"),
        .artist: .up("holder.sort_artist", "holder.year", "holder.sort", "holder.id"),
        .year: .down("holder.year", "holder.id"),
        .added: .down("holder.added_ms", "holder.id"),
        .plays: .down("holder.plays", "holder.id"),
    ]

    private static let itemOrders: [BrowseQuery.Sort: Order] = [
        .name: .up("item.title", "item.id"), .artist: .up("item.artists", "item.title", "item.id"), .year: .down("item.year", "item.id"),
        .played: .down("item.played_ms", "item.id"), .plays: .down("item.plays", "item.id"), .stars: .down("item.stars", "item.id"),
    ]
}

extension Listing {
    static func tracks(
        where filter: String, values: [Database.Value], sort: BrowseQuery.Sort?, own: [String], from source: String? = nil
    ) -> Listing {
        let order = sort.flatMap { $0 == .track ? nil : Shelf.trackOrders[$0] } ?? Shelf.Order(columns: own)
        return Listing(
            shape: .track, source: source, filter: filter, values: values, order: order.columns, isDescending: order.isDescending)
    }

    /// Albums that have a track of this artist or label.
    static func albums(ofMembers id: Int64, _ sort: BrowseQuery.Sort?) -> Listing {
        let order = sort.flatMap { Shelf.holderOrders[$0] } ?? .up("holder.year", "holder.sort", "holder.id")
        return Listing(
            shape: .holder,
            filter: """
                holder.id IN (SELECT track.holder FROM member CROSS JOIN track ON track.id = member.track WHERE member.holder = ?)
                """, values: [.int(id)], order: order.columns, isDescending: order.isDescending)
    }

    static func tracks(ofMembersWithoutAlbum id: Int64, _ sort: BrowseQuery.Sort?) -> Listing {
        .tracks(
            where: "member.holder = ? AND track.holder = 0", values: [.int(id)], sort: sort, own: ["track.sort_title", "track.id"],
            from: "member JOIN track ON track.id = member.track")
    }

    static func albums(ofYear year: Int64, _ sort: BrowseQuery.Sort?) -> Listing {
        let order = sort.flatMap { Shelf.holderOrders[$0] } ?? .up("holder.sort", "holder.id")
        return Listing(
            shape: .holder, filter: "holder.kind = 'album' AND holder.year = ?", values: [.int(year)], order: order.columns,
            isDescending: order.isDescending)
    }

    static func tracks(ofYearWithoutAlbum year: Int64, _ sort: BrowseQuery.Sort?) -> Listing {
        .tracks(
            where: "\(LibraryDatabase.isMusic) AND track.year = ? AND track.holder = 0", values: [.int(year)], sort: sort,
            own: ["track.sort_title", "track.id"])
    }

    /// Tracks of a composer or a genre.
    static func tracks(ofMembers id: Int64, _ sort: BrowseQuery.Sort?) -> Listing {
        .tracks(
            where: "member.holder = ?", values: [.int(id)], sort: sort, own: ["member.track"],
            from: "member JOIN track ON track.id = member.track")
    }

    /// Books of a series, an author or a narrator, sorted by series and number.
    static func books(of id: Int64, _ sort: BrowseQuery.Sort?) -> Listing {
        .tracks(
            where: "member.holder = ?", values: [.int(id)], sort: sort,
            own: ["track.series", "track.place", "track.sort_title", "track.id"],
            from: "member JOIN track ON track.id = member.track")
    }

    static func folders(in id: Int64) -> Listing {
        Listing(shape: .folder, filter: "parent = ? AND tracks > 0", values: [.int(id)], order: ["folder.sort", "folder.id"])
    }

    static func tracks(inFolder id: Int64, _ sort: BrowseQuery.Sort?) -> Listing {
        .tracks(
            where: "file.folder = ? AND track.is_gone = 0", values: [.int(id)], sort: sort, own: ["file.name", "track.part", "track.id"],
            from: "file JOIN track ON track.file = file.id")
    }
}
