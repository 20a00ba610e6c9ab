/// Playlists that servers keep: made, edited and deleted there through the hub.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Foundation
import Harness
import Stores
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import BatonServers

@Suite(.serialized) struct `Playlists that servers keep` {
    @Loop
    private struct World {
        let server: KeepingServer
        let sim: SimulatedHub
        let remote: TestRemote

        func answer(_ command: some WireCommand, key: String) async throws -> ReceivedReply {
            try #require(await remote.awaitReply(remote.send(command, key: key)))
        }

        func edited(_ command: some WireCommand, key: String) async throws -> PlaylistEdited {
            let reply = try await answer(command, key: key)
            let data = try #require(reply.data, "\(reply)")
            let edited = try PlaylistEdited(from: data)
            return try #require(edited.list == nil ? nil : edited)
        }

        func version(of list: ItemURI) async throws -> String {
            let reply = try #require(await remote.awaitReply(remote.send(Commands.Browse(node: list))))
            let data = try #require(reply.data)
            return try #require(try ItemList(from: data).version)
        }

        func songs(_ numbers: Int...) -> [ItemURI] { numbers.map(server.song) }
    }

    private static let run = ItemURI("attic:playlist/run")

    @Loop
    private func world(_ lists: [String: KeepingServer.List] = [:], store: SourceStore? = nil) async throws -> World {
        let (server, accounts) = (KeepingServer(songs: 200, and: store == nil ? [] : [.mirror]), MemoryAccounts())
        server.lists = lists
        let sim = try SimulatedHub(library: LibraryParts(userMarks: MemoryUserMarks(), connectors: [MemorySource()]))
        try accounts.store(SourceAccount(name: "attic", title: "The attic", kind: "memory", url: "https://music.example.org"))
        try accounts.vault.store(SourceSecrets(user: "anna", password: "open sesame"), of: "attic")
        if let store { sim.hub.open(store, store) }
        await sim.hub.open(.inMemory(accounts) { _, _ in server })
        try await until(sim) { sim.hub.sources.latencyMs(of: "attic") != nil }
        return World(server: server, sim: sim, remote: try sim.remote())
    }

    /// BT-PLS-010 BT-CMD-pl.create BT-CMD-pl.edit BT-CMD-pl.delete
    @Test func `a list is made, edited in every way and deleted at its server`() async throws {
        try await onLoop {
            let world = try await world()
            let songs = (0..<8).map(world.server.song)
            let made = try await world.edited(Commands.PlaylistCreate("Run", uris: Array(songs[0..<4]), source: "attic"), key: "key-1")
            #expect(made.count == 4 && made.missed == 0)
            let mine = try #require(made.list)
            let id = String(mine.text.dropFirst("attic:playlist/".count))
            func list() -> KeepingServer.List? { world.server.lists[id] }
            #expect(list() == KeepingServer.List("Run", Array(songs[0..<4])))

            _ = try await world.edited(
                Commands.PlaylistEdit(
                    list: mine, version: try await world.version(of: mine),
                    ops: [
                        .add([songs[4]], at: .end), .indexed(.insert([songs[5]], at: 0)), .indexed(.remove([1, 2])),
                        .indexed(.move(from: 3, to: 0)), .plain(.rename("Walk")), .indexed(.describe("For the park")),
                        .indexed(.publish(true)),
                    ]), key: "key-2")
            #expect(list()?.songs == [songs[4], songs[5], songs[2], songs[3]])
            #expect(list()?.name == "Walk" && list()?.about == "For the park" && list()?.isPublic == true)

            #expect(try await world.answer(Commands.PlaylistDelete(list: mine), key: "key-3").reply.isSuccess)
            #expect(world.server.lists.isEmpty)
        }
    }

