import BatonCore
package import BatonProtocol

/// How `StationList` and what belongs to it are written as JSON and read from it.
extension StationList {
    /// Rows that do not fit into a page are left out; the client asks for them from there.
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { page in
            page.member("total", total)
            let written = page.member("stations", rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
            page.member("cursor", ifPresent: written == rows.count ? cursor : cursor(after: written))
        }
    }

    /// Cursors of this list are numbers of rows, and the page's own names the row behind its last one.
    private func cursor(after written: Int) -> String? {
        let end = cursor.flatMap { Int($0) } ?? total
        return String(end - rows.count + written)
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("stations") else { throw fields.missing("stations") }
        self.init(
            try fields.cappedList("stations", Row.init(from:)).elements, cursor: try fields.text("cursor"),
            total: try fields.count("total") ?? 0)
    }
}

extension StationList.Row {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("uri", uri.text)
        writer.member("title", writer.shown(station.title, DisplayText(bytes: 256)))
        writer.member("preset", ifPresent: preset)
        writer.member("art", ifPresent: art)
        if !station.url.isEmpty { writer.member("url", station.url) }
        writer.member("picture", ifPresent: station.url.isEmpty ? nil : station.picture)
        if !station.country.isEmpty { writer.member("country", station.country) }
        if !station.language.isEmpty { writer.member("language", station.language) }
        if !station.tags.isEmpty { writer.member("tags", station.tags) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            ItemURI(try fields.required("uri", fields.text("uri"))),
            Station(
                title: try fields.text("title") ?? "", url: try fields.text("url") ?? "", picture: try fields.text("picture"),
                country: try fields.text("country") ?? "", language: try fields.text("language") ?? "", tags: try fields.texts("tags") ?? []
            ),
            preset: try fields.count("preset"), art: try fields.text("art"))
    }
}
