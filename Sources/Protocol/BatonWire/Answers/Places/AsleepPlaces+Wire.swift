import BatonCore
package import BatonProtocol

/// How `AsleepPlaces` is written as JSON and read from it.
extension AsleepPlaces {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("places", array: { list in for row in rows { list.object(row.encodeMembers) } })
            answer.member("atMs", ifPresent: atMs)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("places") else { throw fields.missing("places") }
        self.init(try fields.cappedList("places", Row.init(from:)).elements, atMs: try fields.int64("atMs"))
    }
}

extension AsleepPlaces.Row {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("what", moment.rawValue)
        writer.member("entry", entry.text)
        writer.member("title", writer.shown(title, DisplayText(bytes: 256)))
        writer.member("posMs", positionMs)
    }

    /// A moment of a newer hub is shown as the end.
    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            try fields.text("what").flatMap(AsleepPlaces.Moment.init(rawValue:)) ?? .end,
            try fields.required("entry", fields.entry("entry")), try fields.text("title") ?? "",
            positionMs: try fields.count("posMs") ?? 0)
    }
}