    /// BT-PLS-009 BT-PLS-011
    @Test func `an edit for another state of the list is refused, and leaves what was changed there`() async throws {
        try await onLoop {
            let world = try await world(["run": .init("Run", (0..<3).map { ItemURI("attic:track/\($0)") })])
            let version = try await world.version(of: Self.run)
            world.server.lists["run"]?.songs.removeFirst()

            let edit = Commands.PlaylistEdit(list: Self.run, version: version, ops: [.indexed(.remove([2]))])
            #expect(try await world.answer(edit, key: "key-1").refusal == .queueConflict)
            #expect(
                try await world.answer(Commands.PlaylistDelete(list: Self.run, version: version), key: "key-2").refusal == .queueConflict)
            #expect(world.server.lists["run"]?.songs == world.songs(1, 2))

            // What adds to any state needs none.
            _ = try await world.edited(Commands.PlaylistEdit(list: Self.run, ops: [.add(world.songs(9), at: .end)]), key: "key-3")
            #expect(world.server.lists["run"]?.songs == world.songs(1, 2, 9))
        }
    }

    /// BT-PLS-010
    @Test func `the same press by two connections makes one list`() async throws {
        try await onLoop {
            let world = try await world()
            let other = try world.sim.connect(over: .unix(uid: 0, gid: 0))
            other.sendText(#"{"t":"hello","core":"1.0","view":"full","client":{"id":"client-1","run":"another"}}"#)
            let press = Commands.PlaylistCreate("Run", uris: world.songs(1), source: "attic")
            let ids = (world.remote.send(press, key: "press"), other.send(press, key: "press"))
            let replies = [try #require(await world.remote.awaitReply(ids.0)), try #require(await other.awaitReply(ids.1))]
            #expect(try Set(replies.map { try PlaylistEdited(from: try #require($0.data)).list }).count == 1)
            #expect(world.server.edits == 1)
        }
    }

    /// BT-PLS-012
    @Test func `tracks of other sources are found at the server, and those that it does not have are named`() async throws {
        try await onLoop {
            let world = try await world()
            // The library has 250 songs, and the server the first 200 of them.
            let uris = [ItemURI("lib:track/3"), ItemURI("lib:track/240"), world.server.song(7), ItemURI("lib:track/150")]
            let made = try await world.edited(Commands.PlaylistCreate("Run", uris: uris, source: "attic"), key: "key-1")
            #expect(made.count == 3 && made.missed == 1)
            #expect(made.missing.map(\.uri.text) == ["lib:track/240"] && made.missing.first?.title == "Song 240")
            #expect(world.server.lists.values.first?.songs == world.songs(3, 7, 150))

            let none = try await world.answer(
                Commands.PlaylistCreate("Other", uris: [ItemURI("lib:track/240")], source: "attic"), key: "key-2")
            #expect(none.refusal == .notFound && world.server.lists.count == 1)
        }
    }

    /// BT-PLS-013
    @Test func `while the server is away nothing is changed, and the edit can be made afterwards`() async throws {
        try await onLoop {
            let world = try await world(["run": .init("Run")])
            world.server.isDown = true
            let edit = Commands.PlaylistEdit(list: Self.run, ops: [.plain(.rename("Walk"))])
            #expect(try await world.answer(edit, key: "key-1").refusal == .unavailable)
            #expect(try await world.answer(Commands.PlaylistCreate("New", source: "attic"), key: "key-2").refusal == .unavailable)
            world.server.isDown = false
            try await until(world.sim) { world.sim.hub.sources.usable("attic") != nil }
            #expect(try await world.answer(edit, key: "key-1").reply.isSuccess)
            #expect(world.server.lists == ["run": .init("Walk")])
        }
    }

    @Test func `a list that was edited is shown as it is now when its server goes away`() async throws {
        try await onLoop {
            let folder = FileManager.default.temporaryDirectory.appending(path: "baton-lists-\(UUID().uuidString.prefix(8))").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let store = try SourceStore(folder: folder)
            let row = ItemRow(uri: Self.run, tags: Tags(title: "Run"))
            let pass = try store.begin("attic", atMs: 1)
            try store.put(MirrorPage([MirrorRow(row, in: nil, at: 0)]), in: pass)
            try store.finish(pass, atMs: 1_700_000_000_000)
            let world = try await world(["run": .init("Run")], store: store)
            try await until(world.sim) { world.sim.hub.mirrorPasses.status["attic"] != nil }

            _ = try await world.edited(Commands.PlaylistEdit(list: Self.run, ops: [.add(world.songs(4, 5), at: .end)]), key: "key-1")
            try await until(world.sim) { (try? store.browse("attic", BrowseQuery(node: Self.run)))?.rows.count == 2 }
            world.server.isDown = true
            _ = try await world.answer(Commands.PlaylistEdit(list: Self.run, ops: [.plain(.rename("Walk"))]), key: "key-2")
            try await until(world.sim) { world.sim.hub.sources.usable("attic") == nil }

            let reply = try #require(await world.remote.awaitReply(world.remote.send(Commands.Browse(node: Self.run))))
            let shown = try ItemList(from: try #require(reply.data))
            #expect(shown.rows.map(\.uri) == world.songs(4, 5) && shown.rows.allSatisfy(\.isAway) && shown.version == nil)
            world.sim.kill()
            store.close()
        }
    }
}
