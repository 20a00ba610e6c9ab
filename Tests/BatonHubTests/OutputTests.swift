import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

/// Rooms are heard only from outputs that the player listed or the owner named.
@Suite struct `Outputs` {
    /// What ALSA would read as a file to write or a program to start, and names that are nearly allowed.
    static let harmful = [
        "alsa/file:FILE='|id>/tmp/ran'",
        "alsa/tee:default,'|id>/tmp/ran',raw", "alsa/file:FILE=/tmp/written", "alsa/plug:file:/tmp/written",
        "pcm:/tmp/written", "pulse/kitchen,file", "pulse/kitchen ", "pulse", "PULSE/KITCHEN", "sdl/disk", "alsa/kitchen'",
    ]

    static let kitchen = AudioDevice(name: "pulse/kitchen", label: "Kitchen")

    private func refused(_ answer: ReceivedReply?) -> WireError? {
        if case .failed(let error)? = answer?.reply.outcome { error } else { nil }
    }

    @Test(arguments: harmful) func `a name that the player does not list is refused and reaches no player`(name: String) async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            sim.devices = [Self.kitchen]
            let owner = try sim.remote()
            let room = try owner.makeRoom("Bath", output: "null")

            let made = await owner.awaitReply(owner.send(Commands.RoomCreate("Hall", output: name), key: "make-1"))
            let set = await owner.awaitReply(owner.send(Commands.RoomSet(room: RoomID("bath"), output: .set(name))))

