/// Favourites, stars and plays, and the playlists people make.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Stores

struct UserMarkTests {
    private let songs = (1...6).map { Song("Song \($0)", by: ["Ann"], on: "First", sound: UInt64($0)) }

    private func item(_ number: Int) -> NewEntry {
        NewEntry(uri: ItemURI("lib:track/" + LibraryDatabase.hex(UInt64(number))), tags: Tags(title: "Song \(number)", durationMs: 60_000))
    }

    private func titles(_ library: LibraryStore, _ id: PlaylistID) throws -> [String] {
        try library.playlist(id, from: 0, count: 100).entries.map(\.row.tags.title)
    }

    // MARK: - Marks

    @Test func `what was played is kept with who asked for it`() throws {
        try withLibrary { library in
            var asked = item(2)
            asked.askedBy = "Ana"
            try library.notePlayed(asked, room: RoomID("living"), atMs: 8)
            try library.notePlayed(item(3), room: RoomID("living"), atMs: 9)
            try library.notePlayed(asked, by: Person("@ben"), room: RoomID("living"), atMs: 10)
            #expect(try library.history(PageWindow()).map(\.askedBy) == [nil, "Ana"])
            #expect(try library.history(of: Person("@ben"), PageWindow()).map(\.askedBy) == ["Ana"])
        }
    }

    @Test func `a stream of presses does not grow the log without bound, and it starts over`() throws {
        try withLibrary { library in
            var largest = 0
            for number in 1...3_000 {
                let stream = NewEntry(uri: ItemURI("https://radio.example/\(number)"), tags: Tags())
                try library.notePlayed(stream, room: RoomID("living"), atMs: Milliseconds(number))
                largest = max(largest, library.logPages)
            }
            #expect(largest > 1_000)
            #expect(largest < 2_100)
            #expect(library.logPages < largest)
        }
    }

    @Test func `what people think of a track stays with it through a move`() throws {
        try withLibrary { library in
            try library.scan(songs)
            #expect(try library.setStars(item(2), 4, atMs: 5))
            #expect(try library.setStars(item(2), 4, atMs: 6) == false)
            #expect(try library.setFavourite(item(2), true, atMs: 7))
            try library.notePlayed(item(2), room: RoomID("living"), atMs: 8)

            var moved = songs
            moved[1].folder = "/music/elsewhere"
            try library.scan(moved)

            let row = try #require(try library.search(SearchQuery("song 2", kinds: [.track])).rows.first)
            #expect(row.mark == ItemMark(isFavourite: true, stars: 4, plays: 1, lastPlayedMs: 8))
            #expect(try library.marks(of: [row.uri])[row.uri] == row.mark)
            #expect(try library.titles(in: "lib:shelf/favourites") == ["Song 2"])
            #expect(try library.titles(in: "lib:shelf/recent") == ["Song 2"])
            #expect(try library.titles(in: "lib:shelf/tracks", sort: .stars).first == "Song 2")
        }
    }

    @Test func `what was shown already shows what has changed since`() throws {
        try withLibrary { library in
            let songs = (1...3).map { Song("Song \($0)", by: ["Anna"], on: "Waves") }
            try library.scan(songs)
            func found(_ text: String, _ kind: ItemKind) throws -> ItemRow {
                try #require(try library.search(SearchQuery(text, kinds: [kind])).rows.first)
            }
            let track = try found("song 2", .track)
            let album = try found("waves", .album)
            #expect(track.mark == ItemMark() && album.mark == ItemMark() && album.count == 3)

            _ = try library.setStars(NewEntry(uri: track.uri, tags: track.tags), 4, atMs: 5)
            _ = try library.setFavourite(NewEntry(uri: album.uri, tags: album.tags), true, atMs: 6)
            var fewer = Array(songs.dropFirst())
            fewer[0].facts.tags.year = 1984
            try library.scan(fewer)

            #expect(try found("song 2", .track).mark.stars == 4)
            #expect(try found("song 2", .track).tags.year == 1984)
            #expect(try found("waves", .album).mark.isFavourite)
            #expect(try found("waves", .album).count == 2)
            #expect(try library.titles("song 1") == [])
        }
    }

