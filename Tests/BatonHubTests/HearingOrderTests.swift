import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel

/// The order in which the parts of a hub hear of a changed room: some of them change it again, and some ask others what these have heard.
@Suite struct `Parts hear of a changed room in order` {
    /// The parts that hear of a change.
    private static let ofChanges = [
        "people", "emptyRooms", "generating", "sleepAlarms", "chapterAlarms", "endless", "places", "silences", "plays", "ahead",
        "queueSync",
    ]
    /// The parts that hear of a room that is deleted.
    private static let ofEnds = [
        "plays", "people", "emptyRooms", "generating", "sleepAlarms", "chapterAlarms", "endless", "places", "silences",
        "queueSync",
    ]

    @Loop
    private final class Record {
        var names: [String] = []
        /// Rooms do not own their observers.
        var observers: RoomObservers?
    }

    /// The parts that hear of this room say their names when they do, from now on and until it gets another player.
    @Loop
    private func recorded(_ live: LiveRoom) throws -> Record {
        let record = Record()
        let observers = try #require(live.observers)
        let recording = RoomObservers(
            observers.all.map { observer in
                RoomObservers.Observer(
                    observer.name, observer.turn, at: observer.occasion, of: observer.facets, joined: observer.observesJoined
                ) { live in
                    record.names.append(observer.name)
                    observer.hear(live)
                }
            })
        live.observers = recording
        record.observers = recording
        return record
    }

    /// An owner, and the first room, in which an album plays.
    @Loop
    private func playing() async throws -> (sim: SimulatedHub, owner: TestRemote, live: LiveRoom, record: Record) {
        let sim = try SimulatedHub()
        let owner = try sim.remote(id: "owner-1")
        await owner.play("/music/album:3", of: sim)
        let live = sim.hub.rooms.first
        return (sim, owner, live, try recorded(live))
    }

    @Test func `each hears of a change once, and a private room is heard by the same`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            await owner.play("/music/album:3", of: sim)
            let main = try recorded(sim.hub.rooms.first)
            owner.send(Commands.Seek(positionMs: 20_000), key: "seek-1")
            #expect(main.names == Self.ofChanges)

            _ = await owner.awaitReply(owner.send(Commands.ListenOnly(ItemURI("file:track/album:3")), key: "only-1"))
            let own = try #require(sim.hub.rooms.personal.first)
            let alone = try recorded(own)
            owner.send(Commands.Seek(positionMs: 20_000), key: "seek-2", room: own.room.id)
            #expect(alone.names == Self.ofChanges)
        }
    }

    @Test func `a change that a part makes is heard by all before the rest hear of the first one`() async throws {
        try await onLoop {
            let world = try await SilenceWorld()
            try await world.trim(true)
            let record = try recorded(world.sim.hub.rooms.first)

            // The player was given the book without its silences, so `silences` has it opened anew.
            world.owner.send(Commands.BookSet(trim: false))

            let silences = try #require(Self.ofChanges.firstIndex(of: "silences"))
            let before = Self.ofChanges[...silences]
            // No play is counted otherwise because of a mode.
            #expect(record.names == Array(before) + Self.ofChanges + ["ahead", "queueSync"])
        }
    }

    @Test func `of a deleted room plays are counted first`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let bath = try owner.makeRoom("Bath")
            let record = try recorded(try #require(sim.hub.rooms[bath]))

            owner.send(Commands.RoomDelete(bath), key: "delete-1")

            #expect(sim.hub.rooms[bath] == nil)
            #expect(record.names == Self.ofEnds)
        }
    }

    @Test func `endless music does not hear of a room that plays along with another server's`() async throws {
        try await onLoop {
            let stage = try await playing()
            stage.live.own = stage.live.room

            stage.owner.send(Commands.Seek(positionMs: 20_000), key: "seek-3")

            #expect(stage.record.names == Self.ofChanges.filter { $0 != "endless" })
        }
    }

    @Test func `of volume, votes and names those do not hear that add up what is heard`() async throws {
        try await onLoop {
            let stage = try await playing()
            let others = Self.ofChanges.filter { $0 != "places" && $0 != "plays" }

            stage.owner.send(Commands.VolumeSet(7))
            #expect(stage.record.names == others)
            stage.owner.send(Commands.VoteRule(700), key: "rule-1")
            #expect(stage.record.names == others + others)
            stage.owner.send(Commands.RoomRename(stage.live.room.id, name: "Attic"), key: "name-1")
            #expect(stage.record.names == others + others + others)
            #expect(stage.live.room.volume.level == 7 && stage.live.room.presence.voteShare == 700 && stage.live.room.name == "Attic")
        }
    }

    @Test func `a change whose facets are not known is heard by all`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let live = sim.hub.rooms.first
            let record = try recorded(live)

            _ = sim.hub.changes.update(live) { _, _ in .noop(.same) }
            #expect(record.names == Self.ofChanges)
            let same = live.room
            live.room = same
            #expect(record.names == Self.ofChanges + Self.ofChanges)
        }
    }
}
