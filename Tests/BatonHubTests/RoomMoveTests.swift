import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

@Suite struct `Music moves between rooms` {
    @Test func `what plays goes on in the other room, at the same place and as loud`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let bath = try owner.makeRoom("Bath")
            owner.send(Commands.RoomSet(room: RoomID("bath"), ceiling: 50))
            await owner.play("/music/album:4", of: sim)
            owner.send(Commands.Next(), key: "next-1")
            owner.send(Commands.VolumeSet(40))
            await sim.settle()
            sim.time.pass(.seconds(9))
            let main = RoomID("main")
            let before = sim.hub.rooms.first.room

            let id = owner.send(Commands.RoomMove(RoomID("bath")), key: "move-1", room: main)
            await sim.settle()

            #expect(owner.reply(id)?.reply.outcome == .applied())
            let there = try #require(sim.hub.rooms[bath]).room
            #expect(there.queue.entries.map(\.id) == before.queue.entries.map(\.id))
            #expect(there.queue.current == before.queue.current)
            #expect(there.timeline.state == .playing)
            #expect(sim.players[bath]?.playing == before.queue.current)
            #expect((sim.players[bath]!.heardMs - there.positionMs(at: Moment(us: sim.time.nowUs))).magnitude < 100)
            #expect((9000...10_100).contains(sim.players[bath]!.heardMs))
            #expect(there.volume.level == 40 && sim.players[bath]?.gain == there.volume.gain)
            #expect(sim.player.playing == nil && sim.hub.rooms.first.room.queue.isEmpty)
            #expect(owner.mirror.timeline?.state == .stopped && owner.mirror.queue?.length == 0)
        }
    }

    @Test func `BT-ROM-010 a move that is taken back leaves what plays, and all else is where it was`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let bath = try owner.makeRoom("Bath")
            owner.send(Commands.QueueAdd([ItemURI("/music/own")]), key: "add-1", room: bath)
            await owner.play("/music/album:4", of: sim)
            owner.send(Commands.Next(), key: "next-1")
            await sim.settle()
            let moved = sim.hub.rooms.first.room.queue.entries.map(\.id)
            let own = try #require(sim.hub.rooms[bath]?.room.queue.entries.map(\.id))
            sim.time.pass(.seconds(3))

            owner.send(Commands.RoomMove(RoomID("bath")), key: "move-1", room: RoomID("main"))
            #expect(sim.hub.rooms[bath]?.room.currentSinceUs == sim.time.nowUs)
            await sim.settle()
            let undone = owner.send(Commands.QueueUndo(), key: "undo-1", room: bath)

            #expect(owner.reply(undone)?.reply.queue?.ids == own)
            let there = try #require(sim.hub.rooms[bath]).room
            #expect(Set(there.queue.entries.map(\.id)) == Set(own + [moved[1]]))
            #expect(there.queue.current == moved[1] && there.isPlaying && sim.players[bath]?.playing == moved[1])
            let here = sim.hub.rooms.first.room
            #expect(here.queue.entries.map(\.id) == [moved[0], moved[2], moved[3]])
            #expect(here.queue.current == moved[2] && here.timeline.entry == moved[2] && !here.isPlaying)
            try sim.restart()
            #expect(sim.hub.rooms.first.room.queue == here.queue && sim.hub.rooms[bath]?.room.queue == there.queue)
        }
    }

    @Test func `a move is taken back after a restart too, and while nothing plays it goes back as a whole`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let bath = try owner.makeRoom("Bath")
            await owner.play("/music/album:4", of: sim)
            owner.send(Commands.Next(), key: "next-1")
            owner.send(Commands.Stop())
            await sim.settle()
            let before = sim.hub.rooms.first.room.queue
            owner.send(Commands.RoomMove(RoomID("bath")), key: "move-1", room: RoomID("main"))

            try sim.restart()
            try sim.remote(id: "owner-1").send(Commands.QueueUndo(), key: "undo-1", room: bath)

            #expect(sim.hub.rooms[bath]?.room.queue.isEmpty == true)
            let here = sim.hub.rooms.first.room.queue
            #expect(here.entries == before.entries && here.current == before.current)
        }
    }

    @Test func `what came from a room that is gone goes with it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let bath = try owner.makeRoom("Bath")
            await owner.play("/music/album:4", of: sim)
            owner.send(Commands.Stop())
            owner.send(Commands.RoomMove(RoomID("bath")), key: "move-1", room: RoomID("main"))
            owner.send(Commands.RoomDelete(RoomID("main")), key: "delete-1")

            let undone = owner.send(Commands.QueueUndo(), key: "undo-1", room: bath)

            #expect(owner.reply(undone)?.reply.isSuccess == true)
            #expect(sim.hub.rooms[bath]?.room.queue.isEmpty == true)
        }
    }

    @Test func `both rooms change at one revision, in one transaction, once`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let bath = try owner.makeRoom("Bath")
            await owner.play("/music/album:4", of: sim)
            let commits = sim.journal.commits

            owner.send(Commands.RoomMove(RoomID("bath")), key: "move-1", room: RoomID("main"))

            #expect(sim.journal.commits == commits + 1)
            let (here, there) = (
                sim.hub.publisher.state.posted(.queue, of: RoomID("main")), sim.hub.publisher.state.posted(.queue, of: bath)
            )
            #expect(here?.revision == there?.revision && here?.revision == sim.hub.ledger.revision)
            try sim.restart()
            let back = try sim.remote(id: "owner-1")
            let again = back.send(Commands.RoomMove(RoomID("bath")), key: "move-1", room: RoomID("main"))
            #expect(back.reply(again)?.reply.outcome == .applied(why: .dup))
            #expect(sim.hub.rooms[bath]?.room.queue.count == 4)
            #expect(sim.hub.rooms[bath]?.room.timeline.state == .paused)
        }
    }

    @Test func `who keeps the queue has it in both rooms, as entries of its own`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote()
            let bath = try owner.makeRoom("Bath")
            await owner.play("/music/album:4", of: sim)

            owner.send(Commands.RoomMove(RoomID("bath"), keep: true), key: "move-1")
            try sim.restart()

            let (here, there) = (sim.hub.rooms.first.room.queue, sim.hub.rooms[bath]!.room.queue)
            #expect(here.count == 4 && there.count == 4)
            #expect(here.entries.map(\.uri) == there.entries.map(\.uri))
            #expect(Set(here.entries.map(\.id)).isDisjoint(with: there.entries.map(\.id)))
        }
    }

    @Test func `followers of both rooms see both, in the order they asked for`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let bath = try owner.makeRoom("Bath")
            await owner.play("/music/album:4", of: sim)
            let follower = try sim.remote(.remote, id: "both-1", rooms: [bath, RoomID("main")])
            sim.time.pass(.seconds(1))
            follower.forgetFrames()

            owner.send(Commands.RoomMove(RoomID("bath")), key: "move-1")
            sim.time.pass(.milliseconds(100))

            let states = follower.messages.compactMap { if case .state(let state) = $0 { state } else { nil } }
            #expect(states.first?.header.room == bath && states.first?.sections[.rooms] != nil)
            #expect(states.first?.sections[.queue]?["len"] == 4)
            #expect(states.dropFirst().first?.header.room == RoomID("main"))
            #expect(states.dropFirst().first?.sections[.queue]?["len"] == 0)
            #expect(states.dropFirst().first?.header.from == states.first?.header.revision)
            #expect((states.first?.header.revision ?? 0) < (states.dropFirst().first?.header.revision ?? 0))
            #expect(follower.gaps == 0)
        }
    }

    @Test func `there must be something to move, and somewhere to move it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote()
            try owner.makeRoom("Bath")

            #expect(owner.refusal(owner.send(Commands.RoomMove(RoomID("bath")), key: "key-1"))?.known == .invalidState)
            #expect(owner.refusal(owner.send(Commands.RoomMove(RoomID("attic")), key: "key-2"))?.at == "/p/to")
            #expect(owner.reply(owner.send(Commands.RoomMove(RoomID("main")), key: "key-3"))?.reply.outcome == .noop(why: .same))
            #expect(owner.refusal(owner.send(Commands.RoomMove(RoomID("bath"))))?.known == .badRequest)
        }
    }

    @Test func `a move that could not be kept has moved nothing`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote()
            let bath = try owner.makeRoom("Bath")
            await owner.play("/music/album:4", of: sim)
            sim.journal.fault = JournalFault(.full, "The disk is full.")

            #expect(owner.refusal(owner.send(Commands.RoomMove(RoomID("bath")), key: "key-1"))?.known == .unavailable)

            #expect(sim.hub.rooms[bath]?.room.queue.isEmpty == true)
            #expect(sim.hub.rooms.first.room.isPlaying && sim.player.playing != nil)
        }
    }
}
