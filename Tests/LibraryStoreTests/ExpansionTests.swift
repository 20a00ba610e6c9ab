/// Tracks of shelves, lists and marks that lead to each other, also as no command of today makes them.
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

@Suite struct ExpansionTests {
    private let anna = Person("@anna")
    private let favourites = LibraryShelf.favourites.uri

    private static func entry(_ uri: ItemURI, _ kind: ItemKind) -> NewEntry {
        var tags = Tags(title: uri.text)
        tags.kind = kind
        return NewEntry(uri: uri, tags: tags)
    }

    // MARK: - Shelves among marks

    @Test func `a shelf that stands among its own items is passed over, and all else on it plays`() throws {
        try withLibrary { library in
            try library.scan((1...3).map { Song("Song \($0)", by: ["Ann"], on: "First", sound: UInt64($0)) })
            let song = try #require(try library.uri("Song 2"))
            let track = Self.entry(song, .track)
            for person in [nil, anna] {
                try library.plant(Self.entry(favourites, .shelf), of: person, atMs: 2)
                try library.plant(Self.entry(LibraryShelf.tracks.uri, .album), of: person, atMs: 3)
                try library.plant(track, of: person, atMs: 1)
            }

            #expect(try library.expand(favourites, most: 10_000).map(\.uri) == [song])
            #expect(try library.expand(.favourites, by: anna, most: 10_000).map(\.uri) == [song])
        }
    }

    @Test func `a shelf is not marked, and an old mark of one can be taken away`() throws {
        try withLibrary { library in
            for shelf in [
                Self.entry(favourites, .shelf), Self.entry(LibraryShelf.tracks.uri, .track), Self.entry(ItemURI("radio:shelf/all"), .shelf),
            ] {
                let refusals = [
                    sourceFault { _ = try library.setFavourite(shelf, true, atMs: 1) },
                    sourceFault { _ = try library.setFavourite(shelf, true, of: anna, atMs: 1) },
                    sourceFault { _ = try library.setStars(shelf, 5, atMs: 1) },
                    sourceFault { _ = try library.setStars(shelf, 5, of: anna, atMs: 1) },
                ]
                #expect(refusals.allSatisfy { $0?.code == .unsupported && $0?.sentence.contains("is a shelf") == true })
            }
            try library.plant(Self.entry(favourites, .shelf), of: nil, atMs: 1)
            #expect(try library.setFavourite(Self.entry(favourites, .shelf), false, atMs: 2))
            #expect(try library.browse(BrowseQuery(node: favourites)).rows.isEmpty)
        }
    }

