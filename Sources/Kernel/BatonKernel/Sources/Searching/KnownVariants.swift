package import BatonCore
import BatonProtocol
package import BatonSeams

/// The items that were recently shown as places of one track. With them a queued entry has alternatives, and a mark applies
/// to all places.
@Loop
package final class KnownPlaces {
    private var table = BoundedTable<[ItemURI]>(most: 10_000)

    var count: Int { table.count }

    func note(_ list: ItemList) {
        for row in list.rows where !row.places.isEmpty { note(row.places) }
        for row in list.joined { note(row.places) }
    }

    /// Stores the places of one track, best first.
    func note(_ places: [ItemURI]) {
        for uri in places { table.note(places, of: uri) }
    }

    /// Alternative places of this item's track; `nil` when none were shown.
    package func others(of uri: ItemURI) -> [ItemURI]? { table[uri]?.filter { $0 != uri } }

    /// Forgets the alternatives of these items, after a person has marked them as different tracks.
    package func forget(_ uris: [ItemURI]) { table.forget(uris.contains) }
}
