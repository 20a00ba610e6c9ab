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
    /// Lets the hub work until this is so, in at most so many simulated seconds.
    func until(within seconds: Int = 120, _ isSo: @Loop () -> Bool) async -> Bool {
        await sim.time.until(within: .seconds(seconds), isSo)
    }

    /// Sends a command, with a key of its own where it needs one and none is given, and waits for the answer.
    func send(_ remote: TestRemote, _ command: some WireCommand, key: String? = nil, room: RoomID? = nil) async throws -> ReceivedReply {
        let id = remote.send(command, key: key ?? (command.needsKey ? remote.newKey() : nil), room: room)
        _ = await until { remote.reply(id) != nil }
        return try #require(remote.reply(id))
    }
}
