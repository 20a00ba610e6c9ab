import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

/// A world of a test that has one simulated hub.
@Loop
protocol HubWorld {
    var sim: SimulatedHub { get }
}

extension HubWorld {
    /// Lets the hub work until this is so, in at most so many simulated seconds. Work off the loop takes real time, on a busy machine
    /// much more than the turns of the loop, so later turns rest longer.
    func until(within seconds: Int = 120, _ isSo: @Loop () -> Bool) async -> Bool {
        for turn in 0..<seconds * 20 {
            for _ in 0..<40 where !isSo() { await Task.yield() }
            if isSo() { return true }
            if turn > 100 { try? await Task.sleep(for: .milliseconds(min(turn / 100, 20))) }
            sim.time.pass(.milliseconds(50))
        }
        return isSo()
    }

    func send(_ remote: TestRemote, _ command: some CommandRequest, key: String? = nil, room: RoomID? = nil) async throws -> ReceivedReply {
        let id = remote.send(command, key: key, room: room)
        _ = await until { remote.reply(id) != nil }
        return try #require(remote.reply(id))
    }
}
