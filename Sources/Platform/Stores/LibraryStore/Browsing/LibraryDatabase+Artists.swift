/// The lists on an artist's page beside its albums: its most played tracks, and similar artists.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    private static let mostRelated = 20

    func describe(artist id: Int64, named name: String, in details: inout ItemDetails) throws(SourceFault) {
        if try read(.tracks(mostHeardOf: id), behind: nil, limit: 1, skip: 0).first != nil { details.top = ItemURI("lib:top/" + name) }
        let hasGenre = try first(
            """
            SELECT 1 FROM member AS mine JOIN member AS other ON other.track = mine.track
            JOIN holder ON holder.id = other.holder WHERE mine.holder = ? AND holder.kind = 'genre' LIMIT 1
            """, [.int(id)]
        ) { _ in true }
        if hasGenre == true { details.related = ItemURI("lib:related/" + name) }
    }

    /// Artists that share the most of this artist's three most frequent genres. Ties go to the one with more plays, then with more tracks.
    /// Three genres are enough: one may hold half of the library, and each is read in full.
    func relatedArtists(of name: LibraryName) throws(SourceFault) -> [ItemRow] {
        let found = try all(
            """
            WITH own AS (
                SELECT other.holder AS genre FROM member AS mine JOIN member AS other ON other.track = mine.track
                JOIN holder ON holder.id = other.holder WHERE mine.holder = ?1 AND holder.kind = 'genre'
                GROUP BY other.holder ORDER BY count(*) DESC, holder.sort, holder.id LIMIT 3)
            SELECT artist.id FROM own CROSS JOIN member AS there ON there.holder = own.genre
            CROSS JOIN member AS made ON made.track = there.track CROSS JOIN holder AS artist ON artist.id = made.holder
            WHERE artist.kind = 'artist' AND artist.id <> ?1 AND artist.key <> ?2
            GROUP BY artist.id
            ORDER BY count(DISTINCT own.genre) DESC, artist.plays DESC, artist.tracks DESC, artist.sort, artist.id LIMIT ?3
            """, [.int(number(of: name)), .text(Self.key(Self.various)), .int(Int64(Self.mostRelated))]
        ) { SearchEntryKey(.artist, $0.int64(0)) }
        return try marked(try rows(found))
    }

    func tracks(ofRelated name: LibraryName, _ most: Int) throws(SourceFault) -> [NewEntry] {
        var entries: [NewEntry] = []
        for artist in try relatedArtists(of: name) where entries.count < most {
            entries += try expand(artist.uri, most: most - entries.count)
        }
        return entries
    }
}

extension Listing {
    /// An artist's tracks: played ones first, by number of plays, then those with stars.
    static func tracks(mostHeardOf id: Int64) -> Listing {
        Listing(
            shape: .track, source: "member JOIN track ON track.id = member.track",
            filter: "member.holder = ? AND (track.plays > 0 OR track.stars > 0)", values: [.int(id)],
            order: ["track.plays", "track.stars", "track.id"], isDescending: true)
    }
}