            for error in [refused(made), refused(set)] {
                #expect(error?.known == .notFound && error?.at == "/p/output")
                #expect(error?.message.contains("allow_output") == true && error?.message.contains("rooms outputs") == true)
            }
            await owner.play("/music/album:3", in: room, of: sim)
            #expect(sim.players[room]?.playing != nil)
            #expect(Set(sim.outputs.values) == ["null"] && sim.hub.rooms.all.count == 2)
        }
    }

    @Test func `a device that was connected after the last look is found when it is named`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote()
            #expect(await refused(owner.awaitReply(owner.send(Commands.RoomSet(output: .set("pulse/kitchen")))))?.known == .notFound)

            sim.devices = [Self.kitchen]
            sim.time.pass(.seconds(1))
            let set = await owner.awaitReply(owner.send(Commands.RoomSet(output: .set("pulse/kitchen"))))

            #expect(set?.reply.outcome == .applied() && sim.outputs[RoomID("main")] == "pulse/kitchen")
            #expect(owner.mirror.outputs?.outputs.map(\.id) == ["pulse/kitchen"])
            // What is known is not asked for again.
            let questions = sim.deviceQuestions
            #expect(owner.reply(owner.send(Commands.RoomSet(output: .set("null")))) != nil)
            sim.devices = []
            #expect(owner.reply(owner.send(Commands.RoomSet(output: .set("pulse/kitchen"))))?.reply.outcome == .applied())
            #expect(sim.deviceQuestions == questions)
        }
    }

    @Test func `commands that come together share one question`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            sim.devices = nil
            let owners = try (1...4).map { try sim.remote(id: "owner-\($0)") }
            let ids = owners.map { $0.send(Commands.RoomSet(output: .set("pulse/kitchen"))) }
            await sim.settle()

            #expect(sim.deviceQuestions == 1 && owners[0].reply(ids[0]) == nil)
        }
    }

    @Test func `a sound system that does not answer holds a command up for a limited time`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            sim.devices = nil
            let owner = try sim.remote()
            let other = try sim.remote(.remote, id: "other-1")
            let id = owner.send(Commands.RoomSet(output: .set("pulse/kitchen")))
            await sim.settle()
            #expect(owner.reply(id) == nil)
            // Nobody else waits.
            #expect(other.reply(other.send(Commands.VolumeSet(12)))?.reply.outcome == .applied())

            sim.time.pass(.seconds(5))

            #expect(await refused(owner.awaitReply(id))?.known == .unavailable)
            #expect(sim.outputs[RoomID("main")] == "null")
        }
    }

    @Test func `a room that is deleted while its output is looked for stays deleted`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            sim.devices = nil
            let owner = try sim.remote()
            let room = try owner.makeRoom("Bath")
            let id = owner.send(Commands.RoomSet(output: .set("pulse/kitchen")), room: room)
            await sim.settle()
            let other = try sim.remote(id: "owner-2")
            #expect(other.reply(other.send(Commands.RoomDelete(RoomID("bath"))))?.reply.outcome == .applied())

            sim.hub.players.note([Self.kitchen])
            sim.time.pass(.seconds(5))

            #expect(await refused(owner.awaitReply(id))?.known == .notFound)
            #expect(try sim.journal.load().rooms.filter { $0.deletion == 0 }.map(\.room.id.text) == ["main"])
        }
    }

    // MARK: Saved rooms

    /// A hub on whose disk a room has an output that an earlier version took.
    @Loop
    private func saved(_ name: String) async throws -> SimulatedHub {
        let sim = try SimulatedHub(allowedOutputs: [name])
        try sim.remote().makeRoom("Bath", output: name)
        sim.allowedOutputs = []
        try sim.restart()
        await sim.settle()
        return sim
    }

    @Test(arguments: harmful)
    func `BT-ROM-012 a saved room with an output that is not known is silent and says so`(name: String) async throws {
        try await onLoop {
            let sim = try await saved(name)
            let bath = RoomID("bath")
            let owner = try sim.remote()
            await owner.play("/music/album:3", in: bath, of: sim)

            #expect(sim.outputs[bath] == "null" && sim.players[bath]?.playing != nil)
            let problem = try #require(owner.mirror.hub?.problems.first { $0.room == bath })
            #expect(problem.message.contains("allow_output") && problem.message.contains("Nothing is heard"))
            // The name stays: allowing it brings it back.
            #expect(try sim.journal.load().rooms.first { $0.room.id == bath }?.room.output == name)
            sim.allowedOutputs = [name]
            try sim.restart()
            #expect(sim.outputs[bath] == name && sim.hub.rooms[bath]?.room.outputProblem == nil)
        }
    }

    @Test func `a saved room goes on at its device once that is connected`() async throws {
        try await onLoop {
            let sim = try await saved("pulse/kitchen")
            let bath = RoomID("bath")
            let owner = try sim.remote()
            await owner.play("/music/album:3", in: bath, of: sim)
            sim.time.pass(.seconds(20))
            #expect(sim.outputs[bath] == "null")

            sim.devices = [Self.kitchen]
            for _ in 0..<200 { await sim.settle() }

            #expect(sim.outputs[bath] == "pulse/kitchen")
            #expect(sim.players[bath]?.playing == sim.hub.rooms[bath]?.room.queue.current)
            #expect((sim.players[bath]?.heardMs ?? 0) > 20_000)
            #expect(owner.mirror.hub?.problems.isEmpty == true)
            let questions = sim.deviceQuestions
            for _ in 0..<200 { await sim.settle() }
            #expect(sim.deviceQuestions == questions, "The device is there, and still it is looked for.")
        }
    }

    @Test func `a room keeps its device while that is away, and may be given it again`() async throws {
        try await onLoop {
            let sim = try await saved("pulse/kitchen")
            let owner = try sim.remote()

            let same = owner.send(Commands.RoomSet(room: RoomID("bath"), ceiling: 60, output: .set("pulse/kitchen")))

            #expect(owner.reply(same)?.reply.outcome == .applied())
            #expect(sim.hub.rooms[RoomID("bath")]?.output == "pulse/kitchen" && sim.outputs[RoomID("bath")] == "null")
            // Another room cannot take it meanwhile.
            sim.hub.players.note([Self.kitchen])
            #expect(
                owner.refusal(owner.send(Commands.RoomSet(room: RoomID("main"), output: .set("pulse/kitchen"))))?.known == .invalidState)
        }
    }

    @Test func `a room that waits for its device can be given another output`() async throws {
        try await onLoop {
            let sim = try await saved("pulse/kitchen")
            let owner = try sim.remote()
            owner.send(Commands.RoomSet(room: RoomID("bath"), output: .cleared))

            #expect(sim.hub.rooms[RoomID("bath")]?.output == nil && owner.mirror.hub?.problems.isEmpty == true)
            let questions = sim.deviceQuestions
            await owner.play("/music/album:3", in: RoomID("bath"), of: sim)
            for _ in 0..<20 { await sim.settle() }
            #expect(sim.deviceQuestions == questions)
        }
    }

    @Test func `what the owner allows is listed, but for files`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(allowedOutputs: ["alsa/hw:1", "pcm:/tmp/x"])
            let owner = try sim.remote()
            try owner.makeRoom("Bath", output: "pcm:/tmp/x")

            #expect(sim.outputs[RoomID("bath")] == "pcm:/tmp/x")
            #expect(owner.mirror.outputs?.outputs.map(\.id) == ["alsa/hw:1"])
        }
    }
}
