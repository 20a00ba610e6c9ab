import BatonCore
package import BatonProtocol

/// The length of `ItemList` as JSON.
extension ItemList {
    /// Number of rows that fit into a page of `bytes`, with room for marks that are added later.
    package func fitting(_ bytes: Int) -> Int {
        // Nearly always all of them, which an estimate shows without encoding any.
        if rows.reduce(0, { $0 + $1.mostBytes + ItemRow.mostMarkBytes }) <= bytes { return rows.count }
        var writer = JSONWriter()
        var count = 0
        for row in rows {
            row.encode(into: &writer)
            guard writer.count + (count + 1) * ItemRow.mostMarkBytes <= bytes else { return count }
            count += 1
        }
        return count
    }
}
