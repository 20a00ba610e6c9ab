import BatonClient
import BatonCore
import BatonProtocol
import Glibc

/// Verbs that act on what plays.
extension Verb {
    @Sendable static func play(_ call: Invocation, _ satellite: Satellite) async throws {
        guard let first = call.operands.first else { return try await simple("play", call, satellite) }
        try await satellite.withHub(call) { hub in
            let uris = try call.operands.map { try LocalPath.uri(for: $0, hub: hub.endpoint) }
            try await hub.command("play", ["uri": .string(uris[0])], key: Keys.random())
            for part in URIParts(Array(uris.dropFirst())) {
                try await hub.command("queue.add", ["uris": .array(part.map { .string($0) }), "at": "end"], key: Keys.random())
            }
            try await report(call, hub, or: "Playing \(first).")
        }
    }

    @Sendable static func pause(_ call: Invocation, _ satellite: Satellite) async throws { try await simple("pause", call, satellite) }
    @Sendable static func stop(_ call: Invocation, _ satellite: Satellite) async throws { try await simple("stop", call, satellite) }

    @Sendable static func toggle(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try await satellite.withHub(call) { hub in
            let state = await hub.state().timeline?.state
            let isPlaying = state == .playing || state == .buffering
            try await hub.command("toggle", ["want": isPlaying ? "paused" : "playing"])
            try await report(call, hub)
        }
    }

    @Sendable static func next(_ call: Invocation, _ satellite: Satellite) async throws { try await step("next", call, satellite) }
    @Sendable static func previous(_ call: Invocation, _ satellite: Satellite) async throws { try await step("prev", call, satellite) }

    /// Names the entry that is current now, so that two people pressing at once skip once.
    private static func step(_ method: String, _ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try await satellite.withHub(call) { hub in
            try await hub.command(method, from(await hub.state()), key: Keys.random())
            try await report(call, hub)
        }
    }

    private static func from(_ mirror: Mirror) -> JSONObject {
        mirror.queue?.current.map { ["from": .string($0.text)] } ?? JSONObject()
    }

    @Sendable static func seek(_ call: Invocation, _ satellite: Satellite) async throws {
        let text = try call.operand(0, "a position, such as 1:23, +15, -15 or 40%")
        guard let target = SeekTarget(text) else {
            throw Stop(.usage, "“\(text)” is no position. Write 1:23, +15, -15 or 40%.")
        }
        try await satellite.withHub(call) { hub in
            let mirror = await hub.state()
            guard let now = mirror.now else { throw Stop(.refused, "Nothing is playing, so there is nowhere to seek.") }
            var params: JSONObject = ["entry": .string(now.entry.text)]
            switch target {
            case .to(let ms): params["posMs"] = .int(Int64(ms))
            case .by(let ms): params["ms"] = .int(Int64(ms))
            case .part(let percent):
                guard let duration = now.tags.durationMs else {
                    throw Stop(.refused, "How long this is, is not known; name a time instead.")
                }
                params["posMs"] = .int(Int64(Double(duration) * percent / 100))
            }
            try await hub.command(params["ms"] == nil ? "seek" : "seekBy", params, key: Keys.random())
            try await report(call, hub)
        }
    }

    @Sendable static func volume(_ call: Invocation, _ satellite: Satellite) async throws {
        try await satellite.withHub(call) { hub in
            _ = await hub.state()
            if let text = call.operands.first {
                guard let number = Int(text), abs(number) <= 100 else {
                    throw Stop(.usage, "“\(text)” is no volume. Write a number from 0 to 100, or a step such as +5 or -5.")
                }
                let isStep = text.hasPrefix("+") || text.hasPrefix("-")
                let params: JSONObject = isStep ? ["d": .int(Int64(number))] : ["level": .int(Int64(number))]
                try await hub.command(isStep ? "vol.step" : "vol.set", params, key: isStep ? Keys.random() : nil)
            }
            try await reportVolume(call, hub)
        }
    }

