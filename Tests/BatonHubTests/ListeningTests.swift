/// Devices that play the sound of a room themselves: what they are told, what is shown of them, and when that ends.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Crypto
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonListening
@testable import Companion

@Suite struct `Devices that play along` {
    @Loop
    private func playing(_ remote: TestRemote) async {
        _ = await remote.awaitReply(remote.send(Commands.Play(ItemURI("file:track/album:3")), key: "play-it"))
    }

    @Loop
    private func ask(_ remote: TestRemote, _ command: Commands.ListenHere) async throws -> ListeningAnswer? {
        try await remote.awaitReply(remote.send(command))?.data.map { data throws(ProtocolFault) in try ListeningAnswer(from: data) }
    }

    /// BT-LSN-001
    @Test func `a device is told the line that is heard, to the microsecond`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            #expect(try await ask(ana, .init()) == ListeningAnswer())
            await playing(ana)
            #expect(await sim.time.until(within: .seconds(2)) { sim.player.playing != nil })
            sim.time.pass(.seconds(7))

            let line = try #require(try await ask(ana, .init())?.line)

            let measured = try #require(sim.hub.rooms.first.playerOrders?.measuredMs)
            let positionUs = Microseconds(measured * 1000)
            #expect(line == .init(entry: ana.mirror.now!.entry, positionUs: positionUs, atUs: sim.time.nowUs, rate: 1000))
        }
    }

    /// BT-LSN-002 BT-LSN-003
    @Test func `a report is shown within a second, counts for votes, and is forgotten when no other comes`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            await playing(ana)
            let kitchen = try sim.remote(.remote, id: "kitchen", over: .loopback)
            let report = ListenerReport(driftUs: 410, delayMs: 0, bufferMs: 9000, starts: 0)
            _ = try await ask(kitchen, .init(report: report))
            sim.time.pass(.seconds(1))
            @Loop func shown() -> ListenersSection.Listener? { ana.mirror.listeners?.listeners.first { $0.name == "kitchen" } }
            #expect(shown()?.report == report && shown()?.hears == true)
            #expect(sim.hub.people.voters(in: sim.hub.rooms.first.room.id) == 1, "those who look do not vote")

            sim.time.pass(.seconds(20))
            _ = try await ask(kitchen, .init(report: report))
            sim.time.pass(.seconds(20))
            #expect(shown()?.report == report)
            sim.time.pass(.seconds(13))
            #expect(shown()?.report == nil && shown()?.hears == false)
        }
    }

    @Test func `a report ends when the device says so, with its connection, and by no other one`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            let kitchen = try sim.remote(.remote, id: "kitchen", over: .loopback)
            let second = try sim.remote(.remote, id: "attic-1", over: .loopback)
            @Loop func shown() -> Bool { ana.mirror.listeners?.listeners.contains { $0.report != nil } == true }
            _ = try await ask(kitchen, .init(report: ListenerReport(driftUs: 1)))
            _ = try await ask(second, .init(isOn: false))
            sim.time.pass(.seconds(1))
            #expect(shown())
            _ = try await ask(kitchen, .init(isOn: false))
            sim.time.pass(.seconds(1))
            #expect(!shown())
            _ = try await ask(kitchen, .init(report: ListenerReport(driftUs: 1)))
            kitchen.close(1000, "")
            sim.time.pass(.seconds(1))
            #expect(!shown())
        }
    }

    /// BT-LSN-004
    @Test func `every role gets the current and the next entry, once where one follows itself`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(lanPlain: .listener)
            let ana = try sim.remote(id: "ana-1")
            await playing(ana)
            let ears = try sim.connect(over: .network, from: "10.0.0.7")
            ears.sendText(#"{"t":"hello","core":"1.0","view":"full","client":{"id":"ears-1"}}"#)

            let two = try #require(try await ask(ears, .init(media: true))?.items)
            #expect(two.map(\.entry) == [ana.mirror.now?.entry, ana.mirror.queue?.next])
            #expect(two.allSatisfy { $0.url != nil || $0.sentence != nil })
            _ = await ana.awaitReply(ana.send(Commands.ModeSet(repeat: true, single: .on), key: "again-1"))
            #expect(try await ask(ears, .init(media: true))?.items?.count == 1)
        }
    }

    @Test func `numbers out of their bounds are refused, and the report before stays`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            _ = try await ask(ana, .init(report: ListenerReport(driftUs: 5)))
            ana.sendText(#"{"t":"cmd","id":77,"m":"listen.here","p":{"driftUs":99999999}}"#)
            sim.time.pass(.seconds(1))
            #expect(ana.mirror.listeners?.listeners.first?.report == ListenerReport(driftUs: 5))
        }
    }

    // MARK: Links

    /// Encodes nothing: what is asked here does not come so far.
    private struct NoEncoding: SoundEncoding {
        var trouble: String? { nil }
        func begin(_ coding: SoundCoding) throws(EncodingFault) -> any EncodingWork { throw EncodingFault(isOver: true, "It is not here.") }
        func growingFile() -> (any GrowingFile)? { nil }
        func close() {}
    }

    @Loop
    private func opened(_ sim: SimulatedHub) {
        sim.hub.open(StreamParts(encoding: NoEncoding(), cryptography: OpenSSL()))
    }

    @Loop
    private func link(_ remote: TestRemote) async throws -> MadeListenLink? {
        try await remote.awaitReply(remote.send(Commands.ListenLink(name: "Car"), key: "link-1"))?.data.map { data throws(ProtocolFault) in
            try MadeListenLink(from: data)
        }
    }

    private func key(_ made: MadeListenLink) -> String { String(made.mp3.split(separator: "=").last ?? "") }

    /// BT-STM-001 BT-STM-002 BT-STM-003 BT-STM-004
    @Test func `a link opens its room alone, also after a crash, until it is revoked`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            opened(sim)
            let ana = try sim.remote(id: "ana-1")
            let made = try #require(try await link(ana))
            let room = sim.hub.rooms.first.room.id
            #expect(key(made).count >= 22 && !sim.hub.rooms.first.room.links.text.contains(key(made)))

            try sim.restart()
            opened(sim)
            let streams = sim.hub.ports.streams
            #expect(try streams.permit(room, key: key(made), from: "192.168.1.5").link == made.link)
            #expect(throws: StreamRefusal.self) { try streams.permit(RoomID("other"), key: key(made), from: "192.168.1.5") }
            #expect(throws: StreamRefusal.self) { try streams.permit(room, key: made.link, from: "192.168.1.5") }

            let permit = try streams.permit(room, key: key(made), from: "192.168.1.5")
            let stream = try streams.open(permit, as: SoundCoding(.mp3, kilobits: 192), titlesEvery: nil)
            #expect(stream.mayGoOn())
            let ben = try sim.remote(id: "ben-1")
            _ = await ben.awaitReply(ben.send(Commands.ListenRevoke(made.link)))
            #expect(throws: StreamRefusal.self) { try streams.permit(room, key: key(made), from: "192.168.1.5") }
            #expect(!stream.mayGoOn(), "a stream that it has opened ends")
        }
    }

    /// BT-STM-003
    @Test func `wrong links from one address are limited, and others are let in`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            opened(sim)
            let made = try #require(try await link(try sim.remote(id: "ana-1")))
            let (room, streams) = (sim.hub.rooms.first.room.id, sim.hub.ports.streams)
            @Loop func refusal(_ key: String) -> StreamRefusal.Code? {
                do throws(StreamRefusal) { _ = try streams.permit(room, key: key, from: "192.168.1.66") } catch { return error.code }
                return nil
            }

            for number in 0..<10 { #expect(refusal("guess-\(number)") == .badLink) }
            #expect(refusal("guess-10") == .limited)
            #expect(refusal(key(made)) == .limited, "a guess that is right is not told before its time")
            #expect(try streams.permit(room, key: key(made), from: "192.168.1.7").link == made.link)
            sim.time.pass(.seconds(60))
            #expect(refusal(key(made)) == nil)
        }
    }

    @Test func `a hub that makes no streams says so`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")

            let reply = await ana.awaitReply(ana.send(Commands.ListenLinks()))

            #expect(reply?.reply.outcome.error?.known == .unsupported)
        }
    }
}
