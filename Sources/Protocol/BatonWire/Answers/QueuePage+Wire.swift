import BatonCore
package import BatonProtocol

/// How `QueueRow` and what belongs to it are written as JSON and read from it.
extension QueueRow {
    private static let longestURI = 1024

    package func encode(into writer: inout JSONWriter) {
        writer.object { row in
            row.member("entry", entry.text)
            if let uri, uri.text.utf8.count <= min(Self.longestURI, row.bounds.text) { row.member("uri", uri.text) }
            tags.encodeMembers(into: &row, textBytes: 256)
            row.flag("live", tags.isLive)
            guard !row.bounds.isTerse else { return }
            if let art = tags.art { row.member("art", object: { $0.member("id", art.id) }) }
            row.member("by", ifPresent: addedBy.map { row.shown($0, DisplayText(bytes: 128)) })
            if addedAtMs > 0 { row.member("addedMs", addedAtMs) }
            let told = ItemRow.told(alternatives)
            if !told.isEmpty { row.member("alt", told) }
            row.member("kept", ifPresent: kept?.percent)
            row.flag("left", kept?.hasLeft ?? false)
        }
    }

    init(from fields: Fields) throws(ProtocolFault) {
        let hasLeft = try fields.flag("left")
        var tags = try Tags(from: fields)
        tags.art = try fields.fields("art").map { art throws(ProtocolFault) in try Artwork(from: art) }
        self.init(
            entry: try fields.required("entry", fields.entry("entry")),
            uri: try fields.text("uri").map(ItemURI.init),
            tags: tags,
            addedBy: try fields.text("by"),
            addedAtMs: try fields.int64("addedMs") ?? 0,
            alternatives: (try fields.texts("alt") ?? []).map { ItemURI($0) },
            kept: try fields.count("kept").map { KeepMark(percent: $0, hasLeft: hasLeft) })
    }

    static func list(_ fields: Fields) throws(ProtocolFault) -> [QueueRow] {
        try fields.cappedList("rows", QueueRow.init(from:)).elements
    }
}

extension QueuePage {
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { page in
            page.member("rev", revision)
            page.member("len", length)
            page.member("cur", ifPresent: current?.text)
            page.member("from", ifPresent: from)
            page.member(
                "rows",
                array: { list in
                    for (index, row) in rows.enumerated() {
                        let before = list.count
                        row.encode(into: &list)
                        // A page without any row would have its client ask for ever.
                        if list.count > end, index > 0 { return list.truncate(to: before) }
                    }
                })
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        guard case .object(let object) = value else { throw ProtocolFault(.badRequest, "d must be an object.", at: "/d") }
        let fields = Fields(object, path: "/d")
        self.init(
            revision: try fields.required("rev", fields.count("rev")),
            length: try fields.required("len", fields.count("len")),
            current: try fields.entry("cur"),
            from: try fields.count("from"),
            rows: try QueueRow.list(fields))
    }
}
