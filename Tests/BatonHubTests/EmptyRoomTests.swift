/// Rooms without a speaker that pause while no device plays them along.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

@Suite struct `Rooms without listeners` {
    private static let album = ItemURI("file:track/album:3")

    @Loop
    private func wait(_ sim: SimulatedHub, until holds: @Loop () -> Bool) async {
        #expect(await sim.time.until(within: .seconds(10), holds))
    }

    /// A room without a speaker that plays, and a device that plays it along.
    @Loop
    private func playing(_ rule: WhenEmpty, trackMs: Milliseconds = 3_600_000) async throws -> (sim: SimulatedHub, phone: TestRemote) {
        let sim = try SimulatedHub(trackMs: trackMs)
        let phone = try sim.remote(id: "phone")
        let set = await phone.awaitReply(phone.send(Commands.RoomSet(whenEmpty: rule), key: "set-1"))
        #expect(set?.reply.isSuccess == true)
        _ = await phone.awaitReply(phone.send(Commands.ListenHere()))
        _ = await phone.awaitReply(phone.send(Commands.Play(Self.album), key: "play-1"))
        await wait(sim) { phone.mirror.timeline?.rate == 1000 }
        return (sim, phone)
    }

    /// BT-ROM-014
    @Test func `it pauses at a goodbye and goes on with the next device`() async throws {
        try await onLoop {
            let (sim, phone) = try await playing(.pause)
            #expect(phone.mirror.timeline?.rate == 1000)
            _ = await phone.awaitReply(phone.send(Commands.ListenHere(isOn: false)))
            sim.time.pass(.seconds(1))
            #expect(phone.mirror.timeline?.state == .paused)
            _ = await phone.awaitReply(phone.send(Commands.ListenHere()))
            await wait(sim) { phone.mirror.timeline?.rate == 1000 }
            #expect(phone.mirror.timeline?.rate == 1000)
        }
    }

    @Test func `a device that is cut off plays on what it holds, and so does the room for two minutes`() async throws {
        try await onLoop {
            let (sim, phone) = try await playing(.pause)
            phone.drop()
            sim.time.pass(.seconds(110))
            #expect(sim.hub.rooms.first.room.isPlaying)
            sim.time.pass(.seconds(45))
            #expect(!sim.hub.rooms.first.room.isPlaying)
        }
    }

    @Test func `a room that plays on does so without people`() async throws {
        try await onLoop {
            let (sim, phone) = try await playing(.play)
            _ = await phone.awaitReply(phone.send(Commands.ListenHere(isOn: false)))
            sim.time.pass(.seconds(600))
            #expect(sim.hub.rooms.first.room.isPlaying)
        }
    }

    @Test func `a pause of a person stays a pause when a device comes`() async throws {
        try await onLoop {
            let (sim, phone) = try await playing(.pause)
            _ = await phone.awaitReply(phone.send(Commands.Pause()))
            _ = await phone.awaitReply(phone.send(Commands.ListenHere(isOn: false)))
            sim.time.pass(.seconds(5))
            _ = await phone.awaitReply(phone.send(Commands.ListenHere()))
            sim.time.pass(.seconds(5))
            #expect(!sim.hub.rooms.first.room.isPlaying)
        }
    }

    @Test func `a room with a speaker cannot pause for want of people, and the rule outlives a restart`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(output: "auto")
            let ana = try sim.remote(id: "ana-1")
            let refused = await ana.awaitReply(ana.send(Commands.RoomSet(whenEmpty: .pause), key: "set-1"))
            #expect(refused?.reply.isSuccess == false)
            let both = await ana.awaitReply(ana.send(Commands.RoomSet(output: .set("null"), whenEmpty: .pause), key: "set-2"))
            #expect(both?.reply.isSuccess == true)
            try sim.restart()
            #expect(try sim.remote(id: "ana-1").mirror.rooms?.rooms.first?.whenEmpty == .pause)
        }
    }
}
