/// Where a search goes on, as a value.
import BatonCore
import BatonSeams
import Testing

@testable import ServerConnectors

@Suite struct SearchPositionTests {
    private static func rows(_ kind: String, _ count: Int) -> [ItemRow] {
        (0..<count).map { ItemRow(uri: ItemURI("attic:\(kind)/\($0)"), tags: Tags(title: "\($0)")) }
    }

    /// All rows, page by page, as a server that counts the kinds apart gives them.
    private static func all(_ lists: [[ItemRow]], limit: Int) -> [ItemRow] {
        var found: [ItemRow] = []
        var window = PageWindow(limit: limit)
        for _ in 0..<1_000 {
            let place = SearchPosition(window)
            let froms = [place.artists, place.albums, place.songs]
            let kinds: [ItemKind] = [.artist, .album, .track]
            let parts = zip(zip(lists, froms), kinds).map { list, kind in
                place.ended.contains(kind) ? [] : Array(list.0.dropFirst(list.1).prefix(limit))
            }
            let (page, next) = place.page(parts, asked: limit)
            found += page
            guard let next else { break }
            window.cursor = next.text
        }
        return found
    }

    @Test(arguments: [1, 2, 7, 100]) func `every row of every kind is found once, whatever the size of a page`(limit: Int) {
        for (artists, albums, songs) in [(0, 0, 0), (3, 0, 0), (0, 5, 1), (10, 20, 230), (100, 1, 100)] {
            let lists = [Self.rows("artist", artists), Self.rows("album", albums), Self.rows("track", songs)]
            let found = Self.all(lists, limit: limit)
            #expect(found.count == artists + albums + songs && Set(found.map(\.uri)).count == found.count)
        }
    }

    @Test func `a longer page begins as a shorter one does`() {
        let lists = [Self.rows("artist", 9), Self.rows("album", 30), Self.rows("track", 90)]
        let place = SearchPosition(PageWindow())
        let long = place.page(lists, asked: 90).0

        for limit in 1..<90 { #expect(place.page(lists.map { Array($0.prefix(limit)) }, asked: limit).0 == Array(long.prefix(limit))) }
    }
}
