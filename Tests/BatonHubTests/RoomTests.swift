import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

extension TestRemote {
    /// Makes a room and gives its id.
    @discardableResult
    func makeRoom(_ name: String, output: String? = nil) throws -> RoomID {
        let reply = reply(send(Commands.RoomCreate(name, output: output), key: "make-\(frames.count)"))
        return RoomID(try #require(reply?.data?["room"]?.string))
    }

    func refusal(_ id: Int) -> WireError? {
        if case .failed(let error)? = reply(id)?.reply.outcome { error } else { nil }
    }

    /// Plays an album in a room and lets it begin.
    func play(_ uri: String, in room: RoomID? = nil, of sim: SimulatedHub) async {
        _ = await awaitReply(send(Commands.Play(ItemURI(uri)), key: "play-\(frames.count)", room: room))
        await sim.settle()
    }
}

extension SimulatedHub {
    /// Half a second, in which sources are asked and players begin.
    func settle() async { await time.passQuietly(.milliseconds(500)) }
}

@Suite struct `Rooms come and go` {
    @Test func `a new room is there for everyone, with a name, a volume and a queue of its own`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(volume: VolumeRail(level: 20, ceiling: 90, startMax: 40))
            let owner = try sim.remote(id: "owner-1")
            let other = try sim.remote(.remote, id: "other-1")

            let room = try owner.makeRoom("Küche")
            sim.time.pass(.seconds(1))

