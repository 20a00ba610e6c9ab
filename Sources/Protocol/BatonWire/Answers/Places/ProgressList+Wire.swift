import BatonCore
import BatonProtocol

/// The JSON form of `ProgressList.Row` and `ItemPlace`.
extension ProgressList.Row {
    func encodeMembers(into writer: inout JSONWriter) {
        writer.member("uri", item.uri.text)
        if !item.tags.title.isEmpty { writer.member("item", object: item.encodeMembers) }
        if let place { writer.member("place", object: place.encodeMembers) }
        if !sides.isEmpty { writer.member("sides", array: { list in for side in sides { list.object(side.encodeMembers) } }) }
    }

    init(from fields: Fields) throws(ProtocolFault) {
        var item = ItemRow(uri: ItemURI(try fields.required("uri", fields.text("uri"))), tags: Tags())
        if let known = try fields.fields("item") { item = try ItemRow(from: known) }
        self.init(
            item, place: try fields.fields("place").map { place throws(ProtocolFault) in try ItemPlace(from: place) },
            sides: try fields.cappedList("sides", ItemPlace.init(from:)).elements)
    }
}