    @Test func `a library with such marks opens, and says which are passed over`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let before = try LibraryStore(folder: folder)
            #expect(before.remarks.isEmpty)
            try before.plant(Self.entry(favourites, .shelf), of: nil, atMs: 1)
            try before.plant(Self.entry(LibraryShelf.most.uri, .shelf), of: anna, atMs: 1)
            try before.plant(Self.entry(ItemURI("lib:album/1"), .album), of: anna, atMs: 1)
            before.close()
            let library = try LibraryStore(folder: folder)
            defer { library.close() }
            #expect(library.remarks.count == 2 && library.notices.isEmpty)
            #expect(library.remarks.first?.contains("baton fav off lib:shelf/favourites") == true)
        }
    }

    // MARK: - Lists in lists

    @Test func `no list holds a list, so none can hold itself`() throws {
        try withLibrary { library in
            let song = Self.entry(ItemURI("file:a"), .track)
            let one = try library.createPlaylist("One", [song], rule: nil, once: nil, atMs: 1).id
            for container in [Self.entry(one.uri, .playlist), Self.entry(favourites, .shelf), Self.entry(ItemURI("lib:album/1"), .album)] {
                let edit = sourceFault {
                    _ = try library.editPlaylist(one, base: nil, [.add([song, container], at: .end)], once: nil, atMs: 2)
                }
                let made = sourceFault { _ = try library.createPlaylist("Two", [container], rule: nil, once: nil, atMs: 3) }
                #expect(edit?.code == .unsupported && made?.code == .unsupported)
            }
            #expect(try library.expandPlaylist(one).map(\.uri) == [song.uri])
            #expect(try library.playlists(PageWindow()).map(\.name) == ["One"])
        }
    }

    // MARK: - Folders

    /// On a thread with a small stack, which a call for each folder would overflow.
    @Test func `a folder far below another is added in one go`() throws {
        try withLibrary { library in
            let deep = "/music" + String(repeating: "/x", count: 1_500)
            let done = DispatchSemaphore(value: 0)
            let outcome = Outcome()
            let thread = Thread {
                outcome.fault = sourceFault {
                    _ = try library.setFolder("/music", isWanted: true)
                    _ = try library.setFolder(deep, isWanted: true)
                }
                done.signal()
            }
            thread.stackSize = 256 << 10
            thread.start()
            done.wait()

            #expect(outcome.fault == nil)
            #expect(try library.folders().map(\.path) == ["/music", deep])
            try library.scan([Song("Deep", in: deep)])
            #expect(try library.expand(try #require(try library.titledFolder("music")), most: 10).map(\.tags.title) == ["Deep"])
        }
    }

    private final class Outcome: @unchecked Sendable {
        var fault: SourceFault?
    }

    // MARK: - Any graph

    /// Marks of whatever there is, in any number and order, among them shelves, lists and rules over marks: all that is expanded ends, is
    /// as long as was asked for, and holds tracks alone. The favourites are compared with a model that opens each mark once.
    @Test(arguments: 0..<UInt64(12)) func `whatever is marked, what plays of a shelf ends within its bounds`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        try withLibrary { library in
            let songs = (0..<30).map { number in
                Song("Song \(number)", by: ["Band \(number % 4)"], on: "Album \(number % 7)", in: "/music/\(number % 3)/\(number % 5)").with
                {
                    ($0.genres, $0.tags.year) = (["Genre \(number % 2)"], 1990 + number % 3)
                }
            }
            try library.scan(songs)
            var items = [
                Self.entry(ItemURI("far:album/1"), .album), Self.entry(ItemURI("far:shelf/all"), .shelf),
                Self.entry(ItemURI("radio:station/1"), .station),
            ]
            for (name, _) in Shelf.order {
                let shelf = LibraryShelf.uri(named: name)
                items.append(Self.entry(shelf, .shelf))
                items += try library.browse(BrowseQuery(node: shelf)).rows.map { NewEntry(uri: $0.uri, tags: $0.tags) }
            }
            let tracks = items.filter { $0.tags.kind == .track }
            for number in 0..<3 {
                let held = (0..<Int.random(in: 0...9, using: &random)).map { _ in tracks[Int.random(in: 0..<tracks.count, using: &random)] }
                let list = try library.createPlaylist("List \(number)", held, rule: nil, once: nil, atMs: 1).id
                items.append(Self.entry(list.uri, .playlist))
            }
            let loved = try library.createPlaylist("Loved", [], rule: SmartRule([.init(.favourite, .is, value: "1")]), once: nil, atMs: 1)
                .id
            items += [Self.entry(loved.uri, .playlist), Self.entry(PlaylistID("gone").uri, .playlist)]

            for (person, count) in [(Person?.none, 40), (anna, 20)] {
                for at in 1...Int64.random(in: 1...Int64(count), using: &random) {
                    try library.plant(items[Int.random(in: 0..<items.count, using: &random)], of: person, atMs: Milliseconds(at))
                }
            }
            let most = [1, 2, 17, 10_000][Int(seed % 4)]
            for (name, _) in Shelf.order {
                let found = try library.expand(LibraryShelf.uri(named: name), most: most)
                #expect(found.count <= most && !found.contains { $0.tags.kind.isContainer }, "seed \(seed), \(name)")
            }
            for shelf in OwnShelf.allCases {
                let found = try library.expand(shelf, by: anna, most: most)
                #expect(found.count <= most && !found.contains { $0.tags.kind.isContainer }, "seed \(seed), \(shelf)")
            }
            let hubs = try library.browse(BrowseQuery(node: favourites, window: PageWindow(limit: 1_000))).rows
            #expect(try library.expand(favourites, most: most).map(\.uri) == library.model(of: hubs, most, .home), "seed \(seed)")
            let annas = try library.marked(.favourites, by: anna, sortedBy: nil, PageWindow(limit: 1_000)).rows
            #expect(
                try library.expand(.favourites, by: anna, most: most).map(\.uri) == library.model(of: annas, most, anna), "seed \(seed)")
        }
    }
}

extension LibraryStore {
    /// A favourite as an earlier version kept it, which asked nobody what the item is. Of the hub without a person.
    fileprivate func plant(_ item: NewEntry, of person: Person?, atMs: Milliseconds) throws {
        var stand = item
        if item.tags.kind == .shelf || item.uri.isLibraryShelf {
            stand = NewEntry(uri: ItemURI("file:planted"), tags: Tags(title: item.tags.title))
        }
        let file = try Database(path)
        // The one that stands for it has the item's row.
        try file.run("UPDATE item SET uri = ? WHERE uri = ?", [.text(stand.uri.text), .text(item.uri.text)])
        if let person { _ = try setFavourite(stand, true, of: person, atMs: atMs) } else { _ = try setFavourite(stand, true, atMs: atMs) }
        try file.run(
            "UPDATE item SET uri = ?, kind = ? WHERE uri = ?",
            [.text(item.uri.text), .text(item.tags.kind.rawValue), .text(stand.uri.text)])
    }

    fileprivate func titledFolder(_ title: String) throws -> ItemURI? {
        try browse(BrowseQuery(node: LibraryShelf.folders.uri)).rows.first { $0.tags.title == title }?.uri
    }

    /// The tracks that play for these rows.
    fileprivate func model(of rows: [ItemRow], _ most: Int, _ person: Person) throws -> [ItemURI] {
        var found: [ItemURI] = []
        // No more rows are opened than tracks are wanted.
        for row in rows.prefix(most) {
            if !row.tags.kind.isContainer {
                found.append(row.uri)
            } else if let list = PlaylistID(row.uri) {
                found += (try? expandPlaylist(list, for: person).map(\.uri)) ?? []
            } else if row.uri.isOfLibrary, !row.uri.isLibraryShelf {
                found += try expand(row.uri, most: 10_000).map(\.uri)
            }
        }
        return Array(found.prefix(most))
    }
}
