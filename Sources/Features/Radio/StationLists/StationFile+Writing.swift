/// Writes stations to a file that other programs can read: m3u or OPML, chosen by its suffix.
package import BatonCore

extension StationFile {
    /// The text of a file with this name; `nil` if its suffix is unknown.
    package static func text(of stations: [Station], named name: String) -> String? {
        switch name.split(separator: ".").last.map({ $0.lowercased() }) {
        case "m3u", "m3u8": m3u(stations)
        case "opml": opml(stations)
        default: nil
        }
    }

    private static func m3u(_ stations: [Station]) -> String {
        PlaylistText(title: "Stations", stations.map { PlaylistText.Entry($0.url, tags: Tags(title: $0.title)) }).m3u
    }

    private static func opml(_ stations: [Station]) -> String {
        let lines = stations.map { station in
            let members = [
                ("text", station.title), ("type", "audio"), ("URL", station.url), ("image", station.picture ?? ""),
                ("country", station.country), ("language", station.language), ("category", station.tags.joined(separator: ",")),
            ]
            let written = members.filter { !$0.1.isEmpty }.map { "\($0.0)=\"\(MarkupText.escaped($0.1))\"" }
            return "    <outline \(written.joined(separator: " "))/>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0">
              <head><title>Stations</title></head>
              <body>
            \(lines.joined())  </body>
            </opml>

            """
    }
}
