import BatonCore
import BatonProtocol

/// Stations in commands, read from JSON and written as JSON.
extension Fields {
    func stations(_ name: String) throws(ProtocolFault) -> [Station]? {
        try elements(name, count: 1...StationText.mostAtOnce) { fields throws(ProtocolFault) in
            let station = Station(
                title: try fields.string("title", bytes: 0...StationText.titleBytes) ?? "",
                url: try fields.required("url", fields.string("url", bytes: 8...StationText.urlBytes)),
                picture: try fields.string("picture", bytes: 8...StationText.urlBytes),
                country: try fields.string("country", bytes: 0...StationText.wordBytes) ?? "",
                language: try fields.string("language", bytes: 0...StationText.wordBytes) ?? "",
                tags: try fields.list("tags", count: 0...StationText.mostTags, of: "words") { $0.string } ?? [])
            guard let checked = station.checked else { throw fields.fault("url", "url must be an http or https address.") }
            return checked
        }
    }
}

extension JSON {
    init(station: Station) {
        var object: JSONObject = ["title": .string(station.title), "url": .string(station.url)]
        if let picture = station.picture { object["picture"] = .string(picture) }
        if !station.country.isEmpty { object["country"] = .string(station.country) }
        if !station.language.isEmpty { object["language"] = .string(station.language) }
        if !station.tags.isEmpty { object["tags"] = .array(station.tags.map { .string($0) }) }
        self = .object(object)
    }
}
