/// Parses station lists in XML: OPML, where each outline is a station, and XSPF.
import BatonCore
import BatonSeams

extension StationFile {
    /// Parses OPML. Programs write the address of an outline as `URL`, `url` or `xmlUrl`.
    init(opml text: String) throws(SourceFault) {
        self.init()
        var scanner = XMLScanner(text)
        var isTitle = false
        while let event = try scanner.next() {
            switch event {
            case .start("title", _): isTitle = true
            case .end("title"): isTitle = false
            case .text(let words) where isTitle && title == nil: title = StationText.line(words, to: StationText.titleBytes)
            case .start("outline", let attributes): outline(attributes)
            default: break
            }
        }
    }

    /// Adds a station. An outline without an address is a folder.
    private mutating func outline(_ attributes: [String: String]) {
        guard let url = ["URL", "url", "xmlUrl"].lazy.compactMap({ attributes[$0] }).first(where: { !$0.isEmpty }) else { return }
        add(
            Station(
                title: attributes["text"] ?? attributes["title"] ?? "", url: url, picture: attributes["image"],
                country: attributes["country"] ?? "", language: attributes["language"] ?? "",
                tags: (attributes["category"] ?? "").split(separator: ",").map(String.init)))
    }

    init(xspf text: String) throws(SourceFault) {
        self.init()
        var scanner = XMLScanner(text)
        var station: Station?
        var element = ""
        while let event = try scanner.next() {
            switch event {
            case .start("track", _): station = Station(title: "", url: "")
            case .end("track"):
                if let station { add(station) }
                station = nil
            case .start(let name, _): element = name
            case .end: element = ""
            case .text(let words):
                switch element {
                case "location": station?.url += words.trimmed
                case "title" where station == nil: title = StationText.line(words, to: StationText.titleBytes)
                case "title": station?.title += words
                case "image": station?.picture = words.trimmed
                default: break
                }
            }
        }
    }
}

extension String {
    fileprivate var trimmed: String { StationText.line(self, to: StationText.urlBytes + 1) }
}
