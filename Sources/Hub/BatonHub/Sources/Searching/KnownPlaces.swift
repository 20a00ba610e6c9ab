import BatonCore
import BatonProtocol
import BatonSeams

/// Which items were shown as places of one track lately: an entry that is queued and a mark that is set reach the others, too.
@Loop
final class KnownPlaces {
    /// Bounds the memory; the oldest are forgotten.
    private static let most = 10_000

    private var placesByItem: [ItemURI: [ItemURI]] = [:]
    private var order: [ItemURI] = []

    var count: Int { placesByItem.count }

    func note(_ list: ItemList) {
        for row in list.rows where !row.places.isEmpty { note(row.places) }
        for row in list.joined { note(row.places) }
    }

    /// Best first.
    func note(_ places: [ItemURI]) {
        for uri in places {
            if placesByItem.updateValue(places, forKey: uri) == nil { order.append(uri) }
        }
        guard order.count > Self.most else { return }
        // Many at once, since it moves all that stay.
        let surplus = order.count - Self.most * 3 / 4
        for uri in order.prefix(surplus) { placesByItem[uri] = nil }
        order.removeFirst(surplus)
    }

    /// The other places of this item's track; `nil` when nothing was shown of it.
    func others(of uri: ItemURI) -> [ItemURI]? {
        placesByItem[uri]?.filter { $0 != uri }
    }

    func forget(_ uris: [ItemURI]) {
        for uri in uris where placesByItem.removeValue(forKey: uri) != nil { order.removeAll { $0 == uri } }
    }
}
