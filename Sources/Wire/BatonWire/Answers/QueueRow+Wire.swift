import BatonCore
package import BatonProtocol

/// The JSON form of `QueueRow`.
extension QueueRow {
    private static let longestURI = 1024

    /// Writes the row. In a short message it has only the entry, the URI and the tags.
    package func encode(into writer: inout JSONWriter) { writer.object(encodeMembers) }

    func encodeMembers(into row: inout JSONWriter) {
        row.member("entry", entry.text)
        if let uri, uri.text.utf8.count <= min(Self.longestURI, row.bounds.text) { row.member("uri", uri.text) }
        tags.encodeMembers(into: &row, textBytes: 256)
        row.flag("live", tags.isLive)
        guard !row.bounds.isTerse else { return }
        if let art = tags.art { row.member("art", object: { $0.member("id", art.id) }) }
        row.member("by", ifPresent: addedBy.map { row.shown($0, DisplayText(bytes: 128)) })
        if addedAtMs > 0 { row.member("addedMs", addedAtMs) }
        let told = ItemRow.shownVariants(alternatives)
        if !told.isEmpty { row.member("alt", told.map(\.text)) }
        row.member("kept", ifPresent: kept?.percent)
        row.flag("left", kept?.hasLeft ?? false)
    }

    init(from fields: Fields) throws(ProtocolFault) {
        let hasLeft = try fields.flag("left")
        self.init(
            entry: try fields.required("entry", fields.entry("entry")),
            uri: try fields.text("uri").map(ItemURI.init),
            tags: try Tags(from: fields),
            addedBy: try fields.text("by"),
            addedAtMs: Milliseconds(try fields.int64("addedMs") ?? 0),
            alternatives: (try fields.texts("alt") ?? []).map { ItemURI($0) },
            kept: try fields.count("kept").map { KeepMark(percent: $0, hasLeft: hasLeft) })
    }
}
