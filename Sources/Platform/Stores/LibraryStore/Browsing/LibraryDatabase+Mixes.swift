/// Mixes: results of rules that are derived from listening, without a playlist that stores the rule.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    private static let most = 100
    private static let unheardDays = 90
    private static let weekMs = SmartMarks.dayMs * 7
    private static let mostGenres = 5
    private static let mostHeard = 20
    private static let mostAlbums = 20

    /// All of them stay the same for a day, so that the shown tracks are those that play.
    func rows(of mix: LibraryMix, for person: Person) throws(SourceFault) -> [ItemRow] {
        let nowMs = clock.wallMs
        let day = nowMs / SmartMarks.dayMs
        if mix == .similar { return try similarAlbums(for: person, day: day) }
        guard let rule = try rule(of: mix, for: person, nowMs) else { return [] }
        let (sql, values) = try SmartQuery(rule, of: person, nowMs: nowMs, day: day).rows(.track, from: 0, most: Self.most)
        return try all(sql, values, as: RowShape.track.read)
    }

    func expand(_ mix: LibraryMix, by person: Person, most: Int) throws(SourceFault) -> [NewEntry] {
        let rows = try rows(of: mix, for: person).map { NewEntry(uri: $0.uri, tags: $0.tags) }
        return Array(try opened(rows, most: most, for: person).prefix(max(0, most)))
    }

    /// Albums that share the most of the three most frequent genres of recent plays, without played ones. Three genres are enough: one may
    /// hold half of the library, and each is read in full.
    private func similarAlbums(for person: Person, day: Int64) throws(SourceFault) -> [ItemRow] {
        let found = try all(
            """
            WITH heard AS (
                SELECT DISTINCT track.id, track.holder FROM (
                    SELECT item FROM play WHERE person = ?1 ORDER BY id DESC LIMIT \(Self.mostHeard)) AS last
                JOIN track ON track.item = last.item),
            own AS (
                SELECT member.holder AS genre FROM heard CROSS JOIN member ON member.track = heard.id
                CROSS JOIN holder ON holder.id = member.holder WHERE holder.kind = 'genre'
                GROUP BY member.holder ORDER BY count(*) DESC, holder.sort, holder.id LIMIT 3)
            SELECT album.id FROM own CROSS JOIN member AS there ON there.holder = own.genre
            CROSS JOIN track AS other ON other.id = there.track CROSS JOIN holder AS album ON album.id = other.holder
            WHERE album.kind = 'album' AND album.id NOT IN (SELECT holder FROM heard)
            GROUP BY album.id ORDER BY count(DISTINCT own.genre) DESC, \(SmartQuery.order(of: "album.id", on: day)), album.id LIMIT ?2
            """, [.text(person.text), .int(Self.mostAlbums)]
        ) { SearchEntryKey(.album, $0.int64(0)) }
        return try marked(try rows(found))
    }

    /// `nil` if nothing with a genre was played.
    private func rule(of mix: LibraryMix, for person: Person, _ nowMs: Milliseconds) throws(SourceFault) -> SmartRule? {
        let conditions: [SmartRule.Condition]
        switch mix {
        case .unheard:
            conditions = [.init(.favourite, .is, value: "1"), .init(.playedDays, .atLeast, value: String(Self.unheardDays))]
        case .never: conditions = [.init(.plays, .is, value: "0")]
        case .similar: return nil
        case .week:
            conditions = try genres(heardBy: person, sinceMs: nowMs - Self.weekMs).map { .init(.genre, .is, value: $0) }
            if conditions.isEmpty { return nil }
        }
        return SmartRule(conditions, matchesAny: mix == .week, order: .random, limit: Self.most)
    }

    /// The most frequent genres first.
    private func genres(heardBy person: Person, sinceMs: Milliseconds) throws(SourceFault) -> [String] {
        try all(
            """
            SELECT holder.title FROM (SELECT DISTINCT item FROM play WHERE person = ? AND at_ms >= ?) AS heard
            CROSS JOIN track ON track.item = heard.item CROSS JOIN member ON member.track = track.id
            CROSS JOIN holder ON holder.id = member.holder WHERE holder.kind = 'genre'
            GROUP BY holder.id ORDER BY count(*) DESC, holder.sort, holder.id LIMIT ?
            """, [.text(person.text), .time(sinceMs), .int(Self.mostGenres)]
        ) { $0.text(0) }
    }

    func details(of mix: LibraryMix) -> ItemDetails {
        var details = ItemDetails(row: RowShape.container(mix.uri, titled: mix.title))
        details.about = mix.about
        return details
    }
}

extension LibraryMix {
    fileprivate var title: String {
        switch self {
        case .unheard: "Favourites, long unheard"
        case .never: "Never heard"
        case .week: "More of this week"
        case .similar: "More like what was heard"
        }
    }

    fileprivate var about: String {
        switch self {
        case .unheard: "Favourites that were not heard for 90 days."
        case .never: "Tracks that were added and not played yet."
        case .week: "Tracks of the genres that were heard in the last seven days."
        case .similar: "Albums of the genres of what was heard last, without those that were heard."
        }
    }
}
