package import BatonCore

/// Recent values by item, up to a limit. The oldest are dropped.
package struct BoundedTable<Value> {
    private let most: Int
    private var values: [ItemURI: Value] = [:]
    private var order: [ItemURI] = []

    init(most: Int) { self.most = most }

    var count: Int { values.count }

    /// The value of an item; `nil` if it was never noted or has been dropped. Reading does not make it newer.
    package subscript(uri: ItemURI) -> Value? { values[uri] }

    mutating func note(_ value: Value, of uri: ItemURI) {
        if values.updateValue(value, forKey: uri) == nil { order.append(uri) }
        guard order.count > most else { return }
        // Several entries are dropped at once, since each removal moves all that remain.
        let surplus = order.count - most * 3 / 4
        for uri in order.prefix(surplus) { values[uri] = nil }
        order.removeFirst(surplus)
    }

    mutating func forget(_ isMeant: (ItemURI) -> Bool) {
        guard order.contains(where: isMeant) else { return }
        for uri in order where isMeant(uri) { values[uri] = nil }
        order.removeAll(where: isMeant)
    }
}
