import BatonCore
import BatonProtocol

/// The JSON form of `StationList.Row`.
extension StationList.Row {
    func encodeMembers(into writer: inout JSONWriter) {
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

    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            ItemURI(try fields.required("uri", fields.text("uri"))),
            Station(
                title: try fields.text("title") ?? "", url: try fields.text("url") ?? "", picture: try fields.text("picture"),
                country: try fields.text("country") ?? "", language: try fields.text("language") ?? "", tags: try fields.texts("tags") ?? []
            ),
            preset: try fields.count("preset"), art: try fields.text("art"))
    }
}
