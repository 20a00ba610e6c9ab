import BatonCore
package import BatonProtocol

/// How `QueueHistoryList` and what belongs to it are written as JSON and read from it.
extension QueueHistoryList {
    /// Leaves out the oldest that are more than a page holds.
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { list in
            list.member("rev", revision)
            _ = list.member("list", rows, upTo: end) { row, list in list.object(row.encodeMembers) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        guard case .object(let object) = value else { throw ProtocolFault(.badRequest, "d must be an object.", at: "/d") }
        let fields = Fields(object, path: "/d")
        guard fields.has("list") else { throw fields.missing("list") }
        self.init(
            revision: try fields.required("rev", fields.count("rev")),
            rows: try fields.cappedList("list", Row.init(from:)).elements)
    }
}

extension QueueHistoryList.Row {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("what", what)
        writer.member("by", ifPresent: author.map { writer.shown($0, DisplayText(bytes: 128)) })
        writer.member("atMs", atMs)
        writer.member("n", count)
        if canUndo { writer.member("undo", true) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            what: try fields.required("what", fields.text("what")),
            author: try fields.text("by"),
            atMs: try fields.required("atMs", fields.int64("atMs")),
            count: try fields.count("n") ?? 0,
            canUndo: try fields.bool("undo") ?? false)
    }
}