            #expect(room == RoomID("kueche"))
            #expect(other.mirror.rooms?.rooms.map(\.name) == ["Main room", "Küche"])
            #expect(other.mirror.rooms?.rooms.last?.level == 20)
            #expect(sim.hub.rooms[room]?.room.volume == sim.hub.rooms.first.room.volume)
        }
    }

    @Test func `a room is made once, and whoever asks again with the same key learns which`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote()
            let first = owner.reply(owner.send(Commands.RoomCreate("Bath"), key: "make"))
            try sim.restart()

            let back = try sim.remote()
            let again = back.reply(back.send(Commands.RoomCreate("Bath"), key: "make"))

            #expect(again?.reply.outcome == .applied(why: .dup))
            #expect(again?.data?["room"] == "bath" && first?.data == again?.data)
            #expect(sim.hub.rooms.all.count == 2)
        }
    }

    @Test func `two rooms are never called alike`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote()
            let bath = try owner.makeRoom("Bath")

            #expect(owner.refusal(owner.send(Commands.RoomCreate("BATH"), key: "key-1"))?.known == .invalidState)
            let rename = owner.send(Commands.RoomRename(RoomID("main"), name: "bath"))
            #expect(owner.refusal(rename)?.message.contains("Bath") == true)
            // Its own name in other letters is no clash.
            let own = owner.send(Commands.RoomRename(bath, name: "BATH"))
            #expect(owner.reply(own)?.reply.outcome == .applied())
        }
    }

    @Test func `a hub has so many rooms and no more`() async throws {
        try await onLoop {
            var limits = WireLimits.standard
            limits.rooms = 3
            let sim = try SimulatedHub(limits: limits)
            let owner = try sim.remote()
            for name in ["A", "B"] { try owner.makeRoom(name) }

            #expect(owner.refusal(owner.send(Commands.RoomCreate("C"), key: "key-1"))?.known == .quota)
            owner.send(Commands.RoomDelete(RoomID("a")))
            #expect(try owner.makeRoom("C") == RoomID("c"))
        }
    }

    @Test func `only an owner makes, changes and deletes rooms`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let guest = try sim.remote(over: .loopback)

            let main = RoomID("main")
            for command in [
                Commands.RoomCreate("X"), Commands.RoomRename(main, name: "X"), Commands.RoomDelete(main), Commands.RoomSet(ceiling: 10),
            ] as [any WireCommand] {
                #expect(guest.refusal(guest.send(command, key: "key-1234"))?.known == .forbidden)
            }
        }
    }

    @Test func `a new name is seen by everyone, and survives`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let watch = try sim.remote(.watch, id: "watch-1")
            sim.time.pass(.seconds(1))
            watch.forgetFrames()

            owner.send(Commands.RoomRename(RoomID("main"), name: "Den"))
            sim.time.pass(.seconds(1))
            try sim.restart()

            #expect(watch.frames.contains { $0.contains(#""r":"Den""#) })
            #expect(try sim.remote().mirror.rooms?.rooms.map(\.name) == ["Den"])
            let again = try sim.remote()
            #expect(again.reply(again.send(Commands.RoomRename(RoomID("main"), name: "Den")))?.reply.outcome == .noop(why: .same))
        }
    }

    @Test func `rails hold at once, and after a restart`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote()

            owner.send(Commands.RoomSet(ceiling: 25, startMax: 15))

            #expect(owner.mirror.volume?.level == 25 && owner.mirror.volume?.range == 0...25)
            #expect(sim.player.gain == sim.hub.rooms.first.room.volume.gain)
            let turned = owner.send(Commands.VolumeSet(80))
            #expect(owner.reply(turned)?.reply.outcome == .applied(why: .ceiling))
            try sim.restart()
            #expect(sim.hub.rooms.first.room.volume.ceiling == 25)
            #expect(sim.hub.rooms.first.room.volume.level == 15)
        }
    }

    @Test func `rails beyond the hub's own, or against each other, are refused`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(volume: VolumeRail(ceiling: 80, startMax: 50))
            let owner = try sim.remote()

            #expect(owner.refusal(owner.send(Commands.RoomSet(ceiling: 81)))?.at == "/p/ceiling")
            #expect(owner.refusal(owner.send(Commands.RoomSet(startMax: 51)))?.known == .invalidState)
            #expect(owner.refusal(owner.send(Commands.RoomSet(floor: 60, ceiling: 50)))?.known == .invalidState)
            #expect(owner.reply(owner.send(Commands.RoomSet(ceiling: 80)))?.reply.outcome == .noop(why: .same))
        }
    }

    @Test func `an output serves one room, unless it is nobody's`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(output: "pulse/living", allowedOutputs: ["pulse/kitchen"])
            let owner = try sim.remote()
            try owner.makeRoom("Kitchen", output: "pulse/kitchen")

            let taken = owner.send(Commands.RoomCreate("Bath", output: "pulse/kitchen"), key: "key-1")
            #expect(owner.refusal(taken)?.message.contains("Kitchen") == true)
            #expect(
                owner.refusal(owner.send(Commands.RoomSet(room: RoomID("kitchen"), output: .set("pulse/living"))))?.known == .invalidState)
            // Sharing is what leaving it out asks for.
            let shared = try owner.makeRoom("Hall")
            #expect(sim.outputs[shared] == "pulse/living")
            try owner.makeRoom("Silent", output: "null")
            try owner.makeRoom("Quiet", output: "null")
        }
    }

    @Test func `a room that is given another output goes on there, where it was`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(allowedOutputs: ["pulse/kitchen", "pulse/hall"])
            let owner = try sim.remote()
            let room = try owner.makeRoom("Kitchen", output: "pulse/kitchen")
            await owner.play("/music/album:3", in: room, of: sim)
            let before = sim.players[room]
            sim.time.pass(.seconds(7))

            owner.send(Commands.RoomSet(room: RoomID("kitchen"), output: .set("pulse/hall")))
            await sim.settle()

            #expect(sim.outputs[room] == "pulse/hall" && sim.players[room] !== before)
            #expect(before?.playing == nil)
            #expect(sim.players[room]?.playing == sim.hub.rooms[room]?.room.queue.current)
            #expect((7000...8500).contains(sim.players[room]?.heardMs ?? 0))
            try sim.restart()
            #expect(sim.outputs[room] == "pulse/hall")
        }
    }

    @Test func `only one room writes into the hub's file`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(output: "pcm:/tmp/x")
            let room = try sim.remote().makeRoom("Kitchen")

            #expect(sim.outputs[RoomID("main")] == "pcm:/tmp/x")
            #expect(sim.outputs[room] == "null")
        }
    }

    @Test func `what a full disk could not keep did not happen`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote()
            try owner.makeRoom("Bath")
            sim.journal.fault = JournalFault(.full, "The disk is full.")

            #expect(owner.refusal(owner.send(Commands.RoomCreate("Hall"), key: "key-1"))?.known == .unavailable)
            #expect(owner.refusal(owner.send(Commands.RoomDelete(RoomID("bath"))))?.known == .unavailable)
            #expect(owner.refusal(owner.send(Commands.RoomRename(RoomID("bath"), name: "X")))?.known == .unavailable)
            sim.journal.fault = nil

            #expect(sim.hub.rooms.all.map(\.room.name) == ["Main room", "Bath"])
            #expect(try owner.makeRoom("Hall") == RoomID("hall"))
        }
    }

    // MARK: Deleting

    @Test func `a deleted room is gone for everyone, with its queue and its player, and stays gone`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let other = try sim.remote(.remote, id: "other-1")
            let room = try owner.makeRoom("Bath")
            await owner.play("/music/album:3", in: room, of: sim)
            #expect(sim.players[room]?.playing != nil)

            let id = owner.send(Commands.RoomDelete(RoomID("bath")))
            sim.time.pass(.seconds(1))
            await sim.hub.players.untilClosed()

            #expect(owner.reply(id)?.reply.outcome == .applied())
            #expect(other.mirror.rooms?.rooms.map(\.id.text) == ["main"])
            #expect(sim.players[room]?.playing == nil)
            #expect(try sim.journal.load().rooms.filter { $0.deletion == 0 }.map(\.room.id.text) == ["main"])
            let play = owner.send(Commands.Play(), room: room)
            #expect(owner.refusal(play)?.known == .notFound)
            let again = owner.send(Commands.RoomDelete(RoomID("bath")))
            #expect(owner.reply(again)?.reply.outcome == .noop(why: .same))
        }
    }

    @Test func `the last room stays`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote()

            #expect(owner.refusal(owner.send(Commands.RoomDelete(RoomID("main"))))?.known == .invalidState)
        }
    }

    @Test func `whoever follows a deleted room is told, and gets the first room whole`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let room = try owner.makeRoom("Bath")
            let follower = try sim.remote(.watch, id: "watch-1", rooms: [room])
            sim.time.pass(.seconds(1))
            follower.forgetFrames()

            owner.send(Commands.RoomDelete(RoomID("bath")))
            sim.time.pass(.seconds(1))

            #expect(follower.frames.count == 2)
            guard case .error(let error)? = follower.messages.first, case .state(let state)? = follower.messages.last else {
                return #expect(Bool(false), "\(follower.frames)")
            }
            #expect(error.known == .notFound && error.message.contains("bath"))
            #expect(state.header.full && state.header.room == RoomID("main"))
            #expect(follower.mirror.room == RoomID("main") && follower.gaps == 0)
        }
    }

    @Test func `a press for a room that has just gone never reaches another one`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let room = try owner.makeRoom("Bath")
            let slow = try sim.remote(id: "slow-1", rooms: [room])
            slow.isReading = false

            owner.send(Commands.RoomDelete(RoomID("bath")))
            let id = slow.send(Commands.VolumeSet(90))
            slow.isReading = true

            #expect(slow.refusal(id)?.known == .notFound)
            #expect(sim.hub.rooms.first.room.volume.level == 30)
            #expect(slow.mirror.room == RoomID("main") && slow.gaps == 0)
        }
    }

    @Test func `what was being fetched for a deleted room is dropped`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(sourceDelay: .milliseconds(40))
            let owner = try sim.remote(id: "owner-1")
            let other = try sim.remote(id: "other-1")
            let room = try owner.makeRoom("Bath")

            let id = owner.send(Commands.QueueAdd([ItemURI("/music/song")]), key: "key-1", room: room)
            other.send(Commands.RoomDelete(RoomID("bath")))
            #expect(await sim.time.until(within: .seconds(1)) { owner.reply(id) != nil })
            #expect(owner.refusal(id)?.known == .notFound)
        }
    }

    @Test func `a room of the same name begins anew, also for who still holds the old one`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let room = try owner.makeRoom("Bath")
            await owner.play("/music/album:3", in: room, of: sim)
            let away = try sim.remote(.remote, id: "away-1", rooms: [room])
            let kept = away.mirror
            away.drop()
            owner.send(Commands.RoomDelete(RoomID("bath")))
            try owner.makeRoom("Bath")

            let back = try sim.remote(.remote, id: "away-1", rooms: [room], holding: kept)

            guard case .state(let state)? = back.messages.last else { return #expect(Bool(false), "no state") }
            #expect(state.sections[.now] == .null)
            #expect(state.sections[.queue]?["len"] == 0)
        }
    }
}
