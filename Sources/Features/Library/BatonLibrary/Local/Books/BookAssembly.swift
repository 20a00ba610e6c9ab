/// Joins the files of one book: their order, the title and people, and chapters over the whole length.
///
/// A value. Tags count before folder names, and facts that all files share before facts of a single file.
import BatonCore
import BatonSeams

struct BookAssembly {
    struct Part {
        /// The file's name.
        var name: String
        var facts: TrackFacts

        /// The length, 0 while unknown.
        fileprivate var lengthUs: Microseconds { facts.lengthUs ?? 0 }
    }

    private let parts: [Part]
    private let place: BookPathFacts
    /// Files of unknown length, which therefore have no position on the book's time line.
    private let unmeasured: [String]
    private let isNumbered: Bool

    init(_ parts: [Part], at place: BookPathFacts) {
        var measured = parts.filter { $0.lengthUs > 0 }
        // A person sorted these files into disc folders, so that order counts. Files beside the disc folders come first.
        if measured.contains(where: { $0.folderDisc != nil }) {
            for index in measured.indices { measured[index].facts.tags.disc = measured[index].folderDisc ?? 0 }
        }
        isNumbered = measured.count > 1 && Set(measured.compactMap(\.order)).count == measured.count
        self.parts =
            isNumbered
            ? measured.sorted { ($0.order ?? .none) < ($1.order ?? .none) }
            : measured.sorted { DiscFolder.precedes($0.name, $1.name) }
        self.place = place
        unmeasured = parts.filter { $0.lengthUs <= 0 }.map(\.name)
    }

    /// The facts of the whole book; `nil` when none of its files can be played.
    var facts: TrackFacts? {
        guard let first = parts.first else { return nil }
        var facts = TrackFacts()
        facts.tags = tags
        facts.isBook = true
        facts.book = book
        facts.genres = first.facts.genres
        facts.labels = first.facts.labels
        facts.sortTitle = parts.count == 1 ? first.facts.sortTitle : first.facts.sortAlbum
        facts.sortArtist = first.facts.sortArtist
        facts.format = first.facts.format
        facts.lengthUs = parts.reduce(0) { $0 + $1.lengthUs }
        facts.chapters = chapters
        facts.picture = pictured?.facts.picture
        if parts.count > 1 {
            facts.parts = zip(parts, titles).map { BookPart(name: $0.name, title: $1, lengthUs: $0.lengthUs) }
        }
        return facts
    }

    // MARK: Title and people

    private var tags: Tags {
        var tags = Tags(title: title, artists: authors, durationMs: Milliseconds(parts.reduce(0) { $0 + $1.lengthUs }))
        tags.kind = .book
        tags.year = common(\.tags.year) ?? parts.first?.facts.tags.year
        tags.art = pictured?.facts.tags.art
        return tags
    }

    /// The first file that has a picture.
    private var pictured: Part? { parts.first { $0.facts.picture != nil } }

    /// The book's title, which taggers store in `album`, as for records.
    private var title: String {
        if let album = common(\.tags.album), !album.isEmpty { return album }
        if parts.count == 1, let own = parts.first?.facts.tags.title, !own.isEmpty, place.title.isEmpty { return own }
        if !place.title.isEmpty { return place.title }
        return parts.first?.facts.tags.title ?? ""
    }

    private var authors: [String] {
        if let artists = common(\.tags.artists), !artists.isEmpty { return artists }
        if let owner = common(\.tags.albumArtist), !owner.isEmpty { return [owner] }
        return place.author.isEmpty ? [] : [place.author]
    }

    /// The people of the book. Many taggers lack a field for narrators and use the composer instead.
    private var book: BookTags {
        let named = first { $0.book.narrators.isEmpty ? nil : $0.book.narrators } ?? first { $0.composers.isEmpty ? nil : $0.composers }
        let series = first { $0.book.series.isEmpty ? nil : $0.book.series }
        let number = first { $0.book.number.isEmpty ? nil : $0.book.number }
        return BookTags(
            series: series ?? place.series,
            // A number in the folder's name belongs to the series that the folder names.
            number: number ?? (series == nil || series == place.series ? place.number : ""), narrators: named ?? [])
    }

