/// What belongs to single users: marks, plays, playlists, and all of it as a whole. BT-USR-008 BT-USR-010
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

@Suite struct PersonTests {
    private let anna = Person("@anna")
    private let ben = Person("@ben")
    private let room = RoomID("living")

    private func item(_ name: String) -> NewEntry { NewEntry(uri: ItemURI("file:\(name)"), tags: Tags(title: name, durationMs: 60_000)) }

    private func uris(_ shelf: OwnShelf, of person: Person, in library: LibraryStore) throws -> [String] {
        try library.marked(shelf, by: person, sortedBy: nil, PageWindow()).rows.map(\.uri.text)
    }

    @Test func `each has marks and a history of their own, and the hub has its own`() throws {
        try withLibrary { library in
            #expect(try library.setFavourite(item("a"), true, of: anna, atMs: 1))
            #expect(try !library.setFavourite(item("a"), true, of: anna, atMs: 2))
            #expect(try library.setStars(item("b"), 5, of: ben, atMs: 3))
            #expect(try library.setFavourite(item("c"), true, atMs: 4))
            try library.notePlayed(item("a"), by: anna, room: room, atMs: 5)
            try library.notePlayed(item("c"), room: room, atMs: 6)

            let all = ["a", "b", "c"].map { item($0).uri }
            #expect(try library.marks(of: all, by: anna) == [item("a").uri: ItemMark(isFavourite: true, plays: 1, lastPlayedMs: 5)])
            #expect(try library.marks(of: all, by: ben) == [item("b").uri: ItemMark(stars: 5)])
            #expect(try library.marks(of: all) == [item("c").uri: ItemMark(isFavourite: true, plays: 1, lastPlayedMs: 6)])
            #expect(try library.history(of: anna, PageWindow()).map(\.row.uri.text) == ["file:a"])
            #expect(try library.history(of: ben, PageWindow()).isEmpty)
            #expect(try library.history(PageWindow()).map(\.row.uri.text) == ["file:c"])
            #expect(try library.markedByAny(all) == [item("a").uri, item("b").uri])
        }
    }

    @Test func `shelves of a user come in pages, the newest first`() throws {
        try withLibrary { library in
            for number in 0..<25 { _ = try library.setFavourite(item("\(number)"), true, of: anna, atMs: Milliseconds(number + 1)) }
            var seen: [String] = []
            var cursor: String?
            repeat {
                let page = try library.marked(.favourites, by: anna, sortedBy: nil, PageWindow(limit: 10, cursor: cursor))
                #expect(page.total == 25 && page.rows.allSatisfy { $0.mark.isFavourite })
                seen += page.rows.map(\.uri.text)
                cursor = page.cursor
            } while cursor != nil
            #expect(seen == (0..<25).reversed().map { "file:\($0)" })
            #expect(try uris(.favourites, of: ben, in: library).isEmpty)
        }
    }

    @Test func `shelves of a user have the orders of those of the hub, and play what is on them`() throws {
        try withLibrary { library in
            for (number, name) in ["b", "c", "a"].enumerated() {
                _ = try library.setFavourite(item(name), true, of: anna, atMs: Milliseconds(number + 1))
                _ = try library.setStars(item(name), 3 - number, of: anna, atMs: 1)
            }
            func sorted(_ sort: BrowseQuery.Sort?) throws -> [String] {
                try library.marked(.favourites, by: anna, sortedBy: sort, PageWindow()).rows.map(\.tags.title)
            }
            #expect(try sorted(nil) == ["a", "c", "b"])
            #expect(try sorted(.name) == ["a", "b", "c"])
            #expect(try sorted(.stars) == ["b", "c", "a"])
            #expect(try library.expand(.favourites, by: anna, most: 2).map(\.tags.title) == ["a", "c"])
            #expect(try library.expand(.favourites, by: ben, most: 2).isEmpty)
        }
    }

    @Test func `a shelf gives no tracks of a list that its owner shares no longer`() throws {
        try withLibrary { library in
            var access = PlaylistAccess(owner: anna, sharing: .shared)
            let list = try library.createPlaylist("Mine", [item("a")], rule: nil, access: access, once: nil, atMs: 1).id
            var tags = Tags(title: "Mine")
            tags.kind = .playlist
            let entry = NewEntry(uri: list.uri, tags: tags)
            _ = try library.setFavourite(entry, true, of: ben, atMs: 2)
            _ = try library.setFavourite(entry, true, atMs: 2)
            #expect(try library.expand(.favourites, by: ben, most: 10).map(\.uri.text) == ["file:a"])
            access.sharing = .private
            _ = try library.setAccess(access, of: list)

            #expect(try library.expand(.favourites, by: ben, most: 10).isEmpty)
            #expect(try library.expand(ItemURI("lib:shelf/favourites"), most: 10).isEmpty)
        }
    }

    // MARK: Lists that a rule fills

