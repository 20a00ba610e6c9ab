/// Rooms, queues, playlists, the library and tracks over HTTP.
import BatonCore
import BatonJSON
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import MusicRoomServer

@Suite struct `Music rooms over HTTP` {
    private static let song = MemoryNames.id(1).description

    @Test func `the status says what this hub is and what it does not do`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            let status = await world.ask(.get, "/api/status").json
            #expect(status?["hub"]?.string == "sim" && status?["uploads"]?.string == "off" && status?["urlImport"]?.string == "off")
            #expect(status?["ytdlp"]?["enabled"]?.bool == false && status?["signup"]?.string == "open")
            #expect(status?["library"]?["identified"]?.int == 3)
            let token = world.signedIn("ada")
            #expect(await world.ask(.post, "/api/upload", as: token).status == 501)
            #expect(await world.ask(.get, "/api/nothing", as: token).status == 404)
        }
    }

    @Test func `the list of rooms names the default one and who is in it`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let token = world.signedIn("Ada")
            _ = try world.open(as: token)
            let rooms = await world.ask(.get, "/api/channels", as: token).json?.array
            #expect(rooms?.count == 1 && rooms?[0]["isDefault"]?.bool == true && rooms?[0]["trackCount"]?.int == 3)
            #expect(rooms?[0]["listeners"]?.array?.contains(.string("Ada")) == true)
            #expect(rooms?[0]["createdBy"]?.isNull == true)
        }
    }

    @Test func `a room is made, renamed and deleted by an admin, and the default one stays`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            let admin = world.signedIn("ada", .admin)
            let other = world.signedIn("ben", .remote)
            #expect(await world.ask(.post, "/api/channels", #"{"name":"Garden"}"#, as: other).status == 403)
            let made = await world.ask(.post, "/api/channels", #"{"name":"Garden","description":""}"#, as: admin)
            #expect(made.status == 201)
            let id = try #require(made.json?["id"]?.string)
            let renamed = await world.ask(.patch, "/api/channels/\(id)", #"{"name":"Attic","playbackMode":"repeat-one"}"#, as: admin)
            #expect(renamed.json?["channelName"]?.string == "Attic" && renamed.json?["playbackMode"]?.string == "repeat-one")
            #expect(await world.ask(.delete, "/api/channels/\(id)", as: admin).status == 200)
            #expect(await world.ask(.get, "/api/channels/\(id)", as: admin).status == 404)
            #expect(await world.ask(.delete, "/api/channels/main", as: admin).status == 409)
        }
    }

    @Test func `a track of the library is added where it was asked for, by the name of the user`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let token = world.signedIn("Ada", .guest)
            _ = await world.ask(.get, "/api/channels/main", as: token)
            let said = await world.ask(
                .patch, "/api/channels/main/queue", #"{"trackIds":["\#(Self.song)"],"insertAt":1}"#, as: token)
            #expect(said.status == 200)
            #expect(world.entries == ["album:3 1", "song-1", "album:3 2", "album:3 3"])
            let entry = world.sim.hub.rooms.first.room.queue.entries[1]
            #expect(entry.addedBy == "Ada")
            // What a guest may not do is refused by the door, with its sentence.
            let removal = await world.ask(.patch, "/api/channels/main/queue", #"{"remove":[0]}"#, as: token)
            #expect(removal.status == 403 && removal.sentence?.contains("guest") == true)
        }
    }

    @Test func `a queue that was replaced meanwhile is not replaced again unseen`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let ada = world.signedIn("ada")
            let ben = world.signedIn("ben")
            _ = await world.ask(.get, "/api/channels/main", as: ada)
            let set = #"{"set":["\#(Self.song)"]}"#
            #expect(await world.ask(.patch, "/api/channels/main/queue", set, as: ben).status == 200)
            #expect(world.entries == ["song-1"])
            #expect(await world.ask(.patch, "/api/channels/main/queue", set, as: ada).status == 409)
        }
    }

    @Test(arguments: [
        (#"{"remove":[7]}"#, 400), (#"{"add":["sha256:00"]}"#, 400), (#"{"add":["x"]}"#, 400), ("nonsense", 400), (#"{"insertAt":1}"#, 400),
        (#"{"add":["sha256:\#(String(repeating: "0", count: 64))"]}"#, 404),
        (#"{"add":["\#(String(repeating: "n", count: 300_000))"]}"#, 413),
    ])
    func `a patch that is wrong changes nothing, and its answer is a sentence`(body: String, status: Int) async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let said = await world.ask(.patch, "/api/channels/main/queue", body, as: world.signedIn("ada"))
            #expect(said.status == status)
            #expect(world.entries.count == 3)
        }
    }

    @Test func `the modes have the names of the contract`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            let token = world.signedIn("ada")
            for mode in ["repeat-all", "repeat-one", "shuffle", "once"] {
                #expect(await world.ask(.post, "/api/channels/main/mode", #"{"mode":"\#(mode)"}"#, as: token).status == 200)
                #expect(await world.ask(.get, "/api/channels/main", as: token).json?["playbackMode"]?.string == mode)
            }
            #expect(await world.ask(.post, "/api/channels/main/mode", #"{"mode":"backwards"}"#, as: token).status == 400)
        }
    }

    // MARK: The library

    @Test func `the library is one list, and an id in it leads to the file`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            let token = world.signedIn("ada", .listener)
            let library = await world.ask(.get, "/api/library", as: token).json?.array
            #expect(library?.count == 3)
            #expect(library?[1]["id"]?.string == Self.song && library?[1]["filename"]?.string == "song-1.flac")
            #expect(library?[1]["duration"] == .double(201.4) && library?[1]["album"]?.string == "Weirs")
            #expect(await world.ask(.get, "/api/tracks/sha256:12", as: token).status == 400)
            let unknown = "sha256:" + String(repeating: "0", count: 64)
            #expect(await world.ask(.get, "/api/tracks/\(unknown)", as: token).status == 404)
        }
    }

    @Test(arguments: [1, 199, 200, 201, 5_000]) func `a library of any length comes whole, in pieces of any size`(count: Int) async throws {
        var random = SeededGenerator(UInt64(count))
        let pages = LibraryPages(MemoryNames(count))
        var whole: [UInt8] = []
        while let piece = await pages.next(Int.random(in: 1...9_000, using: &random)), !piece.isEmpty { whole += piece }

        var limits = JSONLimits.standard
        limits.elements = count
        let rows = try #require(try JSON.parse(whole, limits: limits).array)
        #expect(rows.count == count && Set(rows.compactMap { $0["id"]?.string }).count == count)
    }

    @Test func `a track comes whole and in parts, while the session lasts`() async throws {
        try await onLoop {
            let file = MemoryFile(FileStamp(size: 200_000, modifiedNs: 1, inode: 7)) { UInt8(truncatingIfNeeded: $0 &* 7) }
            let world = try RoomWorld(library: LibraryParts(userMarks: MemoryUserMarks(), connectors: [MemorySource(file: file)]))
            let token = world.signedIn("ada", .listener)
            let remote = try world.sim.remote(id: "owner-1")
            _ = await remote.awaitReply(remote.send(Commands.Play(ItemURI("lib:track/1")), key: "play-it"))
            let state = await world.ask(.get, "/api/channels/main", as: token).json
            let id = try #require(state?["track"]?["id"]?.string)
            #expect(id.hasPrefix("sha256:"))

            let part = await world.ask(.get, "/api/tracks/\(id)", as: token, headers: ["range": "bytes=10-19"])
            #expect(part.status == 206 && part.body == (10..<20).map { UInt8($0 * 7) })
            #expect(await world.ask(.head, "/api/tracks/\(id)", as: token).response.length == 200_000)
            let whole = await world.ask(.get, "/api/tracks/\(id)", as: token)
            #expect(whole.body.count == 200_000)
            await world.users.signOut(token: token)
            #expect(whole.response.stream?.mayGoOn() == false)
        }
    }

    // MARK: Playlists

    @Test func `a playlist is made, read, changed and deleted`() async throws {
        try await onLoop {
            let world = try RoomWorld(library: LibraryParts(userMarks: MemoryUserMarks(), connectors: []))
            let token = world.signedIn("ada")
            let made = await world.ask(
                .post, "/api/playlists", #"{"name":"Late","description":"For rain","trackIds":["\#(Self.song)"]}"#, as: token)
            #expect(made.json?["description"]?.string == "For rain")
            let madeMs = try #require(made.json?["createdAt"]?.int)
            #expect(madeMs > 1_000_000_000_000 && made.json?["updatedAt"]?.int == madeMs)
            #expect(made.status == 201 && made.json?["trackIds"]?.array == [.string(Self.song)])
            let id = try #require(made.json?["id"]?.string)
            let other = MemoryNames.id(2).description
            let changed = await world.ask(.patch, "/api/playlists/\(id)", #"{"name":"Later","add":["\#(other)"]}"#, as: token)
            #expect(changed.json?["name"]?.string == "Later" && changed.json?["description"]?.string == "For rain")
            world.sim.time.pass(.seconds(2))
            let described = await world.ask(.patch, "/api/playlists/\(id)", #"{"description":"For snow"}"#, as: token)
            #expect(described.json?["description"]?.string == "For snow" && described.json?["createdAt"]?.int == madeMs)
            #expect(described.json?["updatedAt"]?.int == madeMs + 2000)
            #expect(changed.json?["trackIds"]?.array == [.string(Self.song), .string(other)])
            let removed = await world.ask(.patch, "/api/playlists/\(id)", #"{"remove":[0]}"#, as: token)
            #expect(removed.json?["trackIds"]?.array == [.string(other)])
            // This store knows no owners, so the list is the hub's.
            #expect(await world.ask(.get, "/api/playlists", as: token).json?["shared"]?.array?.count == 1)
            #expect(await world.ask(.get, "/api/playlists", as: world.signedIn("ben", .listener)).json?["shared"]?.array?.count == 1)
            #expect(await world.ask(.delete, "/api/playlists/\(id)", as: token).status == 200)
            #expect(await world.ask(.get, "/api/playlists/\(id)", as: token).status == 404)
        }
    }
}
