package import BatonCore
import BatonProtocol
package import BatonSeams

/// The items that were recently shown as variants of one track. With them a queued entry has alternatives, and a mark applies
/// to all variants.
@Loop
package final class KnownVariants {
    private var table = BoundedTable<[ItemURI]>(most: 10_000)

    var count: Int { table.count }

    func note(_ list: ItemList) {
        for row in list.rows where !row.variants.isEmpty { note(row.variants) }
        for row in list.joined { note(row.places) }
    }

    /// Stores the variants of one track, best first.
    func note(_ variants: [ItemURI]) {
        for uri in variants { table.note(variants, of: uri) }
    }

    /// Alternative variants of this item's track; `nil` when none were shown.
    package func others(of uri: ItemURI) -> [ItemURI]? { table[uri]?.filter { $0 != uri } }

    /// Forgets the alternatives of these items, after a person has marked them as different tracks.
    package func forget(_ uris: [ItemURI]) { table.forget(uris.contains) }
}