    @Test func `a rule finds what the person has marked, also in the list of another or of the hub`() throws {
        try withLibrary { library in
            try library.scan(["One", "Two", "Three"].map { Song($0, by: ["Ann"], on: "First") })
            func track(_ title: String) throws -> NewEntry { NewEntry(uri: try #require(try library.uri(title)), tags: Tags(title: title)) }
            _ = try library.setStars(track("One"), 5, atMs: 1)
            _ = try library.setStars(track("Two"), 4, of: anna, atMs: 1)
            try library.notePlayed(track("Three"), by: anna, room: room, atMs: 2)
            let loved = SmartRule([.init(.stars, .atLeast, value: "4")], order: .title)
            let hubs = try library.createPlaylist("Loved", [], rule: loved, once: nil, atMs: 3).id
            let annas = try library.createPlaylist("Hers", [], rule: loved, access: PlaylistAccess(owner: anna), once: nil, atMs: 3).id

            for list in [hubs, annas] {
                for (person, titles) in [(Person.home, ["One"]), (anna, ["Two"]), (ben, [])] {
                    #expect(try library.expandPlaylist(list, for: person).map(\.tags.title) == titles)
                    let page = try library.playlist(list, from: 0, count: 10, for: person)
                    #expect(page.entries.map(\.row.tags.title) == titles && page.list.count == titles.count)
                    let row = try library.playlists(PageWindow(), for: person).first { $0.id == list }
                    #expect(row?.count == titles.count)
                }
            }
            #expect(try library.expandPlaylist(hubs).map(\.tags.title) == ["One"])
            let told = try library.rows(of: anna).filter { $0.kind == "entry" }
            #expect(told.count == 1, "the export has what the user sees in the list")
        }
    }

    /// Marks are in two places, and rules are written for each: both must find the same.
    @Test(arguments: seeds) func `a rule finds for a user what it finds for the hub with the same marks`(seed: UInt64) throws {
        try withLibrary { library in
            var random = SeededGenerator(seed)
            let titles = (0..<12).map { "Song \($0)" }
            try library.scan(titles.map { Song($0, by: ["Ann"], on: "First") })
            for title in titles {
                let track = NewEntry(uri: try #require(try library.uri(title)), tags: Tags(title: title))
                for change in 0..<3 where Bool.random(using: &random) {
                    let stars = Int.random(in: 1...5, using: &random)
                    let atMs = Milliseconds(Int64.random(in: 1...9_000_000_000, using: &random))
                    switch change {
                    case 0:
                        _ = try library.setStars(track, stars, atMs: 1)
                        _ = try library.setStars(track, stars, of: anna, atMs: 1)
                    case 1:
                        _ = try library.setFavourite(track, true, atMs: atMs)
                        _ = try library.setFavourite(track, true, of: anna, atMs: atMs)
                    default:
                        try library.notePlayed(track, room: room, atMs: atMs)
                        try library.notePlayed(track, by: anna, room: room, atMs: atMs)
                    }
                }
                _ = try library.setStars(track, Int.random(in: 0...5, using: &random), of: ben, atMs: 1)
            }
            for _ in 0..<10 {
                let conditions = (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.condition(&random) }
                let order = try #require([.title, .plays, .played, .stars, .added].randomElement(using: &random) as SmartRule.Order?)
                let rule = SmartRule(
                    conditions, matchesAny: Bool.random(using: &random), order: order, isDescending: Bool.random(using: &random), limit: 8)
                let list = try library.createPlaylist("Smart", [], rule: rule, once: nil, atMs: 1).id
                let (hub, user) = (try library.expandPlaylist(list), try library.expandPlaylist(list, for: anna))
                #expect(hub.map(\.uri) == user.map(\.uri), "seed \(seed), \(rule)")
                let counts = [Person.home, anna].map { try? library.playlist(list, from: 0, count: 0, for: $0).list.count }
                #expect(counts == [hub.count, hub.count], "seed \(seed), \(rule)")
            }
        }
    }

    private static func condition(_ random: inout SeededGenerator) -> SmartRule.Condition {
        let relation = [SmartRule.Relation.is, .isNot, .atLeast, .atMost].randomElement(using: &random) ?? .is
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .init(.stars, relation, value: String(Int.random(in: 0...5, using: &random)))
        case 1: return .init(.plays, relation, value: String(Int.random(in: 0...2, using: &random)))
        case 2: return .init(.playedDays, relation, value: String(Int.random(in: 0...30_000, using: &random)))
        default: return .init(.favourite, Bool.random(using: &random) ? .is : .isNot, value: Bool.random(using: &random) ? "1" : "0")
        }
    }

    @Test func `a mark that is taken back leaves nothing behind`() throws {
        try withLibrary { library in
            _ = try library.setFavourite(item("a"), true, of: anna, atMs: 1)
            _ = try library.setFavourite(item("a"), false, of: anna, atMs: 2)
            #expect(try library.rows(of: anna).isEmpty)
        }
    }

    @Test func `a playlist of a user is known as that also after a restart and a restoration`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let first = try LibraryStore(folder: folder)
            let access = PlaylistAccess(owner: anna)
            let id = try first.createPlaylist("Mine", [item("a")], rule: nil, access: access, once: nil, atMs: 1).id
            let of = try first.createPlaylist("Ours", [], rule: nil, once: nil, atMs: 1).id
            #expect(first.access(of: id) == access && first.access(of: of) == nil && first.hasOwnedLists)
            let shared = PlaylistAccess(owner: anna, sharing: .link, link: "word")
            #expect(try first.setAccess(shared, of: id))
            #expect(try !first.setAccess(shared, of: id))
            _ = try first.deletePlaylist(id, once: nil)
            first.close()

            let second = try LibraryStore(folder: folder)
            defer { second.close() }
            #expect(second.access(of: id) == shared, "also while it is deleted")
            _ = try second.restorePlaylist(id, once: nil)
            #expect(second.access(of: id) == shared)
            #expect(try second.expandPlaylist(id).count == 1)
        }
    }

