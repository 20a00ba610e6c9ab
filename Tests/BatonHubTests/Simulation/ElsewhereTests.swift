/// One person who listens to the same in two places: what rooms are asked, what counts meanwhile, and what goes along to another room.
import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

@Suite struct `Listening in two places` {
    private static let bath = RoomID("bath")
    private static let main = RoomID("main")

    @Loop
    private func reads(_ world: PlaceWorld, _ room: RoomID) -> Elsewhere? { world.sim.hub.rooms[room]?.room.elsewhere }

    /// Plays the entries of the world in the other room too, and has its player name chapters.
    @Loop
    private func playThere(_ world: PlaceWorld) async throws {
        _ = try await world.send(Commands.Play(ItemURI("/book:3")), in: Self.bath)
        try await until(world.sim) { world.sim.players[Self.bath]?.playing != nil }
        let player = try #require(world.sim.players[Self.bath])
        let entry = try #require(player.playing)
        player.tell(.chapters(entry, [0, 50_000].map { ChapterList.Mark(title: "", startMs: $0) }))
    }

    @Loop
    private func world() async throws -> PlaceWorld {
        let world = try PlaceWorld()
        try world.remote.makeRoom("Bath")
        try await world.play()
        world.sim.time.pass(.seconds(30))
        try await world.reaches(20)
        return world
    }

    /// BT-PLC-012
    @Test func `a room is asked when another one begins the same, and counts again when it goes on`() async throws {
        try await onLoop {
            let world = try await world()
            try await playThere(world)
            try await until(world.sim) { reads(world, Self.main)?.device == "Bath" }
            try await until(world.sim) { world.remote.mirror.now?.elsewhere?.device == "Bath" }
            #expect(reads(world, Self.bath) == nil)
            world.sim.time.pass(.seconds(45))
            try await until(world.sim) { world.places.current(PlaceWorld.first)?.room == Self.bath }
            #expect(world.places.sides(PlaceWorld.first).isEmpty, "nothing of the other room counts meanwhile")

            #expect(try await world.send(Commands.ProgressHere()).reply.outcome == .applied())
            #expect(world.remote.mirror.now?.elsewhere == nil)
            try await until(world.sim) { world.places.current(PlaceWorld.first)?.room == Self.main && reads(world, Self.bath) != nil }
            #expect(try await world.send(Commands.ProgressHere()).reply.outcome == .noop(why: .same))

            _ = try await world.send(Commands.Pause(), in: Self.bath)
            try await until(world.sim) { reads(world, Self.bath) == nil && !world.places.sides(PlaceWorld.first).isEmpty }
            #expect(world.places.current(PlaceWorld.first)?.room == Self.main, "the room that was left is beside it")
        }
    }

    /// BT-PLC-012
    @Test func `a pause is an answer, and what was heard until then stays beside the place`() async throws {
        try await onLoop {
            let world = try await world()
            try await playThere(world)
            try await until(world.sim) { reads(world, Self.main) != nil }
            world.sim.time.pass(.seconds(45))
            try await until(world.sim) { world.places.current(PlaceWorld.first)?.room == Self.bath }
            _ = try await world.send(Commands.Pause(), in: Self.main)
            try await until(world.sim) { reads(world, Self.main) == nil && !world.places.sides(PlaceWorld.first).isEmpty }
            #expect(world.places.current(PlaceWorld.first)?.room == Self.bath)
            #expect(world.places.sides(PlaceWorld.first).map(\.room) == [Self.main])
        }
    }

    /// BT-PLC-012
    @Test func `a device that goes on with it has the room asked, and one that comes late has not`() async throws {
        try await onLoop {
            let world = try await world()
            let uri = ItemURI(PlaceWorld.first)
            _ = try await world.send(Commands.ProgressTold(uri, positionMs: 400_000, session: SessionID("late")))
            world.sim.time.pass(.seconds(1))
            #expect(reads(world, Self.main) == nil)
            let parent = try #require(world.places.current(PlaceWorld.first)?.session)
            _ = try await world.send(
                Commands.ProgressTold(uri, positionMs: 90_000, session: SessionID("phone"), parent: parent))
            try await until(world.sim) { reads(world, Self.main)?.positionMs == 90_000 }
        }
    }

    /// BT-PLC-012
    @Test func `listening of a moment elsewhere asks for nothing that lasts`() async throws {
        try await onLoop {
            let world = try await world()
            try await playThere(world)
            try await until(world.sim) { reads(world, Self.main) != nil }
            _ = try await world.send(Commands.Stop(), in: Self.bath)
            try await until(world.sim) { reads(world, Self.main) == nil }
            world.sim.time.pass(.seconds(45))
            try await world.reaches(70)
        }
    }

    /// BT-PLC-006 BT-SLP-006
    @Test func `a book that moves to another room keeps its place, its speed and its sleep timer`() async throws {
        try await onLoop {
            let world = try await world()
            _ = try await world.send(Commands.ModeSet(speed: 1500))
            _ = try await world.send(Commands.SleepSet(SleepWish(.time, amount: 600_000)))
            world.sim.time.pass(.seconds(10))
            let atMs = world.sim.player.heardMs
            _ = try await world.send(Commands.RoomMove(Self.bath), in: Self.main)
            try await until(world.sim) { world.sim.players[Self.bath]?.playing != nil }
            let there = try #require(world.sim.hub.rooms[Self.bath]?.room)
            #expect(there.sleep != nil)
            #expect((there.timeline.positionMs - atMs).magnitude < 2000)
            #expect(reads(world, Self.bath) == nil && reads(world, Self.main) == nil, "it is heard in one place")
            let entry = try #require(world.sim.players[Self.bath]?.playing)
            world.sim.players[Self.bath]?.tell(.chapters(entry, [0, 50_000].map { ChapterList.Mark(title: "", startMs: $0) }))
            try await until(world.sim) { world.sim.hub.rooms[Self.bath]?.room.modes.speed == 1500 }
            world.sim.time.pass(.seconds(40))
            try await until(world.sim) { world.places.current(PlaceWorld.first)?.room == Self.bath }
            #expect(world.places.sides(PlaceWorld.first).isEmpty, "the other room goes on from the place of the first")
        }
    }
}
