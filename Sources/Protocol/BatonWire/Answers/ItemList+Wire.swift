import BatonCore
package import BatonProtocol

/// The JSON form of `ItemList` and its parts.
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

    /// Writes all rows, because the hub has cut the list by `fitting` before.
    package func encode(into writer: inout JSONWriter, bytes _: Int) {
        writer.object { page in
            if let node { page.member("node", object: node.encodeMembers) }
            page.member("rows", array: { list in for row in rows { row.encode(into: &list) } })
            page.member("cursor", ifPresent: cursor)
            page.member("total", ifPresent: total)
            page.member("version", ifPresent: version)
            if !asked.isEmpty { page.member("asked", asked) }
            if !missed.isEmpty { page.member("missed", missed) }
            let joined = joined.filter { ItemRow.told($0.places).count > 1 }
            if !joined.isEmpty { page.member("joined", array: { list in for row in joined { row.encode(into: &list) } }) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("rows") else { throw fields.missing("rows") }
        self.init(
            node: try fields.fields("node").map { node throws(ProtocolFault) in try ItemRow(from: node) },
            try fields.cappedList("rows", ItemRow.init(from:)).elements,
            cursor: try fields.text("cursor"),
            total: try fields.count("total"))
        version = try fields.text("version")
        asked = try fields.texts("asked") ?? []
        missed = try fields.texts("missed") ?? []
        joined = try fields.cappedList("joined", Joined.init(from:)).elements
    }
}

extension ItemList.Joined {
    fileprivate func encode(into writer: inout JSONWriter) {
        writer.object { row in
            row.member("uri", uri.text)
            row.member("places", ItemRow.told(places))
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            uri: ItemURI(try fields.required("uri", fields.text("uri"))), places: (try fields.texts("places") ?? []).map { ItemURI($0) })
    }
}