    @Test func `what was played more is found earlier`() throws {
        try withLibrary { library in
            try library.scan(songs)
            #expect(try library.titles("song").first == "Song 1")
            for number in [5, 3, 5] { try library.notePlayed(item(number), room: RoomID("living"), atMs: Milliseconds(number)) }
            #expect(try library.titles("song") == ["Song 5", "Song 3", "Song 1", "Song 2", "Song 4", "Song 6"])
            #expect(try library.history(PageWindow()).map(\.row.tags.title) == ["Song 5", "Song 3", "Song 5"])
            #expect(try library.titles(in: "lib:shelf/most") == ["Song 5", "Song 3"])
        }
    }

    @Test func `what is gone and means something to somebody is kept and shown grey`() throws {
        try withLibrary { library in
            try library.scan(songs)
            _ = try library.setFavourite(item(1), true, atMs: 1)
            try library.scan(Array(songs.dropFirst()))

            let row = try #require(try library.browse(BrowseQuery(node: ItemURI("lib:shelf/favourites"))).rows.first)
            #expect(row.tags.title == "Song 1")
            #expect(row.isAway)
            #expect(try library.titles("song").count == 5)

            try library.scan(songs)
            #expect(try library.browse(BrowseQuery(node: ItemURI("lib:shelf/favourites"))).rows.first?.isAway == false)
        }
    }

    @Test func `items of other sources have marks too`() throws {
        try withLibrary { library in
            let radio = NewEntry(uri: ItemURI("radio:station/7"), tags: Tags(title: "Radio Seven"))
            #expect(try library.setFavourite(radio, true, atMs: 1))
            let row = try #require(try library.browse(BrowseQuery(node: ItemURI("lib:shelf/favourites"))).rows.first)
            #expect(row.uri == radio.uri && row.tags.title == "Radio Seven" && !row.isAway)
            #expect(try library.setFavourite(radio, false, atMs: 1))
            #expect(try library.marks(of: [radio.uri]) == [:])
        }
    }

    // MARK: - Playlists

    @Test func `a playlist is edited by anchors, as a queue is`() throws {
        try withLibrary { library in
            try library.scan(songs)
            let made = try library.createPlaylist("Party", [item(1), item(2)], rule: nil, once: nil, atMs: 1)
            #expect(made.added.count == 2)
            let id = made.id
            let edited = try library.editPlaylist(
                id, base: nil, [.add([item(3)], at: .after(made.added[0]))], once: nil, atMs: 2)
            #expect(try titles(library, id) == ["Song 1", "Song 3", "Song 2"])
            _ = try library.editPlaylist(
                id, base: nil, [.move([made.added[1]], to: .after(nil)), .remove(edited.added)], once: nil, atMs: 3)
            #expect(try titles(library, id) == ["Song 2", "Song 1"])

            let gone = sourceFault {
                _ = try library.editPlaylist(id, base: nil, [.add([item(4)], at: .after(edited.added[0]))], once: nil, atMs: 4)
            }
            #expect(gone?.code == .anchorGone)
            #expect(gone?.sentence.contains("playlist") == true)
            let late = sourceFault { _ = try library.editPlaylist(id, base: 1, [.clear], once: nil, atMs: 4) }
            #expect(late?.code == .conflict && late?.revision == 3, "the revision that the list has")
            #expect(try library.editPlaylist(id, base: nil, [.remove(edited.added)], once: nil, atMs: 5).isNoop)

            let row = try #require(try library.playlists(PageWindow()).first)
            #expect(row.count == 2 && row.durationMs == 120_000 && row.revision == 3 && row.name == "Party")
            #expect(try library.expandPlaylist(id).map(\.tags.title) == ["Song 2", "Song 1"])
            #expect(try library.search(SearchQuery("par")).rows.map(\.uri) == [id.uri])
        }
    }

    @Test func `an edit is all or nothing`() throws {
        try withLibrary { library in
            let made = try library.createPlaylist("Party", [item(1)], rule: nil, once: nil, atMs: 1)
            let fault = sourceFault {
                _ = try library.editPlaylist(
                    made.id, base: nil, [.add([item(2)], at: .end), .move([EntryID(99)], to: .end)], once: nil, atMs: 2)
            }
            #expect(fault?.code == .gone)
            #expect(try titles(library, made.id) == ["Song 1"])
        }
    }

