import BatonCore
package import BatonProtocol

/// How `ProgressList` and what belongs to it are written as JSON and read from it.
extension ProgressList {
    /// Leaves out the rows that do not fit into a page; the cursor says where they begin.
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { page in
            let written = page.member("rows", rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
            let next = written == rows.count ? cursor : cursor.flatMap { Int($0) }.map { String($0 - rows.count + written) }
            page.member("cursor", ifPresent: next)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("rows") else { throw fields.missing("rows") }
        self.init(try fields.cappedList("rows", Row.init(from:)).elements, cursor: try fields.text("cursor"))
    }
}

extension ProgressList.Row {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("uri", item.uri.text)
        if !item.tags.title.isEmpty { writer.member("item", object: item.encodeMembers) }
        if let place { writer.member("place", object: place.encodeMembers) }
        if !sides.isEmpty { writer.member("sides", array: { list in for side in sides { list.object(side.encodeMembers) } }) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        var item = ItemRow(uri: ItemURI(try fields.required("uri", fields.text("uri"))), tags: Tags())
        if let known = try fields.fields("item") { item = try ItemRow(from: known) }
        self.init(
            item, place: try fields.fields("place").map { place throws(ProtocolFault) in try ItemPlace(from: place) },
            sides: try fields.cappedList("sides", ItemPlace.init(from:)).elements)
    }
}

extension ItemPlace {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("posMs", positionMs)
        if isFinished { writer.member("fin", 1) }
        writer.member("session", session.text)
        writer.member("dev", writer.shown(device, DisplayText(bytes: 64)))
        if let room { writer.member("room", room.text) }
        writer.member("atMs", atMs)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            SessionID(try fields.required("session", fields.text("session"))), on: try fields.text("dev") ?? "",
            in: try fields.text("room").map { RoomID($0) }, positionMs: try fields.count("posMs") ?? 0, isFinished: try fields.flag("fin"),
            atMs: try fields.int64("atMs") ?? 0)
    }
}
