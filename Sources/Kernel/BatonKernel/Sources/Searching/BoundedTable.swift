package import BatonCore

/// Values that were noted of items lately. It holds at most so many; the oldest are forgotten.
package struct BoundedTable<Value> {
    private let most: Int
    private var values: [ItemURI: Value] = [:]
    private var order: [ItemURI] = []

    init(most: Int) { self.most = most }

    package var count: Int { values.count }

    package subscript(uri: ItemURI) -> Value? { values[uri] }

    package mutating func note(_ value: Value, of uri: ItemURI) {
        if values.updateValue(value, forKey: uri) == nil { order.append(uri) }
        guard order.count > most else { return }
        // Many at once, since it moves all that stay.
        let surplus = order.count - most * 3 / 4
        for uri in order.prefix(surplus) { values[uri] = nil }
        order.removeFirst(surplus)
    }

    package mutating func forget(_ isMeant: (ItemURI) -> Bool) {
        guard order.contains(where: isMeant) else { return }
        for uri in order where isMeant(uri) { values[uri] = nil }
        order.removeAll(where: isMeant)
    }
}
