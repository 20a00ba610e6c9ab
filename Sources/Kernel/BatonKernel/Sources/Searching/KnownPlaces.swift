package import BatonCore
import BatonProtocol
package import BatonSeams

/// Which items were shown as places of one track lately: an entry that is queued and a mark that is set reach the others, too.
@Loop
package final class KnownPlaces {
    private var table = BoundedTable<[ItemURI]>(most: 10_000)

    package var count: Int { table.count }

    func note(_ list: ItemList) {
        for row in list.rows where !row.places.isEmpty { note(row.places) }
        for row in list.joined { note(row.places) }
    }

    /// Best first.
    package func note(_ places: [ItemURI]) {
        for uri in places { table.note(places, of: uri) }
    }

    /// The other places of this item's track; `nil` when nothing was shown of it.
    package func others(of uri: ItemURI) -> [ItemURI]? { table[uri]?.filter { $0 != uri } }

    package func forget(_ uris: [ItemURI]) { table.forget(uris.contains) }
}
