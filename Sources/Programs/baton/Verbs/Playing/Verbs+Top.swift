import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import EventLoop
import Glibc
import Terminals

/// `baton top`: a remote that uses the whole terminal.
extension Verb {
    @Sendable static func top(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        guard !call.json else { throw Stop(.usage, "top draws a screen and prints nothing. For programs: baton watch --json") }
        guard Output.isTerminal, isatty(STDIN_FILENO) == 1 else {
            throw Stop(.usage, "top draws on a terminal, and this is none. What plays, for a pipe: baton watch")
        }
        let name = call.environment["TERM"] ?? ""
        guard name != "", name != "dumb" else {
            throw Stop(.usage, "top needs a terminal that moves its cursor; TERM is “\(name)”. Without that: baton watch")
        }
        let depth = ColourDepth(call.ink, colorterm: call.environment["COLORTERM"], term: name)
        try await satellite.withHub(call, settings: .lasting, caps: ["art"]) { hub in
            // The state is read before the screen starts, so that errors are printed as usual.
            let mirror = try await hub.state()
            let changes = await hub.changes()
            try await hub.openQueue(wanted: TopTasks.queueRows)
            let loop = satellite.finder.loop
            guard let terminal = await Terminal(on: loop) else { throw Stop(.usage, "top cannot open the terminal of this program.") }
            let screen = await TopScreen(terminal, on: loop, depth, asking: name != "linux")
            let position = await TopPosition.of(hub)
            await screen.take(mirror, position)
            if let queue = await hub.queue, queue.revision != nil { await screen.take(queue) }
            let end = await run(screen, on: hub, changes: changes, input: terminal.input, loop: loop)
            await screen.close()
            // The changes end when reconnecting has stopped; `live` throws the reason.
            if end == .lost { _ = try await hub.live() }
        }
    }

    private enum TopEnd: Equatable {
        case left, lost, done
    }

    private static func run(
        _ screen: TopScreen, on hub: ReconnectingHub, changes: AsyncStream<ReconnectingHub.Change>, input: AsyncStream<[UInt8]>,
        loop: EventLoop
    ) async -> TopEnd {
        let signals = await loop.signals(Terminal.signals)
        return await withTaskGroup(of: TopEnd.self) { group in
            group.addTask {
                for await bytes in input { if await !screen.take(bytes) { break } }
                return .left
            }
            group.addTask {
                for await change in changes { await show(change, of: hub, on: screen) }
                return Task.isCancelled ? .done : .lost
            }
            group.addTask { await answer(signals, screen) }
            group.addTask {
                await TopTasks(hub, for: screen).run()
                return .done
            }
            group.addTask {
                try? await HubLiveness.follow(hub) { await screen.link($0 ? .answering : .silent) }
                return .done
            }
            group.addTask {
                await keepTime(hub, screen)
                return .done
            }
            defer { group.cancelAll() }
            while let end = await group.next() { if end != .done { return end } }
            return .left
        }
    }

    private static func show(_ change: ReconnectingHub.Change, of hub: ReconnectingHub, on screen: TopScreen) async {
        switch change {
        case .hub(.state(let mirror)): await screen.take(mirror, TopPosition.of(hub))
        case .hub(.queue(let queue)): await screen.take(queue)
        case .hub(.trouble(let error)): await screen.tell(error.message)
        case .away(let fault): await screen.link(.away(fault.sentence))
        }
    }

    /// Handles signals. The screen is restored before each of them takes effect.
    private static func answer(_ signals: AsyncStream<Int32>, _ screen: TopScreen) async -> TopEnd {
        for await signal in signals {
            switch signal {
            case SIGWINCH: await screen.resize()
            case SIGCONT: await screen.goOn()
            case SIGTSTP: await screen.suspend()
            default: return .left
            }
        }
        return .done
    }

    /// Redraws at each new second of the current item, and only while it plays.
    private static func keepTime(_ hub: ReconnectingHub, _ screen: TopScreen) async {
        while !Task.isCancelled {
            let position = await TopPosition.of(hub)
            let isMoving = await hub.mirror.timeline?.rate ?? 0 > 0
            try? await Task.sleep(for: .milliseconds(isMoving ? 1000 - position.ms % 1000 : 1000))
            if isMoving, await hub.isConnected { await screen.tick(TopPosition.of(hub)) }
        }
    }
}
