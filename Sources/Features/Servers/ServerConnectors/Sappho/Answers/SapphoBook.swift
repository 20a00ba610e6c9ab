/// A book as described by the server. Missing members stay unknown, and a row without an id is skipped.
import BatonCore
import BatonJSON

struct SapphoBook: Equatable, Sendable {
    var id: Int
    var title: String
    var author: String?
    var narrator: String?
    var about: String?
    var durationMs: Milliseconds?
    var hasCover: Bool
    var year: Int?
    var genre: String?
    var publisher: String?
    var series: String?
    /// The number in its series, as people write it: `2`, `2.5`.
    var number: String?
    /// The server stores the book in several files, of which it sends only the first.
    var isMultiFile: Bool
    var isAvailable: Bool
    var isFavourite: Bool
    /// The user's rating, in rows that include one.
    var stars: Int?
    var addedAtMs: Milliseconds?
    var place: SapphoPlace?

    init?(_ row: JSON) {
        guard let id = row.whole("id"), id > 0 else { return nil }
        self.id = id
        title = row.line("title") ?? "Untitled"
        author = row.line("author")
        narrator = row.line("narrator")
        about = row.words("description")
        durationMs = row.bookMilliseconds("duration").flatMap { $0 > 0 ? $0 : nil }
        hasCover = [row["cover_image"], row["cover_path"]].contains { $0?.string?.isEmpty == false }
        year = row.whole("published_year").flatMap { 1...9_999 ~= $0 ? $0 : nil }
        genre = row.line("genre")
        publisher = row.line("publisher")
        series = row.line("series")
        number = row.number("series_position").flatMap(Self.number)
        isMultiFile = row.flag("is_multi_file")
        isAvailable = row["is_available"] == nil || row.flag("is_available")
        isFavourite = row.flag("is_favorite")
        stars = row.whole("user_rating").flatMap { 1...5 ~= $0 ? $0 : nil }
        addedAtMs = row["created_at"]?.string.flatMap { FeedTime.moment($0) }
        place = row["progress"].flatMap { SapphoPlace($0) } ?? SapphoPlace(ofCollection: row)
    }

    /// Books without a number come after those with one.
    var numberInSeries: Int { BookTags(number: number ?? "").numberInSeries }

    private static func number(_ number: Double) -> String? {
        guard 0...100_000 ~= number else { return nil }
        return number == number.rounded() ? String(Int(number)) : String(number)
    }
}

/// The user's position in a book.
struct SapphoPlace: Equatable, Sendable {
    var positionMs: Milliseconds
    var isFinished: Bool
    /// The time of the last change by the server's clock; `nil` for a book that was never begun.
    var updatedAtMs: Milliseconds?

    init?(_ row: JSON) {
        guard row.object != nil, let positionMs = row.bookMilliseconds("position") else { return nil }
        self.positionMs = positionMs
        isFinished = row.flag("completed")
        updatedAtMs = row["updated_at"]?.string.flatMap { FeedTime.moment($0) }
    }

    /// Books of a collection carry their position among their other members.
    init?(ofCollection row: JSON) {
        guard let positionMs = row.bookMilliseconds("progress_position") else { return nil }
        self.positionMs = positionMs
        isFinished = row.flag("progress_completed")
    }
}

extension SapphoBook {
    /// A sentence that says why only a part of the book plays.
    var lack: String? {
        isMultiFile
            ? "Only part one plays: the server keeps this book in several files and sends the first one. An M4B file of it would play whole."
            : nil
    }
}

/// A chapter in the server's list.
struct SapphoChapter: Equatable, Sendable {
    var title: String
    var startMs: Milliseconds
    var durationMs: Milliseconds?
    /// The file that contains it, used only for comparison.
    var file: String?

    init?(_ row: JSON, at index: Int) {
        guard let startMs = row.bookMilliseconds("start_time") else { return nil }
        title = row.line("title") ?? "Chapter \(row.whole("chapter_number") ?? index + 1)"
        self.startMs = startMs
        durationMs = row.bookMilliseconds("duration")
        file = row["file_path"]?.string
    }
}

extension [SapphoChapter] {
    /// The chapters that can be played: for a book of several files, those in the first file.
    func heard(of book: SapphoBook) -> [SapphoChapter] {
        book.isMultiFile ? filter { $0.file == first?.file } : self
    }

    func list(durationMs: Milliseconds?) -> [Chapter] {
        let list = ChapterList(map { ChapterList.Mark(title: $0.title, startMs: $0.startMs) }, durationMs: durationMs)
        return (0..<list.count).compactMap { list.chapter($0, durationMs: durationMs) }
    }
}

extension JSON {
    /// Milliseconds of at most 40 days, since no book is longer.
    func bookMilliseconds(_ name: String) -> Milliseconds? { milliseconds(name, mostDays: 40) }
}