    @Test func `the same key makes one list`() throws {
        try withLibrary { library in
            let once = CommandKey(device: "d", key: "k", hash: [1])
            let made = try library.createPlaylist("Mine", [], rule: nil, access: PlaylistAccess(owner: anna), once: once, atMs: 1)
            let again = try library.createPlaylist("Mine", [], rule: nil, access: PlaylistAccess(owner: anna), once: once, atMs: 1)
            #expect(again.id == made.id && again.isDup)
        }
    }

    @Test func `adopting gives all that a person has, and what the user has stays`() throws {
        try withLibrary { library in
            let ana = Person("Ana")
            let place = BookmarkPlace(uri: item("a").uri, positionMs: 5, title: "a")
            _ = try library.addBookmark(place, note: "here", of: ana, by: nil, once: nil, atMs: 1)
            try library.store(SpokenSpeeds(), of: ana)
            try library.putUpNext(item("b"), for: ana)

            try library.give(ana, to: anna)

            #expect(try library.bookmarks(of: anna, in: nil, from: 0, limit: 10).bookmarks.map(\.note) == ["here"])
            #expect(try library.bookmarks(of: ana, in: nil, from: 0, limit: 10).bookmarks.isEmpty)
            #expect(try library.upNext(for: anna, PageWindow()).count == 1)
            #expect(try library.rows(of: ana).isEmpty)
        }
    }

    @Test func `the marks of the hub can be given to one user, and the hub begins anew`() throws {
        try withLibrary { library in
            try library.scan([Song("One", by: ["Ann"], on: "First")])
            let one = try #require(try library.uri("One"))
            let entry = NewEntry(uri: one, tags: Tags(title: "One"))
            _ = try library.setFavourite(entry, true, atMs: 7)
            try library.notePlayed(entry, room: room, atMs: 8)
            _ = try library.setStars(entry, 2, of: anna, atMs: 9)

            try library.give(.home, to: anna)

            #expect(try library.marks(of: [one]).isEmpty)
            #expect(try library.titles(in: "lib:shelf/favourites").isEmpty)
            #expect(try library.marks(of: [one], by: anna)[one]?.stars == 2, "the user's own mark of the same item stays")
            #expect(try library.history(of: anna, PageWindow()).count == 1)
            #expect(try library.history(PageWindow()).isEmpty)
        }
    }

    @Test func `an export tells all of it, and forgetting leaves nothing`() throws {
        try withLibrary { library in
            _ = try library.setFavourite(item("a"), true, of: anna, atMs: 1)
            try library.notePlayed(item("b"), by: anna, room: room, atMs: 2)
            let list = try library.createPlaylist("Mine", [item("c")], rule: nil, access: PlaylistAccess(owner: anna), once: nil, atMs: 3)
                .id
            _ = try library.addBookmark(
                BookmarkPlace(uri: item("d").uri, positionMs: 5, title: "d"), note: "n", of: anna, by: nil, once: nil, atMs: 4)
            _ = try library.setFavourite(item("a"), true, of: ben, atMs: 5)

            let kinds = Set(try library.rows(of: anna).map(\.kind))
            #expect(kinds == ["mark", "play", "playlist", "entry", "bookmark"])
            let bens = try library.rows(of: ben)

            try library.forget(anna)

            #expect(try library.rows(of: anna).isEmpty)
            #expect(try library.rows(of: ben) == bens)
            #expect(library.access(of: list) == nil && !library.hasOwnedLists)
            #expect(throws: SourceFault.self) { try library.expandPlaylist(list) }
            #expect(library.libraryCounts().playlists == 0)
        }
    }

    @Test func `a library from before keeps its marks as those of the hub`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let first = try LibraryStore(folder: folder)
            _ = try first.setFavourite(item("a"), true, atMs: 1)
            try first.notePlayed(item("a"), room: room, atMs: 2)
            let list = try first.createPlaylist("Ours", [item("a")], rule: nil, once: nil, atMs: 3).id
            first.close()
            let old = try Database(folder + "/library.db")
            try old.forgetUsers()
            try old.execute("PRAGMA user_version = 15")
            old.close()

            let new = try LibraryStore(folder: folder)
            defer { new.close() }
            #expect(try new.history(PageWindow()).count == 1)
            #expect(try new.marks(of: [item("a").uri])[item("a").uri]?.isFavourite == true)
            #expect(new.access(of: list) == nil)
        }
    }
}
