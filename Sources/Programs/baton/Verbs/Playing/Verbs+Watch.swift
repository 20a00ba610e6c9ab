import BatonClient
import BatonCore
import BatonProtocol

/// `baton watch`: shows the hub's state live, with keys to control it.
extension Verb {
    /// Follows the hub until interrupted, across restarts of the hub and failures of the network.
    @Sendable static func watch(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        let screen = Screen(call)
        let keys = await KeyPresses(on: satellite.finder.loop, isWanted: Output.isTerminal && !call.json && call.format == nil)
        do {
            try await satellite.withHub(call, settings: .lasting) { hub in try await follow(hub, on: screen, pressed: keys.pressed) }
        } catch {
            await keys.close()
            throw error
        }
        await keys.close()
    }

    private static func follow(_ hub: ReconnectingHub, on screen: Screen, pressed: AsyncStream<Character>) async throws {
        let changes = await hub.changes()
        await screen.show(try await hub.state(), await hub.positionMs())
        let end = try await withThrowingTaskGroup(of: WatchEnd.self) { group in
            group.addTask {
                for await change in changes { await show(change, of: hub, on: screen) }
                return .lost
            }
            group.addTask { try await keepDrawing(hub, screen) }
            group.addTask { try await keepAsking(hub, screen) }
            group.addTask { try await act(on: pressed, hub, screen) }
            defer { group.cancelAll() }
            // Without a terminal there are no keys, and their end does not end the program.
            while let end = try await group.next() { if end != .noKeys { return end } }
            return WatchEnd.left
        }
        // The changes end when reconnecting has stopped; `live` throws the reason.
        if end == .lost { _ = try await hub.live() }
    }

    private enum WatchEnd {
        case left, lost, noKeys
    }

    private static func show(_ change: ReconnectingHub.Change, of hub: ReconnectingHub, on screen: Screen) async {
        switch change {
        case .hub(.state(let mirror)): await screen.show(mirror, await hub.positionMs())
        case .hub(.trouble(let error)): await screen.tell(error.message)
        case .hub(.queue): break
        // The program closes its own connection when it ends.
        case .away where Task.isCancelled: break
        case .away(let fault): await screen.tell("The connection is lost: \(fault.sentence) Trying again.")
        }
    }

    /// Updates the seconds on a terminal. They are computed here and cost the hub nothing.
    private static func keepDrawing(_ hub: ReconnectingHub, _ screen: Screen) async throws -> WatchEnd {
        while true {
            try await Task.sleep(for: .seconds(1))
            if await hub.isConnected { await screen.redraw(await hub.mirror, await hub.positionMs()) }
        }
    }

    private static func keepAsking(_ hub: ReconnectingHub, _ screen: Screen) async throws -> WatchEnd {
        try await HubLiveness.follow(hub) { answers in
            await screen.tell(answers ? "The hub answers again." : "The hub does not answer.")
            if answers { await screen.show(await hub.mirror, await hub.positionMs()) }
        }
        return .lost
    }

    // MARK: Keys

    static let watchKeys = "space pauses and plays; n next, p back; + louder, - quieter; q ends it"
    private static let volumeStep = 5

    private static func act(on pressed: AsyncStream<Character>, _ hub: ReconnectingHub, _ screen: Screen) async throws -> WatchEnd {
        for await key in pressed {
            if key == "q" { return .left }
            do {
                try await press(key, hub)
            } catch let error as WireError {
                await screen.tell(error.message)
            } catch let fault as ConnectFault {
                await screen.tell(fault.sentence)
            }
        }
        return .noKeys
    }

    private static func press(_ key: Character, _ hub: ReconnectingHub) async throws {
        let mirror = await hub.mirror
        switch key {
        case " ": try await hub.send(mirror.toggle)
        case "n": try await hub.send(Commands.Next(from: mirror.queue?.current))
        case "p": try await hub.send(Commands.Previous(from: mirror.queue?.current))
        case "+", "=": try await hub.send(Commands.VolumeStep(volumeStep))
        case "-": try await hub.send(Commands.VolumeStep(-volumeStep))
        default: break
        }
    }
}
