/// A radio station: its title, the address of its stream, and further facts.
public struct Station: Equatable, Sendable {
    /// The name that people gave it, or that its directory has.
    public var title: String
    /// The address of its stream, or of a playlist that contains it.
    public var url: String
    /// The address of its picture.
    public var picture: String?
    /// The country in the words of the station or a directory; empty where it is not known.
    public var country: String
    /// The language in the words of the station or a directory; empty where it is not known.
    public var language: String
    /// Words for its music or topics, at most `StationText.mostTags`.
    public var tags: [String]

    /// A station as received; `checked` bounds its texts.
    public init(
        title: String, url: String, picture: String? = nil, country: String = "", language: String = "", tags: [String] = []
    ) {
        self.title = title
        self.url = url
        self.picture = picture
        self.country = country
        self.language = language
        self.tags = tags
    }
}

/// A stored station.
public struct StoredStation: Equatable, Sendable {
    /// The number of the station, never used twice.
    public var id: Int
    /// The station itself, with texts that were checked when it was stored.
    public var station: Station
    /// Position among the presets, from 1; `nil` for a station that is no preset.
    public var preset: Int?
    /// True when it was added from this machine, so that its stream may come from this machine.
    public var isOwn: Bool

    public init(id: Int, _ station: Station, preset: Int? = nil, isOwn: Bool = false) {
        self.id = id
        self.station = station
        self.preset = preset
        self.isOwn = isOwn
    }
}

/// Limits for the texts of a station and for the number of stations.
public enum StationText {
    /// Limit for a station's title in bytes.
    public static let titleBytes = 200
    /// Limit for the title that a station streams; longer ones are cut.
    public static let streamTitleBytes = 255
    /// Limit for the addresses of a station in bytes; a station with a longer one of its stream is refused.
    public static let urlBytes = 1024
    /// Limit for the country, the language and each tag in bytes.
    public static let wordBytes = 64
    /// Number of tags that a station has at most; the first ones count.
    public static let mostTags = 12
    /// Stations that a hub stores.
    public static let mostStations = 10_000
    /// Stations that one command adds.
    public static let mostAtOnce = 100
    /// Number of presets that a hub has at most.
    public static let mostPresets = 48

    /// One line without control characters, cut between characters to at most `bytes`.
    public static func line(_ text: String, to bytes: Int) -> String {
        var line = ""
        var hasSpace = false
        for character in text {
            let isSpace = character.isWhitespace || character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
            if isSpace {
                hasSpace = !line.isEmpty
                continue
            }
            let piece = hasSpace ? " \(character)" : String(character)
            guard line.utf8.count + piece.utf8.count <= bytes else { break }
            line += piece
            hasSpace = false
        }
        return line
    }
}

extension Station {
    /// The station with texts fit for storing and showing; `nil` when its address is no http or https URL, or too long.
    public var checked: Station? {
        guard let address = WebAddress(url), address.text.utf8.count <= StationText.urlBytes else { return nil }
        let names = [title, WebAddress.title(of: address.text)].lazy.map { StationText.line($0, to: StationText.titleBytes) }
        let image = picture.flatMap { WebAddress($0)?.text }.flatMap { $0.utf8.count <= StationText.urlBytes ? $0 : nil }
        var words: [String] = []
        for tag in tags.lazy.map({ StationText.line($0, to: StationText.wordBytes) }) where !tag.isEmpty && !words.contains(tag) {
            words.append(tag)
            if words.count == StationText.mostTags { break }
        }
        return Station(
            title: names.first { !$0.isEmpty } ?? "Radio", url: address.text, picture: image,
            country: StationText.line(country, to: StationText.wordBytes),
            language: StationText.line(language, to: StationText.wordBytes), tags: words)
    }
}
