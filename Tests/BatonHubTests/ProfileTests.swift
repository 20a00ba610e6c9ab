/// The profiles that a hub has, and what listeners and guests learn. BT-VER-003 BT-VER-004 BT-PRV-001 BT-CMD-009
import BatonCore
import BatonJSON
import BatonProtocol
import BatonSeams
import BatonWire
import Foundation
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel

@Suite struct `Profiles` {
    private static let levels = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Protocol/levels.json")
        .standardized

    @Test func `have the names, versions, codes and needs of the protocol`() throws {
        let written = try #require(JSON.parse([UInt8](Data(contentsOf: Self.levels)))["profiles"])
        for profile in HubProfile.allCases {
            let row = try #require(written[profile.rawValue])
            #expect(row["code"]?.string == profile.code && row["version"]?.int == Int64(profile.version))
            let needs = (row["needs"]?.array ?? []).compactMap(\.string)
            #expect(Set(needs) == Set(profile.needs.map(\.rawValue)), "\(profile)")
        }
        #expect(CommandKind.allCases.allSatisfy { HubProfiles.every.has(level: $0.level) })
    }

    @Test func `that lack what they need are not listed`() {
        let all = Set(HubProfile.allCases)
        #expect(HubProfiles(all.subtracting([.servers])).all.contains(.joining) == false)
        #expect(
            Set(HubProfiles(all.subtracting([.library])).all)
                == all.subtracting([
                    .library, .playlists, .podcasts, .books, .servers, .copies, .listening, .joining,
                ]))
        #expect(HubProfiles([.sound, .network]).features() == ["network@1", "sound@1"])
        #expect(HubProfiles([.sound, .network, .listening]).codes == ["ne", "so"])
        #expect(HubProfiles.every.features(knownTo: ["watch", "queue", "admin"]) == ["admin@2", "watch@1"])
    }

    @Test func `that are missing take their commands with them`() async throws {
        try await onLoop {
            let table = CommandTable([], Settling(), for: HubProfiles([.rooms]))
            table.answer(Commands.Pause.self) { _, accepted in Answer(Reply(id: accepted.id, .applied())) }
            table.answer(Commands.RoomList.self) { _, accepted in Answer(Reply(id: accepted.id, .applied())) }
            table.answer(Commands.Search.self) { _, accepted in Answer(Reply(id: accepted.id, .applied())) }
            #expect(table.has(.pause) && table.has(.roomList) && !table.has(.libSearch))
        }
    }
}

@Suite struct `Lists` {
    @Test func `of rooms, outputs, people and problems read on from a row`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote(id: "reader-1")
            for name in ["Bath", "Hall"] { remote.send(Commands.RoomCreate(name), key: "make-\(name)") }
            _ = try sim.remote(id: "reader-2")

            let rooms = try #require(remote.reply(remote.send(Commands.RoomList(from: 1)))?.data?["list"]?.array)
            #expect(rooms.compactMap { $0["name"]?.string } == ["Bath", "Hall"])
            #expect(remote.reply(remote.send(Commands.RoomList(from: 9)))?.reply.isSuccess == true)
            #expect(remote.reply(remote.send(Commands.OutputList()))?.reply.isSuccess == true)
            for which in [Commands.PeopleList.Which.hub, .room] {
                let people = remote.reply(remote.send(Commands.PeopleList(from: 1, which: which)))?.data?["list"]?.array
                #expect(people?.compactMap { $0["name"]?.string } == ["reader-1"], "newest first")
            }
            let info = remote.reply(remote.send(Commands.Info(from: 0)))?.data
            #expect(info?["core"]?.string == "1.0" && info?["features"]?.array?.count == HubProfile.allCases.count)
        }
    }

    @Test func `of problems name each entry that was passed over`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            let uris = (1...4).map { ItemURI("/music/broken-\($0)") } + [ItemURI("/music/good")]
            _ = await remote.awaitReply(remote.send(Commands.QueueAdd(uris), key: "add-1"))
            remote.send(Commands.Play(), key: "play-1")
            #expect(await sim.time.until(within: .seconds(30)) { sim.hub.rooms.first.room.currentEntry?.tags.title == "/music/good" })

            let all = remote.reply(remote.send(Commands.Info()))?.data?["problems"]?.array ?? []
            let rest = remote.reply(remote.send(Commands.Info(from: 3)))?.data?["problems"]?.array
            #expect(all.count == 4 && rest == Array(all.dropFirst(3)))
            #expect(!all.contains { $0["reason"] != nil || $0["args"] != nil })
            let other = try sim.connect(over: .unix(uid: 0, gid: 0))
            other.sendText(#"{"t":"hello","core":"1.0","view":"remote","client":{"id":"words-1"},"caps":["reasons"]}"#)
            sim.time.pass(.milliseconds(100))
            let said = other.reply(other.send(Commands.Info()))?.data?["problems"]?.array ?? []
            #expect(said.compactMap { $0["args"]?["title"]?.string } == (1...4).reversed().map { "/music/broken-\($0)" })
            #expect(said.count == 4 && said.allSatisfy { $0["reason"]?.string == "skipped" && $0["msg"]?.string?.isEmpty == false })
            #expect(remote.reply(remote.send(Commands.Info(from: 9_999)))?.reply.isSuccess == true)
        }
    }

    @Test(arguments: [Role.listener, .guest]) func `tell listeners and guests no names`(role: Role) async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            _ = await owner.awaitReply(owner.send(Commands.QueueAdd([ItemURI("/music/album:2")]), key: "add-1"))
            let other = try sim.connect(over: .unix(uid: 0, gid: 0))
            other.sendText(#"{"t":"hello","core":"1.0","view":"full","role":"\#(role.rawValue)","client":{"id":"other-1","name":"Kim"}}"#)

            let rows = other.reply(other.send(Commands.QueueWindow()))?.data?["rows"]?.array
            #expect(rows?.count == 2 && rows?.contains { $0["by"] != nil } == false)
            #expect(other.refusal(other.send(Commands.PeopleList()))?.known == .forbidden)
            sim.time.pass(.seconds(3))
            #expect(!other.frames.contains { $0.contains("owner-1") })
        }
    }
}