    @Sendable static func mute(_ call: Invocation, _ satellite: Satellite) async throws {
        let wanted = call.operands.first
        guard wanted == nil || wanted == "on" || wanted == "off" else { throw Stop(.usage, "Write mute, mute on or mute off.") }
        try await satellite.withHub(call) { hub in
            let isMuted = await hub.state().volume?.isMuted == true
            try await hub.command("vol.mute", ["on": .bool(wanted.map { $0 == "on" } ?? !isMuted)])
            try await reportVolume(call, hub)
        }
    }

    @Sendable static func mode(_ call: Invocation, _ satellite: Satellite) async throws {
        var params = JSONObject()
        for at in stride(from: 0, to: call.operands.count, by: 2) {
            guard at + 1 < call.operands.count, let value = modeValue(call.operands[at], call.operands[at + 1]) else {
                throw Stop(.usage, "Write mode repeat off|one|all, or mode speed 0.5 to 3.")
            }
            params[value.name] = value.value
        }
        try await satellite.withHub(call) { [params] hub in
            _ = await hub.state()
            if !params.members.isEmpty { try await hub.command("mode.set", params) }
            let modes = await hub.mirror.modes?.modes ?? Modes()
            if call.json { return try await report(call, hub) }
            Output.line("repeat \(modes.repeat.rawValue), shuffle \(modes.shuffle ? "on" : "off"), speed \(Double(modes.speed) / 1000)")
        }
    }

    private static func modeValue(_ name: String, _ value: String) -> (name: String, value: JSON)? {
        switch name {
        case "repeat": Repeat(rawValue: value).map { ("repeat", .string($0.rawValue)) }
        case "speed": Double(value).flatMap { (0.5...3).contains($0) ? ("speed", .int(Int64($0 * 1000))) : nil }
        default: nil
        }
    }

    private static func simple(_ method: String, _ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try await satellite.withHub(call) { hub in
            _ = await hub.state()
            try await hub.command(method)
            try await report(call, hub)
        }
    }

    // MARK: Saying what came of it

    static func report(_ call: Invocation, _ hub: HubConnection, or sentence: String? = nil) async throws {
        let status = StatusText(mirror: await hub.mirror, positionMs: await hub.positionMs())
        if call.json { return Output.json(status.encode) }
        if let sentence, status.mirror.now == nil { return Output.line(sentence) }
        Output.line(status.oneLine)
    }

    private static func reportVolume(_ call: Invocation, _ hub: HubConnection) async throws {
        if call.json { return try await report(call, hub) }
        guard let volume = await hub.mirror.volume else { return }
        Output.line(volume.isMuted ? "muted (volume \(volume.level) %)" : "volume \(volume.level) %")
    }
}

/// What somebody typed where an item is wanted.
enum LocalPath {
    /// A path becomes absolute, because the hub has another working folder. A file of this machine
    /// means nothing to a hub on another one, and saying so beats a hub's “not found”.
    static func uri(for text: String, hub: Endpoint) throws(Stop) -> String {
        guard !text.contains("://"), let real = realpath(text, nil) else {
            let isPath = text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../") || text.hasPrefix("~")
            if isPath, hub.isLocal { throw Stop(.refused, "There is no file “\(text)” here.") }
            return text
        }
        defer { free(real) }
        guard hub.isLocal else {
            throw Stop(
                .refused,
                "“\(text)” is a file on this machine, and the hub is on another one (\(hub.text)). "
                    + "Copy it to a music folder of the hub, or share it by http and play its URL.")
        }
        return String(cString: real)
    }
}

/// Uris in parts that fit into one message each.
struct URIParts: Sequence, IteratorProtocol {
    private var rest: ArraySlice<String>
    private static let most = 500
    private static let mostBytes = 12_000

    init(_ uris: [String]) { rest = uris[...] }

    mutating func next() -> ArraySlice<String>? {
        var bytes = 0
        let part = rest.prefix(Self.most).prefix { uri in
            bytes += uri.utf8.count + 8
            return bytes <= Self.mostBytes
        }
        // One that is too long by itself goes alone; the hub says what is wrong with it.
        let taken = part.isEmpty ? rest.prefix(1) : part
        rest = rest.dropFirst(taken.count)
        return taken.isEmpty ? nil : taken
    }
}