    @Test func `the last edits are taken back, and what others did since stays`() throws {
        try withLibrary { library in
            let made = try library.createPlaylist("Party", (1...3).map(item), rule: nil, once: nil, atMs: 1)
            let id = made.id
            _ = try library.editPlaylist(id, base: made.revision, [.clear], once: nil, atMs: 2)
            #expect(try library.playlists(PageWindow()).first?.undo == "clear")
            #expect(try titles(library, id) == [])
            _ = try library.editPlaylist(id, base: nil, [.undo], once: nil, atMs: 3)
            #expect(try titles(library, id) == ["Song 1", "Song 2", "Song 3"])

            _ = try library.editPlaylist(id, base: nil, [.remove([made.added[1]])], once: nil, atMs: 4)
            _ = try library.editPlaylist(id, base: nil, [.add([item(4)], at: .end)], once: nil, atMs: 5)
            _ = try library.editPlaylist(id, base: nil, [.undo], once: nil, atMs: 6)
            #expect(try titles(library, id) == ["Song 1", "Song 3"])
            _ = try library.editPlaylist(id, base: nil, [.undo], once: nil, atMs: 7)
            #expect(try titles(library, id) == ["Song 1", "Song 2", "Song 3"])
            let fault = sourceFault { _ = try library.editPlaylist(id, base: nil, [.undo], once: nil, atMs: 8) }
            #expect(fault?.code == .invalidState)
        }
    }

    @Test func `an edit can be taken back for a day, whatever the wall clock is set to`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let (time, yearMs) = (HandClock(1_000), Milliseconds(365 * 86_400_000))
            var library = try LibraryStore(folder: folder, boot: "b1", clock: time.clock)
            let id = try library.createPlaylist("Party", (1...3).map(item), rule: nil, once: nil, atMs: yearMs).id
            _ = try library.editPlaylist(id, base: 1, [.clear], once: nil, atMs: yearMs)
            library.close()

            library = try LibraryStore(folder: folder, boot: "b1", clock: time.clock)
            _ = try library.editPlaylist(id, base: nil, [.add([item(4)], at: .end)], once: nil, atMs: yearMs * 3)
            _ = try library.editPlaylist(id, base: nil, [.undo], once: nil, atMs: yearMs * 3)
            _ = try library.editPlaylist(id, base: nil, [.undo], once: nil, atMs: yearMs * 3)
            #expect(try titles(library, id) == ["Song 1", "Song 2", "Song 3"])

