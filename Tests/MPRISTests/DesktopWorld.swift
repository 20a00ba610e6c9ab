import BatonCore
import BatonHub
import BatonProtocol
import BatonSeams
import BatonWire
import Harness

@testable import MPRIS

/// A hub in memory with its rooms on a bus, for the tests of this folder.
@Loop
final class DesktopWorld {
    let sim: SimulatedHub
    let dialect: MPRIS
    let remote: TestRemote

    init(on bus: any DesktopBusOpening, volume: VolumeRail = VolumeRail(), limits: WireLimits = .standard, uid: UInt32 = 1000) throws {
        sim = try SimulatedHub(limits: limits, volume: volume)
        dialect = MPRIS(
            sim.hub.ports,
            .init(bus: bus, uid: uid, process: 99, wallMs: { 1_700_000_000_000 }, storePicture: { id, _ in "file:///art/\(id)" }))
        sim.hub.add(dialect)
        dialect.begin()
        remote = try sim.remote(id: "owner")
        remote.becomeWritable()
    }

    /// A room whose queue has so many entries, and which plays the first.
    func play(_ count: Int, in room: RoomID? = nil) async {
        _ = await remote.awaitReply(
            remote.send(Commands.Play(uri: ItemURI("file:track/album:\(count)")), key: Token.random(length: 10), room: room))
        // Until its sound has begun.
        await pass(.seconds(1))
    }

    /// Another remote does something.
    @discardableResult
    func send(_ command: some WireCommand) async -> ReceivedReply? {
        let reply = await remote.awaitReply(remote.send(command, key: command.needsKey ? Token.random(length: 10) : nil))
        settle()
        return reply
    }

    func pass(_ time: Duration) async {
        await sim.time.passQuietly(time)
        remote.becomeWritable()
    }

    /// Lets all happen that needs no time.
    func settle() {
        sim.time.settle()
        remote.becomeWritable()
    }

    var current: EntryID? {
        guard case .queue(let queue)? = sim.hub.ports.state.posted(.queue, of: RoomID("main"))?.value else { return nil }
        return queue.current
    }
}
