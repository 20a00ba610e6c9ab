import BatonClient
import BatonCore
import BatonProtocol
import BatonWire
import Glibc

/// Verbs that control playback, and their common output.
extension Verb {
    /// A verb that names the current entry, so that two people who press at the same time skip only once.
    static func steps<Command: WireCommand>(_ command: @escaping @Sendable (EntryID?) -> Command) -> Run {
        { call, satellite in
            try call.expectNoOperands()
            try await satellite.withHub(call) { hub in
                let mirror = try await hub.state()
                // A program starts and connects between the press and this line, so another person may be faster.
                if await !hub.isNewer(mirror.now, thanUs: call.pressedUs) { try await hub.send(command(mirror.queue?.current)) }
                try await report(call, hub)
            }
        }
    }

    @Sendable static func seek(_ call: Invocation, _ satellite: Satellite) async throws {
        let target = try SeekTarget(call.onlyOperand("a position, such as 1:23, +15, -15 or 40%"))
        try await satellite.withHub(call) { hub in
            let mirror = try await hub.state()
            guard let now = mirror.now else { throw Stop(.refused, "Nothing is playing, so there is nowhere to seek.") }
            if case .by(let ms) = target {
                try await hub.send(Commands.SeekBy(entry: now.entry, ms: ms))
            } else {
                try await hub.send(Commands.Seek(entry: now.entry, positionMs: try target.positionMs(durationMs: now.tags.durationMs)))
            }
            try await report(call, hub)
        }
    }

    /// Skips as far as the buttons of other remotes: by the room's setting in speech, by 15 seconds in music.
    @Sendable static func skip(_ call: Invocation, _ satellite: Satellite) async throws {
        let way = try call.operandIfAny() ?? "forward"
        guard ["forward", "back"].contains(way) else { throw Stop(.usage, "Write skip, or skip back.") }
        try await satellite.withHub(call) { hub in
            let mirror = try await hub.state()
            guard let now = mirror.now else { throw Stop(.refused, "Nothing is playing, so there is nowhere to skip.") }
            let modes = mirror.modes?.modes ?? Modes()
            let isSpoken = now.tags.kind.isSpoken || mirror.book != nil
            let (forwardMs, backMs) = isSpoken ? (modes.forwardMs, modes.backMs) : (musicSkipMs, musicSkipMs)
            try await hub.send(Commands.SeekBy(entry: now.entry, ms: way == "back" ? -backMs : forwardMs))
            try await report(call, hub)
        }
    }

    private static let musicSkipMs: Milliseconds = 15_000

    @Sendable static func volume(_ call: Invocation, _ satellite: Satellite) async throws {
        let change = try call.operandIfAny().map(VolumeChange.init)
        let rail = try rail(call)
        try await satellite.withHub(call) { hub in
            let mirror = try await hub.state()
            if rail != Commands.RoomSet(), let room = mirror.room { try await setRail(of: room, rail, hub) }
            switch change {
            case .to(let level): try await hub.send(Commands.VolumeSet(level))
            case .by(let step): try await hub.send(Commands.VolumeStep(step))
            case nil: break
            }
            try await reportVolume(call, hub)
        }
    }

    // MARK: Reporting

    static func report(_ call: Invocation, _ hub: ReconnectingHub, or sentence: String? = nil) async throws {
        await waitWhileBuffering(hub)
        let status = StatusText(mirror: await hub.mirror, positionMs: await hub.positionMs(), behindMs: await hub.behindMs())
        if call.json { return Output.json(status.encode) }
        if let format = call.format { return Output.verbatim(status.filled(into: format)) }
        if let sentence, status.mirror.now == nil { return Output.line(sentence) }
        Output.line(status.oneLine)
    }

    /// Waits briefly for the player after a command's reply, so that the printed state is the audible one.
    private static func waitWhileBuffering(_ hub: ReconnectingHub) async {
        let changes = await hub.changes()
        guard await hub.mirror.timeline?.state == .buffering else { return }
        try? await limited(to: .milliseconds(700), sentence: "It is still buffering.") {
            for await change in changes {
                if case .hub(.state(let mirror)) = change, mirror.timeline?.state != .buffering { return }
            }
        }
    }

    @Sendable static func reportVolume(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        if call.json { return try await report(call, hub) }
        guard let volume = await hub.mirror.volume else { return }
        let said = volume.isMuted ? "muted (volume \(volume.level) %)" : "volume \(volume.level) %"
        let range = volume.range == 0...100 ? "" : ", from \(volume.range.lowerBound) to \(volume.range.upperBound)"
        Output.line(StatusText(mirror: await hub.mirror, positionMs: 0).prefix + said + range)
    }
}

extension Mirror {
    /// Pauses the current item, or plays it if it is paused.
    var toggle: Commands.Toggle { Commands.Toggle(timeline?.state == .playing || timeline?.state == .buffering ? .paused : .playing) }
}