            _ = try library.editPlaylist(id, base: nil, [.add([item(4)], at: .end)], once: nil, atMs: yearMs)
            time.pass(ms: QueueHistory.lifeMs + 1)
            _ = try library.editPlaylist(id, base: nil, [.add([item(5)], at: .end)], once: nil, atMs: yearMs)
            _ = try library.editPlaylist(id, base: nil, [.undo], once: nil, atMs: yearMs)
            let fault = sourceFault { _ = try library.editPlaylist(id, base: nil, [.undo], once: nil, atMs: yearMs) }
            #expect(fault?.code == .invalidState)
            library.close()
        }
    }

    @Test func `a command that comes twice happens once`() throws {
        try withLibrary { library in
            let key = CommandKey(device: "d", key: "k1", hash: [1])
            let made = try library.createPlaylist("Party", [item(1)], rule: nil, once: key, atMs: 1)
            var again = try library.createPlaylist("Party", [item(1)], rule: nil, once: key, atMs: 2)
            #expect(again.isDup)
            again.isDup = false
            #expect(again == made)
            #expect(try library.playlists(PageWindow()).count == 1)
            let other = sourceFault {
                _ = try library.deletePlaylist(made.id, once: CommandKey(device: "d", key: "k1", hash: [2]))
            }
            #expect(other?.code == .keyMismatch)
            #expect(try library.deletePlaylist(made.id, once: nil).isNoop == false)
            #expect(try library.deletePlaylist(made.id, once: nil).isNoop)
            #expect(library.libraryCounts().playlists == 0)
        }
    }

    @Test func `the last deleted lists are kept whole, also their items, and older ones are forgotten`() throws {
        try withLibrary { library in
            var made: [PlaylistID] = []
            for number in 0...LibraryDatabase.mostDeletedPlaylists {
                made.append(try library.createPlaylist("List \(number)", [item(number)], rule: nil, once: nil, atMs: 1).id)
            }
            _ = try library.editPlaylist(made[1], base: nil, [.add([item(99)], at: .end), .describe("For rain")], once: nil, atMs: 2)
            #expect(try library.editPlaylist(made[1], base: nil, [.describe("For rain")], once: nil, atMs: 3).isNoop)
            let before = try library.playlist(made[1], from: 0, count: 10)
            for id in made { _ = try library.deletePlaylist(id, once: nil) }
            #expect(library.libraryCounts().playlists == 0)

            #expect(sourceFault { _ = try library.restorePlaylist(made[0], once: nil) }?.code == .notFound)
            #expect(try library.restorePlaylist(made[1], once: nil).isNoop == false)
            #expect(try library.restorePlaylist(made[1], once: nil).isNoop)

            #expect(try library.playlist(made[1], from: 0, count: 10) == before && before.list.undo == "add")
            #expect(before.list.about == "For rain" && before.list.madeMs == 1 && before.list.changedMs == 2)
            #expect(library.libraryCounts().playlists == 1)
        }
    }

    @Test func `a list holds ten thousand entries and no more`() throws {
        try withLibrary { library in
            let made = try library.createPlaylist("Long", (1...10_000).map(item), rule: nil, once: nil, atMs: 1)
            let fault = sourceFault { _ = try library.editPlaylist(made.id, base: nil, [.add([item(1)], at: .end)], once: nil, atMs: 2) }
            #expect(fault?.code == .quota)
            #expect(try library.playlist(made.id, from: 9_990, count: 100).entries.count == 10)
        }
    }

    @Test func `a smart list is what its rule finds`() throws {
        try withLibrary { library in
            try library.scan(songs + [Song("Élan", by: ["Bob"], on: "Second").with { $0.tags.year = 1999 }])
            _ = try library.setStars(item(2), 5, atMs: 1)
            _ = try library.setStars(item(3), 3, atMs: 1)
            try library.notePlayed(item(2), room: RoomID("living"), atMs: 1)
            func found(_ conditions: SmartRule.Condition..., any: Bool = false, order: SmartRule.Order = .title) throws -> [String] {
                let made = try library.createPlaylist(
                    "Smart", [], rule: SmartRule(conditions, matchesAny: any, order: order), once: nil, atMs: 1)
                #expect(try library.playlist(made.id, from: 0, count: 0).list.count == (try library.expandPlaylist(made.id).count))
                return try titles(library, made.id)
            }
            #expect(try found(.init(.stars, .atLeast, value: "3")) == ["Song 2", "Song 3"])
            #expect(try found(.init(.title, .has, value: "ELA"), .init(.year, .atLeast, value: "1990")) == ["Élan"])
            #expect(try found(.init(.artist, .is, value: "bob"), .init(.plays, .atLeast, value: "1"), any: true) == ["Élan", "Song 2"])
            #expect(try found(.init(.album, .isNot, value: "first")) == ["Élan"])
            #expect(try found(.init(.playedDays, .atLeast, value: "90"), .init(.stars, .is, value: "5")) == ["Song 2"])
            #expect(try found(.init(.favourite, .is, value: "1")) == [])
            #expect(try found(.init(.stars, .below, value: "5"), .init(.stars, .above, value: "0")) == ["Song 3"])
            #expect(try found(.init(.title, .oneOf, value: "song 3|ELAN|none")) == ["Élan", "Song 3"])
            #expect(try found(.init(.stars, .oneOf, value: "3|5")) == ["Song 2", "Song 3"])
            #expect(try found(.init(.year, .since, value: "1999")) == ["Élan"])
            // The tracks were added, and the second was played, in the first moments of 1970.
            #expect(try found(.init(.addedDays, .since, value: "1970-01-02")).isEmpty)
            #expect(try found(.init(.addedDays, .since, value: "1970-01-01"), .init(.stars, .is, value: "5")) == ["Song 2"])
            #expect(sourceFault { _ = try found(.init(.addedDays, .since, value: "1970-02-30")) }?.code == .badRequest)
            let fault = sourceFault { _ = try found(.init(.year, .has, value: "19")) }
            #expect(fault?.code == .badRequest)
            #expect(sourceFault { _ = try found(.init(.stars, .is, value: "x'; DROP TABLE track")) }?.code == .badRequest)
        }
    }
}
