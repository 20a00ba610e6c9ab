import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import Companion

/// No message of a hub is longer than its settings say, however long the texts are that it tells of. BT-LIM-001
@Suite struct `A page stays below the longest frame of the hub's settings` {
    private static let frames = [32_768, 65_536, 200_000]

    /// Texts so long that every page is cut by its bytes and not by its rows.
    private static let textBytes = 240

    @Loop
    private func hub(_ frame: Int) throws -> (sim: SimulatedHub, control: MemoryLibraryControl, userMarks: MemoryUserMarks) {
        var limits = WireLimits()
        limits.hubFrame = frame
        limits.commandBurst = 1000
        let control = MemoryLibraryControl()
        let userMarks = MemoryUserMarks()
        let source = MemorySource(textBytes: Self.textBytes)
        for number in 0..<250 {
            let row = source.row(number)
            _ = try userMarks.setStars(NewEntry(uri: row.uri, tags: row.tags), 5, atMs: 1_700_000_000_000)
            try userMarks.notePlayed(NewEntry(uri: row.uri, tags: row.tags), room: RoomID("main"), atMs: 1_700_000_000_000)
        }
        let library = LibraryParts(userMarks: userMarks, control: control, connectors: [source])
        return (try SimulatedHub(limits: limits, library: library), control, userMarks)
    }

    /// Asks, and says how long the answer was.
    @Loop
    private func size(_ remote: TestRemote, _ question: some WireCommand) async -> Int? {
        let id = remote.send(question)
        guard await remote.awaitReply(id)?.reply.isSuccess == true else { return nil }
        return remote.frames.last { $0.contains(#""id":\#(id),"#) }?.utf8.count
    }

    @Test(arguments: frames) func `of the library, its history and its items`(frame: Int) async throws {
        try await onLoop {
            let remote = try hub(frame).sim.remote()
            let item = ItemURI("lib:track/7")
            let questions: [(any WireCommand, isLong: Bool)] = [
                (Commands.Browse(node: ItemURI("lib:shelf/tracks")), true), (Commands.Search("Song", page: .init(limit: 100)), true),
                (Commands.PlayedHistory(), true), (Commands.Item(item), false),
                (Commands.Item(item, lyrics: true, media: true), true),
            ]
            for (question, isLong) in questions {
                let bytes = try #require(await size(remote, question), "\(question)")
                #expect(bytes <= frame, "\(question)")
                #expect(!isLong || bytes > min(frame, 65_536) / 2, "\(question) is \(bytes) long: nothing had to be cut")
            }
        }
    }

    @Test(arguments: frames) func `of a queue and what was done to it`(frame: Int) async throws {
        try await onLoop {
            let remote = try hub(frame).sim.remote()
            _ = await remote.awaitReply(remote.send(Commands.QueueAdd([ItemURI("lib:shelf/tracks")]), key: "key-1"))
            let entries = try #require(remote.page()).rows.map(\.entry)
            for entry in entries.prefix(40) { _ = remote.send(Commands.QueueRemove([entry])) }

            let questions: [any WireCommand] = [Commands.QueueWindow(), Commands.QueueWindow(ids: entries), Commands.QueueHistory()]
            for question in questions {
                let bytes = try #require(await size(remote, question), "\(question)")
                #expect(bytes <= frame, "\(question)")
            }
            remote.sendText(#"{"t":"sub","id":900,"queue":{"from":0,"n":100}}"#)
            #expect(remote.frames.allSatisfy { $0.utf8.count <= frame })
        }
    }

    @Test(arguments: frames) func `of playlists and what is in them`(frame: Int) async throws {
        try await onLoop {
            let (sim, _, userMarks) = try hub(frame)
            let name = String(repeating: "\"", count: 64)
            for number in 0..<200 {
                let rule = SmartRule((0..<16).map { .init(.title, .has, value: "\(number) \($0) \(name)") })
                _ = try userMarks.createPlaylist(name, [], rule: rule, once: nil, atMs: 1)
            }
            let remote = try sim.remote()
            let made = await remote.awaitReply(
                remote.send(Commands.PlaylistCreate("Long", uris: [ItemURI("lib:shelf/tracks")]), key: "key-1"))
            let id = try #require(made?.data?["id"]?.string)

            for question in [Commands.Playlists(), Commands.Playlist(PlaylistID(id))] as [any WireCommand] {
                let bytes = try #require(await size(remote, question), "\(question)")
                #expect(bytes <= frame && bytes > min(frame, 65_536) / 2, "\(question) is \(bytes) long")
            }
        }
    }

    @Test(arguments: frames) func `of folders, rooms and people`(frame: Int) async throws {
        try await onLoop {
            let (sim, control, _) = try hub(frame)
            for number in 0..<400 {
                _ = try await control.setFolder("/srv/\(number)" + String(repeating: "\"", count: 200), isWanted: true, trust: .anyPath)
            }
            let remote = try sim.remote()
            for number in 0..<31 {
                let room = remote.send(Commands.RoomCreate("\(number)" + String(repeating: "\"", count: 60)), key: "room-\(number)")
                _ = await remote.awaitReply(room)
                sim.time.pass(.seconds(1))
            }
            for number in 0..<100 {
                let other = try sim.connect()
                other.sendText(
                    #"{"t":"hello","core":"1.0","view":"full","client":{"id":"many-\#(number)","name":"\#(String(repeating: "name ", count: 20))"}}"#
                )
                #expect(other.frames.allSatisfy { $0.utf8.count <= frame })
            }
            sim.time.pass(.seconds(2))
            remote.sendText(#"{"t":"sync"}"#)

            let bytes = try #require(await size(remote, Commands.Folders()))
            control.hold((0..<400).map { "/srv/\($0)" + String(repeating: "\"", count: 200) }, counts: [:])
            let insideBytes = try #require(await size(remote, Commands.Folders(path: "/srv")))

            #expect(bytes <= frame && bytes > min(frame, 65_536) / 3)
            #expect(insideBytes <= frame && insideBytes > bytes)
            #expect(remote.frames.allSatisfy { $0.utf8.count <= frame })
        }
    }

    @Test(arguments: frames) func `of devices, which are asked for page by page`(frame: Int) async throws {
        try await onLoop {
            let (sim, _, _) = try hub(frame)
            for number in 0..<600 {
                sim.time.pass(.seconds(2))
                try sim.hub.deviceRegistry?.know("device \(number)")
            }
            let remote = try sim.remote()
            var names: Set<String> = []
            repeat {
                let id = remote.send(Commands.Devices(from: names.count))
                let data = try #require(remote.reply(id)?.data)
                #expect(remote.frames.allSatisfy { $0.utf8.count <= frame })
                names.formUnion(data["list"]?.array?.compactMap { $0["name"]?.string } ?? [])
                if data["more"] == nil { break }
                #expect(names.count + Int(data["more"]?.int ?? 0) == 600)
                sim.time.pass(.seconds(1))
            } while true

            #expect(names.count == 600)
        }
    }
}

extension DeviceRegistry {
    /// As though a device of this name had been paired.
    fileprivate func know(_ name: String) throws {
        let holder = name.hashValue
        let window = try openWindow(role: .remote, ttlMs: 60_000, stayMs: nil, byLocalAdmin: true)
        _ = try beginAttempt(holder)
        _ = try admit(holder, name: name, role: .remote, as: .key([UInt8](repeating: 7, count: 32), next: nil), window)
    }
}
