/// Only what can be a favourite is marked, and a mark that an earlier version let through harms nothing: neither what plays nor what is stored.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import SQLite
import Stores
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary

@Suite(.serialized) struct `What can be marked` {
    private static let favourites = ItemURI("lib:shelf/favourites")

    @Loop
    private struct World: HubWorld {
        let folder: TemporaryFolder
        let store: LibraryStore
        let far = SimulatedAlbums()
        let kept = MemoryKept()
        let sim: SimulatedHub

        init() async throws {
            folder = try TemporaryFolder()
            store = try LibraryStore(folder: folder.path)
            sim = try SimulatedHub(
                library: LibraryParts(
                    userMarks: store, persons: store, connectors: [ScannedLibrary(store: store), PlaylistShelf(store), far]))
            await sim.hub.keep(kept, limit: 1 << 20)
        }

        /// A favourite as an earlier version kept it, which took everything for markable.
        func plant(_ shelf: ItemURI, of person: Person? = nil) throws {
            let stand = NewEntry(uri: ItemURI("file:track/stand"), tags: Tags(title: "Favourites"))
            _ = try store.setFavourite(stand, true, atMs: Milliseconds(1 << 41))
            if let person { _ = try store.setFavourite(stand, true, of: person, atMs: Milliseconds(1 << 41)) }
            try Database(store.path).run("UPDATE item SET uri = ?, kind = 'shelf' WHERE uri = 'file:track/stand'", [.text(shelf.text)])
        }
    }

    /// BT-LIB-023
    @Test(arguments: [false, true])
    func `no shelf becomes a favourite or has stars, neither of the hub nor of a user`(isUser: Bool) async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            if isUser {
                _ = try await world.send(remote, Commands.UserAdd("Ben", password: "a long sentence", role: .remote))
                _ = try await world.send(remote, Commands.UserSignIn("Ben", password: "a long sentence"))
            }
            for shelf in ["favourites", "tracks", "playlists"].map({ LibraryShelf.uri(named: $0) }) {
                let reply = try await world.send(remote, Commands.FavouriteSet(shelf, isOn: true)).reply
                guard case .failed(let error) = reply.outcome else { return #expect(Bool(false), "\(shelf) was marked.") }
                #expect(error.code == "unsupported" && error.message.contains("is a shelf"), "\(error)")
                #expect(try await world.send(remote, Commands.RatingSet(shelf, stars: 5)).refusal == .unsupported)
                #expect(try await world.send(remote, Commands.FavouriteSet(shelf, isOn: false)).reply.outcome == .noop(why: .same))
            }
            #expect(try await world.send(remote, Commands.FavouriteSet(world.far.album(1), isOn: true)).reply.isSuccess)
            #expect(try await world.send(remote, Commands.RatingSet(world.far.track(20), stars: 5)).reply.isSuccess)
            world.store.close()
        }
    }

    @Test func `the favourites play and are kept although they stand among themselves, and the mark can be taken away`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            try world.plant(Self.favourites)
            _ = try await world.send(remote, Commands.FavouriteSet(world.far.track(20), isOn: true))

            #expect(try await world.send(remote, Commands.KeepSet(.favourites, true), key: "keep-it").reply.isSuccess)
            #expect(await world.until { remote.mirror.keeping?.whole == 1 })
            #expect(try await world.send(remote, Commands.Play(Self.favourites), key: "play-it").reply.isSuccess)
            #expect(world.sim.hub.rooms.all.first?.room.queue.entries.map(\.uri) == [world.far.track(20)])

            await world.sim.hub.close()
            try world.sim.restart()
            await world.sim.hub.keep(world.kept, limit: 1 << 20)
            let again = try world.sim.remote()
            #expect(await world.until { again.mirror.keeping?.whole == 1 })
            #expect(try await world.send(again, Commands.FavouriteSet(Self.favourites, isOn: false)).reply.outcome == .applied())
            #expect(try world.store.marks(of: [Self.favourites]).isEmpty)
            world.store.close()
        }
    }

    @Test func `a user's favourites play although they and the hub's stand in each other`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            _ = try await world.send(remote, Commands.UserAdd("Ben", password: "a long sentence", role: .remote))
            _ = try await world.send(remote, Commands.UserSignIn("Ben", password: "a long sentence"))
            let person = try #require(world.sim.hub.users?.users.values.first?.user.person)
            try world.plant(Self.favourites, of: person)
            _ = try await world.send(remote, Commands.FavouriteSet(world.far.track(20), isOn: true))

            #expect(try await world.send(remote, Commands.Play(Self.favourites), key: "play-it").reply.isSuccess)
            #expect(world.sim.hub.rooms.all.first?.room.queue.entries.map(\.uri) == [world.far.track(20)])
            world.store.close()
        }
    }
}

/// The library as its connector gives it, without files.
struct ScannedLibrary: Connector {
    let store: LibraryStore
    let source = "lib"
    let about = SourceAbout(name: "Music library", abilities: [.browse, .marks])

    @concurrent
    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] { try store.expand(uri, most: 10_000) }
    func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        Playable(.file(NamedFile("/music/\(uri)", MemoryFile())))
    }
    func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage { try store.browse(query) }
    func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails { try store.details(of: uri) }
}
