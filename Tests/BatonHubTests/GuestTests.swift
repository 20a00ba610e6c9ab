import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

/// What the owner lets guests do (`Protocol/profiles/people.md`, guests). BT-HS-015 BT-QUE-014
@Suite struct `Guests` {
    private enum Way: CaseIterable { case network, loopback, unixSocket }

    @Loop
    private func guest(of sim: SimulatedHub, by way: Way) throws -> TestRemote {
        let remote =
            switch way {
            case .network: try sim.connect(over: .network, from: "10.0.0.7")
            case .loopback: try sim.connect()
            case .unixSocket: try sim.connect(over: .unix(uid: 0, gid: 0))
            }
        remote.sendText(#"{"t":"hello","core":"1.0","view":"full","role":"guest","client":{"id":"guest-1","name":"Kim"}}"#)
        return remote
    }

    @Loop
    private func welcome(of remote: TestRemote) -> Welcome? {
        for case .welcome(let welcome) in remote.messages { return welcome }
        return nil
    }

    @Test(arguments: Way.allCases) private func `leave the volume alone while the owner has set no span`(way: Way) async throws {
        try await onLoop {
            let sim = try SimulatedHub(lanPlain: .guest)
            let guest = try guest(of: sim, by: way)
            #expect(welcome(of: guest)?.role == .guest && welcome(of: guest)?.span == nil)
            #expect(guest.frames.first?.contains("span") == false)

            let wishes: [any WireCommand] = [Commands.VolumeSet(10), Commands.VolumeStep(-1), Commands.VolumeMute(true)]
            for (number, wish) in wishes.enumerated() {
                let refusal = guest.refusal(guest.send(wish, key: "key-\(number)"))
                #expect(refusal?.known == .forbidden && refusal?.message.contains("guest_volume") == true, "\(wish)")
            }
            #expect(guest.mirror.volume?.level == 30 && guest.mirror.volume?.isMuted == false)
        }
    }

    @Test(arguments: Way.allCases) private func `turn the volume within the span of the hub's settings, and are told which`(
        way: Way
    ) async throws {
        try await onLoop {
            let sim = try SimulatedHub(guestVolume: 10...60, lanPlain: .guest)
            let owner = try sim.remote(id: "owner-1")
            let guest = try guest(of: sim, by: way)
            #expect(welcome(of: guest)?.span == 10...60)

            #expect(guest.reply(guest.send(Commands.VolumeSet(60)))?.reply.isSuccess == true)
            let wishes: [any WireCommand] = [
                Commands.VolumeSet(61), Commands.VolumeSet(9), Commands.VolumeStep(1), Commands.VolumeMute(true),
            ]
            for (number, wish) in wishes.enumerated() {
                let refusal = guest.refusal(guest.send(wish, key: "key-\(number)"))
                #expect(refusal?.known == .forbidden && refusal?.message.contains("from 10 to 60") == true, "\(wish)")
            }
            #expect(guest.reply(guest.send(Commands.VolumeStep(-5), key: "key-9"))?.reply.isSuccess == true)
            #expect(owner.reply(owner.send(Commands.VolumeSet(90)))?.reply.isSuccess == true, "the owner's level is the owner's")
            #expect(guest.refusal(guest.send(Commands.VolumeStep(-5), key: "key-8"))?.known == .forbidden, "that would still be 85")
        }
    }

    @Test func `mute and unmute what lies in their span`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(guestVolume: 0...60)
            let owner = try sim.remote(id: "owner-1")
            let guest = try guest(of: sim, by: .loopback)

            #expect(guest.reply(guest.send(Commands.VolumeMute(true)))?.reply.isSuccess == true)
            #expect(guest.reply(guest.send(Commands.VolumeMute(false)))?.reply.isSuccess == true)
            owner.send(Commands.VolumeMute(true))
            owner.send(Commands.VolumeSet(80))
            #expect(guest.refusal(guest.send(Commands.VolumeMute(false)))?.known == .forbidden, "it would be heard at 80")
        }
    }

    @Test func `meet the room's own bounds inside of their span`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(volume: VolumeRail(level: 30, floor: 20, ceiling: 40), guestVolume: 0...60)
            let guest = try guest(of: sim, by: .loopback)

            #expect(guest.reply(guest.send(Commands.VolumeStep(90), key: "key-1"))?.reply.outcome == .applied(why: .ceiling))
            #expect(guest.mirror.volume?.level == 40)
            #expect(guest.refusal(guest.send(Commands.VolumeSet(61)))?.known == .forbidden)
        }
    }

    @Test func `that are paired have the hub's span unless they have one of their own`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(guestVolume: 0...60)
            let device = try sim.pairedDevice(Commands.PairOpen(role: .guest))
            #expect(device.welcome?.span == 0...60)
            let owner = try sim.remote(id: "owner-9")
            let dev = try #require(device.id)
            owner.send(Commands.DeviceRole(dev, role: .guest, span: 10...40))
            sim.time.pass(.seconds(1))

            let again = try PairedDevice(at: sim, as: device)
            #expect(again.authenticate() && again.welcome?.span == 10...40)
            #expect(again.remote.refusal(again.remote.send(Commands.VolumeSet(41)))?.known == .forbidden)
        }
    }

    @Test(arguments: [0, 3, 8, 600]) func `have as many entries waiting as the settings allow`(most: Int) async throws {
        try await onLoop {
            var limits = WireLimits()
            limits.guestEntries = most
            let sim = try SimulatedHub(limits: limits)
            let guest = try guest(of: sim, by: .loopback)
            let owner = try sim.remote(id: "owner-1")
            _ = await owner.awaitReply(owner.send(Commands.QueueAdd([ItemURI("/music/album:9")]), key: "fill"))

            if most > 0 {
                let whole = await guest.awaitReply(
                    guest.send(Commands.QueueAdd([ItemURI("file:track/album:\(most)")]), key: "key-1"))
                #expect(whole?.reply.queue?.ids?.count == most)
            }
            let more = await guest.awaitReply(guest.send(Commands.QueueAdd([ItemURI("file:track/album:1")]), key: "key-2"))

            #expect(more?.failure == "quota")
            #expect(guest.frames.last { $0.contains("quota") }?.contains("may have \(most) entries") == true)
        }
    }
}
