import BatonCore
import BatonProtocol
import BatonWire

// What people type behind a verb, as values: read before any hub is asked, so that a slip of the
// finger is answered at once and the same everywhere.

/// Where to go: `1:23`, `+15`, `-0:30`, `40%`.
enum SeekTarget: Equatable {
    case to(ms: Int)
    case by(ms: Int)
    case part(percent: Double)

    init(_ text: String) throws(Stop) {
        guard let target = Self.read(text) else { throw Stop(.usage, "“\(text)” is no position. Write 1:23, +15, -15 or 40%.") }
        self = target
    }

    private static func read(_ text: String) -> SeekTarget? {
        if text.hasSuffix("%") {
            return Double(text.dropLast()).flatMap { (0...100).contains($0) ? .part(percent: $0) : nil }
        }
        switch text.first {
        case "+": return TimeText.read(text.dropFirst()).map { .by(ms: $0) }
        case "-": return TimeText.read(text.dropFirst()).map { .by(ms: -$0) }
        default: return TimeText.read(text[...]).map { .to(ms: $0) }
        }
    }

    /// The command for it; its parameters are added.
    func method(durationMs: Int?, _ params: inout JSONObject) throws(Stop) -> String {
        switch self {
        case .to(let ms): params["posMs"] = .int(Int64(ms))
        case .by(let ms):
            params["ms"] = .int(Int64(ms))
            return "seekBy"
        case .part(let percent):
            guard let durationMs else { throw Stop(.refused, "How long this is, is not known; name a time instead.") }
            params["posMs"] = .int(Int64(Double(durationMs) * percent / 100))
        }
        return "seek"
    }
}

/// How loud: `35`, or a step such as `+5` or `-5`.
enum VolumeChange: Equatable {
    case to(Int)
    case by(Int)

    init(_ text: String) throws(Stop) {
        guard let number = Int(text), abs(number) <= 100 else {
            throw Stop(.usage, "“\(text)” is no volume. Write a number from 0 to 100, or a step such as +5 or -5.")
        }
        self = text.hasPrefix("+") || text.hasPrefix("-") ? .by(number) : .to(number)
    }
}

/// How a room plays: one of the named modes, or `repeat off|one|all`, `shuffle on|off`, `speed 1.25`,
/// `gain auto|album|track|off`, `preamp -3`, one after the other.
enum ModeChange: Equatable {
    case named(String)
    case `repeat`(Repeat)
    case shuffle(Bool)
    /// Permille of normal speed.
    case speed(Int)
    case gain(GainMode)
    case preamp(Int)

    static let names = ["once", "repeat-all", "repeat-one", "shuffle"]
    private static let parts = ["repeat", "shuffle", "speed", "gain", "preamp"]

    static func all(in words: [String]) throws(Stop) -> [ModeChange] {
        var changes: [ModeChange] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            // `shuffle` alone is a mode, and with a word behind it a part of one.
            let isPart = parts.contains(word) && !(word == "shuffle" && !["on", "off"].contains(rest.first))
            guard let change = isPart ? ModeChange(word, rest.popFirst() ?? "") : names.contains(word) ? .named(word) : nil else {
                throw Stop(
                    .usage,
                    "Write mode \(names.joined(separator: "|")), or repeat off|one|all, shuffle on|off, speed 0.5 to 3, "
                        + "gain auto|album|track|off, preamp -15 to 15.")
            }
            changes.append(change)
        }
        return changes
    }

    private init?(_ name: String, _ value: String) {
        switch name {
        case "repeat":
            guard let way = Repeat(rawValue: value) else { return nil }
            self = .repeat(way)
        case "shuffle":
            guard value == "on" || value == "off" else { return nil }
            self = .shuffle(value == "on")
        case "speed":
            guard let speed = Double(value), (0.5...3).contains(speed) else { return nil }
            self = .speed(Int((speed * 1000).rounded()))
        case "gain":
            guard let gain = GainMode(rawValue: value) else { return nil }
            self = .gain(gain)
        case "preamp":
            guard let decibels = Int(value), (-15...15).contains(decibels) else { return nil }
            self = .preamp(decibels)
        default: return nil
        }
    }

    static func params(_ changes: [ModeChange]) -> JSONObject {
        changes.reduce(into: JSONObject()) { params, change in
            switch change {
            case .named(let name): params["mode"] = .string(name)
            case .repeat(let way): params["repeat"] = .string(way.rawValue)
            case .shuffle(let on): params["shuffle"] = .bool(on)
            case .speed(let permille): params["speed"] = .int(Int64(permille))
            case .gain(let gain): params["gain"] = .string(gain.rawValue)
            case .preamp(let decibels): params["preampDb"] = .int(Int64(decibels))
            }
        }
    }
}
