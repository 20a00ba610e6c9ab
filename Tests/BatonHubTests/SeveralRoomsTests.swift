import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

@Suite struct `Remotes follow several rooms` {
    @Loop private func states(_ remote: TestRemote) -> [StateUpdate] {
        remote.messages.compactMap { if case .state(let state) = $0 { state } else { nil } }
    }

    @Test func `each room has a state of its own, and the hub's sections are in the first`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let bath = try sim.remote(id: "owner-1").makeRoom("Bath")

            let remote = try sim.remote(.remote, rooms: [bath, RoomID("main"), bath])

            #expect(states(remote).map(\.header.room) == [bath, RoomID("main")])
            #expect(states(remote).allSatisfy { $0.header.full })
            #expect(states(remote).map { $0.sections[.rooms] != nil } == [true, false])
        }
    }

    /// BT-RES-002
    @Test(arguments: [false, true]) func `an answer comes after a state of its revision, also when only another room has changed`(
        followsMore: Bool
    )
        async throws
    {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let bath = try owner.makeRoom("Bath")
            let hall = try owner.makeRoom("Hall")
            let remote = try sim.remote(.remote, id: "away-1", rooms: followsMore ? [RoomID("main"), hall] : [RoomID("main")])
            let before = remote.mirror.revision
            owner.send(Commands.ModeSet(repeat: true), room: bath)
            let told = states(remote).count

            let id = remote.send(Commands.ProgressAsleep())
            await sim.settle()

            let reply = try #require(remote.reply(id))
            #expect(reply.reply.revision == sim.hub.ledger.revision && sim.hub.ledger.revision > before)
            #expect(states(remote).count == told + 1)
            #expect(states(remote).last?.header.revision == reply.reply.revision && states(remote).last?.sections.isEmpty == true)
            #expect(states(remote).last?.header.room == (followsMore ? RoomID("main") : nil) && remote.gaps == 0)
            // And so does one that follows too little to see what it has changed.
            let last = remote.send(Commands.ModeSet(repeat: true, single: .on), room: bath)
            #expect(try #require(remote.reply(last)).reply.revision == states(remote).last?.header.revision)
        }
    }

    @Test func `a copy of several rooms is brought up to date room by room`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let (main, bath) = (RoomID("main"), try owner.makeRoom("Bath"))
            let away = try sim.remote(.remote, id: "away-1", rooms: [main, bath])
            let kept = away.mirror
            away.drop()
            owner.send(Commands.VolumeSet(12), room: bath)

            let back = try sim.remote(.remote, id: "away-1", rooms: [main, bath], holding: kept, of: [main, bath])

            let states = states(back)
            #expect(states.map(\.header.full) == [false, false])
            #expect(states.first?.header.from == kept.revision)
            // Only the last one says that all is told.
            #expect(states.map(\.header.from) == [kept.revision, kept.revision])
            #expect(states.map(\.header.revision) == [kept.revision, sim.hub.ledger.revision])
            #expect(Set(states[0].sections.keys) == [.rooms])
            #expect(Set(states[1].sections.keys) == [.volume])
        }
    }

    @Test func `a room that is not held comes whole beside one that is`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let (main, bath) = (RoomID("main"), try owner.makeRoom("Bath"))
            let kept = try sim.remote(.remote, id: "away-1").mirror

            let back = try sim.remote(.remote, id: "away-2", rooms: [main, bath], holding: kept, of: [main])

            #expect(states(back).map(\.header.full) == [false, true])
            #expect(states(back).last?.sections[.volume] != nil)
            #expect(states(back).last?.sections[.rooms] == nil)
        }
    }

    @Test func `one of several rooms that vanish is named, and the rest comes whole`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let (main, bath, hall) = (RoomID("main"), try owner.makeRoom("Bath"), try owner.makeRoom("Hall"))
            let remote = try sim.remote(.remote, rooms: [bath, hall, main])
            sim.time.pass(.seconds(1))
            remote.forgetFrames()

            owner.send(Commands.RoomDelete(RoomID("bath")))
            sim.time.pass(.seconds(1))

            guard case .error(let error)? = remote.messages.first else { return #expect(Bool(false), "\(remote.frames)") }
            #expect(error.message.contains("bath"))
            #expect(states(remote).map(\.header.room) == [hall, main])
            #expect(states(remote).first?.sections[.rooms] != nil)
        }
    }

    @Test func `a room that was deleted while its follower was away is answered by the first one, whole`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let bath = try owner.makeRoom("Bath")
            let away = try sim.remote(.watch, id: "away-1", rooms: [bath])
            let kept = away.mirror
            away.drop()
            owner.send(Commands.RoomDelete(RoomID("bath")))
            try sim.restart()

            let back = try sim.remote(.watch, id: "away-1", rooms: [bath], holding: kept)

            guard case .error(let error) = back.messages[1] else { return #expect(Bool(false), "\(back.frames)") }
            #expect(error.known == .notFound)
            #expect(states(back).map(\.header.full) == [true] && states(back).first?.header.room == RoomID("main"))
        }
    }

    @Test func `a deleted room is restored with its queue, limits and place, also after a restart`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            var owner = try sim.remote(id: "owner-1")
            let bath = try owner.makeRoom("Bath")
            _ = try owner.makeRoom("Hall")
            await owner.play("/music/album:3", in: bath, of: sim)
            owner.send(Commands.RoomSet(room: bath, ceiling: 44))
            owner.send(Commands.VolumeSet(44), room: bath)
            sim.time.pass(.seconds(10))
            let queue = try #require(sim.hub.rooms[bath]).room.queue
            owner.send(Commands.RoomDelete(bath))
            #expect(sim.hub.rooms[bath] == nil && queue.count == 3)
            for isRestarted in [false, true] {
                if isRestarted {
                    owner.send(Commands.RoomDelete(bath))
                    try sim.restart()
                    owner = try sim.remote(id: "owner-1")
                }

                #expect(owner.reply(owner.send(Commands.RoomRestore(bath)))?.reply.outcome == .applied())

                let room = try #require(sim.hub.rooms[bath]).room
                #expect(room.queue.entries.map(\.id) == queue.entries.map(\.id))
                #expect(room.volume.ceiling == 44 && room.name == "Bath" && !room.isPlaying)
                #expect(sim.hub.rooms.all.map(\.room.name).suffix(2) == ["Bath", "Hall"])
            }
        }
    }

    @Test func `few deleted rooms are kept, and a new room takes the id of one`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let names = (0...RoomList.mostDeleted).map { "Room \($0)" }
            let made = try names.map { try owner.makeRoom($0) }
            for id in made { owner.send(Commands.RoomDelete(id)) }

            #expect(owner.refusal(owner.send(Commands.RoomRestore(made[0])))?.known == .notFound)
            #expect(try owner.makeRoom(names[1]) == made[1])
            #expect(sim.hub.rooms.deleted.map(\.room.id) == Array(made.dropFirst(2)))
        }
    }

    @Test func `who names no room comes back to the one they chose last`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let bath = try sim.remote(id: "owner-1").makeRoom("Bath")
            try sim.remote(.watch, id: "wrist-1", rooms: [bath]).drop()

            #expect(try sim.remote(.watch, id: "wrist-1").mirror.room == bath)
            #expect(try sim.remote(.watch, id: "other-1").mirror.room == RoomID("main"))
            try sim.restart()
            #expect(try sim.remote(.watch, id: "wrist-1").mirror.room == bath)
            let owner = try sim.remote(id: "owner-1")
            owner.send(Commands.RoomDelete(RoomID("bath")), key: "delete-1")
            let back = try sim.remote(.watch, id: "wrist-1")
            #expect(back.mirror.room == RoomID("main"))
            #expect(!back.messages.contains { if case .error = $0 { true } else { false } }, "it did not ask for the room that is gone")
        }
    }

    @Test func `choices are remembered of the latest clients only`() {
        var lastRooms = LastRooms()

        for number in 0..<JournalRules.lastRooms + 10 { lastRooms.note(RoomID("bath"), of: "client-\(number)") }

        #expect(lastRooms.room(of: "client-0") == nil)
        #expect(lastRooms.room(of: "client-\(JournalRules.lastRooms + 9)") == RoomID("bath"))
    }

    @Test func `each room has its own place over HTTP`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let bath = try sim.remote(id: "owner-1").makeRoom("Bath")
            let peer = Peer(channel: .unix(uid: 0, gid: 0), address: "unix")
            func ask(_ method: HTTPRequest.Method, _ path: String, room: String? = nil, _ body: String = "") async -> (
                status: Int, text: String
            ) {
                let request = HTTPRequest(
                    method: method, path: path, query: room.map { [("room", $0)] } ?? [], headers: ["host": "localhost"],
                    body: Array(body.utf8), peer: peer)
                let response = await sim.router.respond(to: request)
                return (response.status, String(decoding: response.body, as: UTF8.self))
            }

            let turned = await ask(
                .post, "/baton/cmd", Commands.VolumeSet(11).frameText(room: bath))
            let there = await ask(.get, "/baton/state", room: "bath")
            let nowhere = await ask(.get, "/baton/state", room: "attic")
            let noRoom = await ask(.post, "/baton/cmd", Commands.Pause().frameText(room: RoomID("attic")))

            #expect(turned.status == 200)
            #expect(there.status == 200 && there.text.contains(#""level":11"#) && there.text.contains(#""room":"bath""#))
            #expect(nowhere.status == 404 && nowhere.text.contains("There is no room “attic”"))
            #expect(noRoom.status == 404 && noRoom.text.contains("There is no room “attic”"))
            #expect(sim.hub.rooms.first.room.volume.level == 30 && sim.hub.rooms[bath]?.room.volume.level == 11)
        }
    }
}
