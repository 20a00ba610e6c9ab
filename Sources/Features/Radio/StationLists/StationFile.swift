/// A station list in one of the common formats: m3u, pls, OPML, XSPF, or the JSON of Radio-Browser. The content
/// decides the format, because file names and content types are often wrong.
package import BatonCore
package import BatonSeams

package struct StationFile: Equatable, Sendable {
    package var title: String?
    package var stations: [Station]
    /// Number of entries without an http or https address.
    package var passedOver: Int

    /// Size limit of a station list; a directory may be larger (`StationDirectory`).
    package static let mostBytes = 8 << 20

    init(title: String? = nil, _ stations: [Station] = [], passedOver: Int = 0) {
        self.title = title
        self.stations = stations
        self.passedOver = passedOver
    }

    /// Parses a file that messages call `name`.
    package init(_ bytes: [UInt8], named name: String) throws(SourceFault) {
        do throws(SourceFault) {
            try self.init(bytes)
        } catch {
            throw SourceFault(error.code, "“\(StationText.line(name, to: StationText.titleBytes))” cannot be read: \(error.sentence)")
        }
    }

    private init(_ bytes: [UInt8]) throws(SourceFault) {
        guard bytes.count <= Self.mostBytes else {
            throw SourceFault(.tooLarge, "it is larger than \(Self.mostBytes >> 20) MiB.")
        }
        switch Format(bytes) {
        case .json:
            var directory = StationDirectory()
            self.init(try directory.take(bytes))
            passedOver = directory.passedOver
            try directory.end()
        case .opml: try self.init(opml: PlaylistText.text(of: bytes))
        case .xspf: try self.init(xspf: PlaylistText.text(of: bytes))
        case .pls: self.init(PlaylistText(pls: PlaylistText.text(of: bytes)))
        case .m3u: self.init(PlaylistText(m3u: PlaylistText.text(of: bytes)))
        case .pieces: throw SourceFault(.unsupported, "it is the stream of one station in pieces (HLS). Add its address instead.")
        case .page: throw SourceFault(.unsupported, "it is a web page and no list of stations.")
        case nil: throw SourceFault(.unsupported, "it is no list of stations (m3u, pls, OPML, XSPF or JSON).")
        }
        guard !stations.isEmpty else { throw SourceFault(.unsupported, "it names no http or https address.") }
    }

    private init(_ list: PlaylistText) {
        self.init(title: list.title)
        for entry in list.entries {
            // The m3u parser splits titles at a dash, as in "Artist - Title". The name of a station may contain one,
            // so both parts are joined again.
            let words = entry.tags.map { tags in (tags.artists + [tags.title]).joined(separator: " - ") } ?? ""
            add(Station(title: words, url: entry.name))
        }
    }

    mutating func add(_ station: Station) {
        guard let station = station.checked else {
            passedOver += 1
            return
        }
        stations.append(station)
    }
}

extension StationFile {
    /// The format of a text, detected from its beginning.
    package enum Format: Equatable, Sendable {
        case json, opml, xspf, pls, m3u
        /// An HLS playlist.
        case pieces
        case page

        /// Number of bytes that are examined.
        package static let bytes = 4096

        /// Detects the format; `nil` for other content, such as sound.
        package init?(_ bytes: [UInt8]) {
            let head = bytes.prefix(Self.bytes).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
            guard let first = head.first, !head.contains(0) else { return nil }
            let text = String(decoding: head, as: UTF8.self).lowercased()
            switch first {
            case UInt8(ascii: "["), UInt8(ascii: "{"): self = text.hasPrefix("[playlist]") ? .pls : .json
            case UInt8(ascii: "<"):
                if text.contains("<opml") {
                    self = .opml
                } else if text.contains("<playlist") {
                    self = .xspf
                } else {
                    self = .page
                }
            default:
                if text.contains("#ext-x-") {
                    self = .pieces
                } else if text.hasPrefix("#extm3u") || text.split(whereSeparator: \.isNewline).contains(where: Self.isAddress) {
                    self = .m3u
                } else {
                    return nil
                }
            }
        }

        private static func isAddress(_ line: Substring) -> Bool { ["http://", "https://"].contains { line.hasPrefix($0) } }
    }
}
