/// Mixes and albums like those that were heard: each user's follow from what that user has heard and marked.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Stores
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary

@Suite(.serialized) struct `Mixes of users` {
    @Loop
    private struct World: HubWorld {
        let folder: TemporaryFolder
        let store: LibraryStore
        let sim: SimulatedHub
        /// Signed in as no user.
        let owner: TestRemote
        let anna: TestRemote
        let ben: TestRemote

        init() async throws {
            folder = try TemporaryFolder()
            store = try LibraryStore(folder: folder.path)
            try Self.scan([("One", "Jazz"), ("Two", "Jazz"), ("Three", "Rock"), ("Four", "Folk")], into: store)
            sim = try SimulatedHub(
                library: LibraryParts(userMarks: store, persons: store, connectors: [ScannedLibrary(store: store), PlaylistShelf(store)]))
            owner = try sim.remote(id: "owner-1")
            anna = try sim.remote(id: "anna-0001")
            ben = try sim.remote(id: "ben-0001")
            for (name, remote) in [("Anna", anna), ("Ben", ben)] {
                _ = try await send(owner, Commands.UserAdd(name, password: "a long sentence", role: .remote))
                _ = try await send(remote, Commands.UserSignIn(name, password: "a long sentence"))
            }
        }

        private static func scan(_ songs: [(title: String, genre: String)], into store: LibraryStore) throws {
            let files = songs.enumerated().map { number, song -> ScannedFile in
                var facts = TrackFacts()
                facts.tags = Tags(title: song.title, artists: ["Artist of \(song.title)"], durationMs: 180_000)
                facts.tags.album = "Album of \(song.title)"
                facts.tags.albumArtist = "Artist of \(song.title)"
                facts.genres = [song.genre]
                return ScannedFile(
                    folder: "/music", name: "\(song.title).flac",
                    stamp: FileStamp(size: 1_000, modifiedNs: 1, inode: UInt64(number) + 1), companions: 0,
                    content: .tracks([facts], fingerprint: Fingerprint(high: UInt64(number) + 1, low: 7), lyrics: nil))
            }
            let scan = try store.beginScan(atMs: 1)
            try store.store(files, in: scan, atMs: 1)
            try store.endScan(scan, below: ["/music"], ScanReport(), atMs: 1)
        }

        func person(_ name: String) throws -> Person {
            let user = sim.hub.users?.users.values.map(\.user).first { $0.name == name }
            return try #require(user).person
        }

        func entry(_ title: String) throws -> NewEntry {
            let row = try store.search(SearchQuery(title, kinds: [.track])).rows.first { $0.tags.title == title }
            return NewEntry(uri: try #require(row).uri, tags: Tags(title: title))
        }

        func hears(_ title: String, as name: String) throws {
            try store.notePlayed(try entry(title), by: try person(name), room: RoomID("main"), atMs: Clock.system.wallMs)
        }

        func page(_ remote: TestRemote, _ mix: LibraryMix, page: PageRequest = .init()) async throws -> ItemList {
            try ItemList(from: try #require(try await send(remote, Commands.Browse(node: mix.uri, page: page)).data))
        }

        func titles(_ remote: TestRemote, _ mix: LibraryMix) async throws -> [String] {
            try await page(remote, mix).rows.map(\.tags.title).sorted()
        }

        var queue: [QueueEntry] { sim.hub.rooms.all.first?.room.queue.entries ?? [] }
    }

    @Test func `each follows from what its user has heard`() async throws {
        try await onLoop {
            let world = try await World()
            try world.hears("One", as: "Anna")
            try world.hears("Three", as: "Ben")

            #expect(try await world.titles(world.anna, .never) == ["Four", "Three", "Two"])
            #expect(try await world.titles(world.ben, .never) == ["Four", "One", "Two"])
            #expect(try await world.titles(world.anna, .week) == ["One", "Two"])
            #expect(try await world.titles(world.ben, .week) == ["Three"])
            #expect(try await world.titles(world.anna, .similar) == ["Album of Two"])
            #expect(try await world.titles(world.ben, .similar).isEmpty)
            // Without a user those of the hub are meant, where nothing was heard.
            #expect(try await world.titles(world.owner, .never).count == 4)
            #expect(try await world.titles(world.owner, .week).isEmpty)
            world.store.close()
        }
    }

    @Test func `each plays at one press, as it is shown to the user who presses`() async throws {
        try await onLoop {
            let world = try await World()
            try world.hears("One", as: "Anna")
            try world.hears("Three", as: "Ben")

            for mix in [LibraryMix.never, .week] {
                for (name, remote) in [("anna", world.anna), ("ben", world.ben)] {
                    let shown = try await world.page(remote, mix).rows.map(\.uri)
                    #expect(try await world.send(remote, Commands.Play(mix.uri), key: "\(mix)-of-\(name)").reply.isSuccess)
                    #expect(world.queue.map(\.uri) == shown && !shown.isEmpty)
                    #expect(await world.until { world.sim.player.playing != nil })
                }
            }
            #expect(try await world.send(world.anna, Commands.Play(LibraryMix.similar.uri), key: "similar-of-anna").reply.isSuccess)
            #expect(world.queue.map(\.tags.title) == ["Two"])
            // Nothing is like what Ben has heard, and what plays stays.
            let refused = try await world.send(world.ben, Commands.Play(LibraryMix.similar.uri), key: "similar-of-ben").refusal
            #expect(refused == .notFound)
            #expect(world.queue.map(\.tags.title) == ["Two"])
            world.store.close()
        }
    }

    @Test func `each tells the marks of its own user only`() async throws {
        try await onLoop {
            let world = try await World()
            _ = try world.store.setFavourite(try world.entry("Four"), true, of: try world.person("Anna"), atMs: 1)

            #expect(try await world.titles(world.anna, .unheard) == ["Four"])
            for other in [world.ben, world.owner] {
                #expect(try await world.titles(other, .unheard).isEmpty)
                let never = try await world.page(other, .never).rows
                #expect(never.count == 4 && never.allSatisfy { !$0.mark.isFavourite })
            }
            let own = try await world.page(world.anna, .never).rows
            #expect(own.filter(\.mark.isFavourite).map(\.tags.title) == ["Four"])
            world.store.close()
        }
    }

    @Test func `each has a row of its own, and its pages are the whole`() async throws {
        try await onLoop {
            let world = try await World()
            let whole = try await world.page(world.anna, .never)
            let first = try await world.page(world.anna, .never, page: .init(limit: 3))
            let rest = try await world.page(world.anna, .never, page: .init(limit: 3, cursor: first.cursor))

            #expect(whole.rows.count == 4 && whole.total == 4 && whole.cursor == nil)
            #expect(first.rows.count == 3 && first.rows + rest.rows == whole.rows && rest.cursor == nil)
            #expect(first.node?.uri == LibraryMix.never.uri && first.node?.tags.title.isEmpty == false)
            world.store.close()
        }
    }
}
