/// Lenient decoding of the server's answers with lists of names, because its fields are undocumented and differ
/// between versions.
///
/// Missing fields stay unknown, unknown fields are skipped, and a row without an id or name is left out.
import BatonCore
import BatonJSON
import BatonSeams

/// A page of a list.
struct ChadList: Sendable {
    var rows: [JSON]
    /// The total number of rows, if the server tells it.
    var total: Int?

    /// Parses a list; `nil` for other answers.
    init?(_ answer: JSON) {
        switch answer {
        case .array(let rows): self.init(rows: rows)
        case .object(let object):
            guard let rows = Self.names.lazy.compactMap({ object[$0]?.array }).first else { return nil }
            self.init(rows: rows, total: answer.count("total", "size", "count"))
        default: return nil
        }
    }

    private init(rows: [JSON], total: Int? = nil) {
        self.rows = rows
        self.total = total.flatMap { $0 >= rows.count ? $0 : nil }
    }

    private static let names = ["items", "data", "results", "rows", "tracks", "albums"] + ChadCategory.allCases.map(\.rawValue)

    /// The categories in an answer, in its order: texts, rows with a text, or the members of an object.
    static func categories(in answer: JSON) -> [ChadCategory] {
        let words: [String?]
        if let list = ChadList(answer), answer.array != nil || list.rows.contains(where: { $0.string != nil }) {
            words = list.rows.map { $0.string ?? $0.text("name", "type", "id", "item") }
        } else {
            words = answer.object?.members.map(\.name) ?? []
        }
        var categories: [ChadCategory] = []
        for case let word? in words {
            guard let category = ChadCategory(rawValue: word.lowercased()), !categories.contains(category) else { continue }
            categories.append(category)
        }
        return categories
    }
}

/// A value of a category, such as an artist or a year.
struct ChadValue: Equatable, Sendable {
    var value: String
    var count: Int?

    init(_ value: String) { self.value = value }

    init?(_ row: JSON) {
        guard let value = row.plainText ?? row.text("item", "name", "title", "value") else { return nil }
        self.value = value
        count = row.count("count", "albums")
    }
}

struct ChadAlbum: Equatable, Sendable {
    var id: String
    var title: String
    var artist: String
    var year: Int?
    var genre: String?
    var trackCount: Int?
    var durationMs: Milliseconds?
    var cover: String?
    /// The album's value in each category that its row mentions.
    var values: [ChadCategory: String] = [:]

    init?(_ row: JSON) {
        guard let id = row.text("id") else { return nil }
        self.id = id
        title = row.text("album", "title") ?? ""
        artist = row.text("artist") ?? ""
        year = row.year("original_date") ?? row.year("year")
        genre = row.text("genre")
        trackCount = row.count("track_count")
        durationMs = row.musicMilliseconds("total_duration")
        cover = row.text("cover")
        for category in ChadCategory.allCases where category != .album { values[category] = row.text(category.rawValue) }
    }

    /// An album with the facts that its tracks give.
    init(id: String, tracks: [ChadTrack]) {
        self.id = id
        title = tracks.lazy.map(\.album).first { !$0.isEmpty } ?? ""
        let artists = Set(tracks.map(\.artist))
        artist = artists.count == 1 ? artists.first ?? "" : ""
        year = tracks.lazy.compactMap(\.year).first
        trackCount = tracks.count
        cover = tracks.lazy.compactMap(\.cover).first
    }
}

struct ChadTrack: Equatable, Sendable {
    var id: String
    var title: String
    var artist: String
    var album: String
    var year: Int?
    var number: Int?
    var disc: Int?
    var durationMs: Milliseconds?
    /// The location of its file: a path or a full URL.
    var place: String?
    /// The server declared `place` to be a path, in which a question mark is part of a name.
    var isPath = false
    var cover: String?

    init?(_ row: JSON) {
        place = row.text("url", "stream")
        if place == nil, let path = row.text("path") {
            place = path
            isPath = true
        }
        guard let id = row.text("id") ?? place else { return nil }
        self.id = id
        title = row.text("title") ?? place.map { FileTitle.title(PercentText.decoded($0) ?? $0) } ?? ""
        artist = row.text("artist") ?? ""
        album = row.text("album") ?? ""
        year = row.year("year")
        number = row.count("no", "track")
        disc = row.count("part_of_set", "disc")
        durationMs = row.musicMilliseconds("duration")
        cover = row.text("cover")
    }
}

extension JSON {
    /// Milliseconds of at most 366 days, since no track or album is longer.
    fileprivate func musicMilliseconds(_ name: String) -> Milliseconds? { milliseconds(name, mostDays: 366) }
}