    private func first<Value>(_ value: (TrackFacts) -> Value?) -> Value? { parts.compactMap { value($0.facts) }.first }

    /// The value that all files share; `nil` if they differ.
    private func common<Value: Equatable>(_ value: KeyPath<TrackFacts, Value>) -> Value? {
        guard let first = parts.first?.facts[keyPath: value] else { return nil }
        return parts.allSatisfy { $0.facts[keyPath: value] == first } ? first : nil
    }

    // MARK: Chapters

    /// Titles of the parts. If all files have the same title, they are numbered.
    private var titles: [String] {
        let own = parts.map(\.facts.tags.title)
        let isTold = Set(own).count > 1 && !own.contains("")
        return isTold ? own : parts.indices.map { "Part \($0 + 1)" }
    }

    /// The chapters of a single file, else one chapter for each file.
    private var chapters: [Chapter] {
        guard parts.count > 1 else { return parts.first?.facts.chapters ?? [] }
        var chapters: [Chapter] = []
        var startUs: Microseconds = 0
        for (part, title) in zip(parts, titles) {
            let (startMs, endMs) = (Milliseconds(startUs), Milliseconds(startUs + part.lengthUs))
            let own = part.facts.chapters
            chapters +=
                own.count > 1
                ? own.map { Chapter(title: $0.title, startMs: startMs + $0.startMs, endMs: min(endMs, startMs + $0.endMs)) }
                : [Chapter(title: title, startMs: startMs, endMs: endMs)]
            startUs += part.lengthUs
        }
        return chapters
    }

    // MARK: Problems for a person to check

    /// Sentences about problems that do not prevent playback.
    var remarks: [String] {
        guard !parts.isEmpty else { return unmeasured.map { "\($0) was left out: how long it is cannot be told." } }
        return unmeasured.map { "“\(title)” plays without \($0): how long that file is cannot be told." }
            + [missing, overlapping, many].compactMap(\.self)
    }

    /// A sentence that names the gaps in the numbers of the files.
    private var missing: String? {
        guard isNumbered else { return nil }
        let discs = Dictionary(grouping: parts.compactMap(\.order), by: \.disc)
        let gaps = discs.keys.sorted().flatMap { disc in
            let there = Set((discs[disc] ?? []).map(\.track))
            return (1...(there.max() ?? 1)).filter { !there.contains($0) }.map { discs.count > 1 ? "\(disc)-\($0)" : "\($0)" }
        }
        guard !gaps.isEmpty else { return nil }
        let named = gaps.prefix(Self.mostNamed).joined(separator: ", ") + (gaps.count > Self.mostNamed ? " and more" : "")
        return "“\(title)” has gaps: of its numbered files \(named) \(gaps.count == 1 ? "is" : "are") missing. It plays without."
    }

    private static let mostNamed = 5

    private var overlapping: String? {
        let doesOverlap = parts.contains { part in
            zip(part.facts.chapters, part.facts.chapters.dropFirst()).contains { $0.endMs > $1.startMs }
        }
        return doesOverlap ? "The chapters of “\(title)” overlap: each ends where the next one begins." : nil
    }

    private var many: String? {
        let most = parts.map(\.facts.chapters.count).max() ?? 0
        return most < Self.mostChapters
            ? nil : "“\(title)” names \(Self.mostChapters) chapters or more: those behind belong to the last one that is listed."
    }

    /// The most chapters that the reader reports for one file.
    private static let mostChapters = 4_096
}

extension BookAssembly.Part {
    fileprivate struct Order: Comparable, Hashable {
        var disc: Int
        var track: Int

        static let none = Order(disc: 0, track: 0)

        static func < (one: Order, other: Order) -> Bool { (one.disc, one.track) < (other.disc, other.track) }
    }

    fileprivate var folderDisc: Int? { DiscFolder.number(ofFile: name) }

    /// The position by disc and track number; `nil` without a track number.
    fileprivate var order: Order? { facts.tags.track.map { Order(disc: facts.tags.disc ?? 1, track: $0) } }
}
