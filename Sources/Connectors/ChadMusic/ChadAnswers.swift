/// What the server answers, decoded by lists of names: its fields are published nowhere, and differ between its versions.
///
/// What is missing stays unknown, what is unknown is skipped, and a row that cannot be named is left out.
import BatonCore
import BatonJSON
import BatonSeams

/// A page of a list.
struct ChadList: Sendable {
    var rows: [JSON]
    /// How many there are, when the server says so.
    var total: Int?

    /// `nil` for an answer that is no list.
    init?(_ answer: JSON) {
        switch answer {
        case .array(let rows): self.init(rows: rows)
        case .object(let object):
            guard let rows = Self.names.lazy.compactMap({ object[$0]?.array }).first else { return nil }
            self.init(rows: rows, total: answer.number("total", "size", "count"))
        default: return nil
        }
    }

    private init(rows: [JSON], total: Int? = nil) {
        self.rows = rows
        self.total = total.flatMap { $0 >= rows.count ? $0 : nil }
    }

    private static let names = ["items", "data", "results", "rows", "tracks", "albums"] + ChadCategory.allCases.map(\.rawValue)

    /// The categories that an answer names, in its order: words, rows with a word, or an object of which each member is one.
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

/// One value of a category: an artist, a year.
struct ChadValue: Equatable, Sendable {
    var value: String
    var count: Int?

    init(_ value: String) { self.value = value }

    init?(_ row: JSON) {
        guard let value = row.plainText ?? row.text("item", "name", "title", "value") else { return nil }
        self.value = value
        count = row.number("count", "albums")
    }
}

struct ChadAlbum: Equatable, Sendable {
    var id: String
    var title: String
    var artist: String
    var year: Int?
    var genre: String?
    var trackCount: Int?
    var durationMs: Int?
    var cover: String?
    /// What it is in each category, as far as its row says.
    var values: [ChadCategory: String] = [:]

    init?(_ row: JSON) {
        guard let id = row.text("id") else { return nil }
        self.id = id
        title = row.text("album", "title") ?? ""
        artist = row.text("artist") ?? ""
        year = row.year("original_date") ?? row.year("year")
        genre = row.text("genre")
        trackCount = row.number("track_count")
        durationMs = row.milliseconds("total_duration")
        cover = row.text("cover")
        for category in ChadCategory.allCases where category != .album { values[category] = row.text(category.rawValue) }
    }

    /// As far as its tracks tell.
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
    var durationMs: Int?
    /// Where its file is: a path or a whole URL.
    var place: String?
    /// `place` was said to be a path, in which a question mark is a part of a name.
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
        number = row.number("no", "track")
        disc = row.number("part_of_set", "disc")
        durationMs = row.milliseconds("duration")
        cover = row.text("cover")
    }
}
