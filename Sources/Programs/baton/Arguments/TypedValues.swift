import BatonCore
import BatonProtocol

// The arguments of commands as values. They are read before the program connects to a hub, so that a typing mistake is
// reported at once and in the same words everywhere.

/// A position to seek to: `1:23`, `+15`, `-0:30`, `40%`.
enum SeekTarget: Equatable {
    case to(ms: Int)
    case by(ms: Int)
    case part(percent: Double)

    init(_ text: String) throws(Stop) {
        guard let target = Self.read(text) else {
            throw Stop(.usage, "“\(text)” is no position. Write 1:23, +15, -15 or 40%; behind a colon stand 0 to 59.")
        }
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

    /// The position in an entry of this length; a step counts from its beginning.
    func positionMs(durationMs: Int?) throws(Stop) -> Int {
        switch self {
        case .to(let ms), .by(let ms): return ms
        case .part(let percent):
            guard let durationMs else { throw Stop(.refused, "The length of this entry is not known; name a time instead.") }
            return Int(Double(durationMs) * percent / 100)
        }
    }
}

/// A volume: `35` or `35%`, or a step such as `+5` or `-5%`.
enum VolumeChange: Equatable {
    case to(Int)
    case by(Int)

    init(_ text: String) throws(Stop) {
        guard let number = Int(text.hasSuffix("%") ? String(text.dropLast()) : text), abs(number) <= 100 else {
            throw Stop(.usage, "“\(text)” is no volume. Write a number from 0 to 100, or a step such as +5 or -5.")
        }
        self = text.hasPrefix("+") || text.hasPrefix("-") ? .by(number) : .to(number)
    }
}

/// How a room plays: one of the named modes, or `repeat off|one|all`, `shuffle on|off`, `speed 1.25`,
/// `gain auto|album|track|off`, `preamp -3`, `unfinished skip|wait|ITEM`, `forward 30`, `back 15`, one after the other.
enum ModeChange: Equatable {
    case named(NamedMode)
    case `repeat`(Repeat)
    case shuffle(Bool)
    /// Permille of normal speed.
    case speed(Int)
    case gain(GainMode)
    case preamp(Int)
    case unfinished(Unfinished)
    /// How far `skip` goes in speech.
    case forward(ms: Int)
    case back(ms: Int)

    static let names = NamedMode.allCases.map(\.rawValue)
    private static let parts = ["repeat", "shuffle", "speed", "gain", "preamp", "unfinished", "forward", "back"]

    static func all(in words: [String]) throws(Stop) -> [ModeChange] {
        var changes: [ModeChange] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            // `shuffle` alone is a mode; followed by `on` or `off` it changes one part of the modes.
            let isPart = parts.contains(word) && !(word == "shuffle" && !["on", "off"].contains(rest.first))
            guard let change = isPart ? ModeChange(word, rest.popFirst() ?? "") : NamedMode(rawValue: word).map(ModeChange.named) else {
                throw Stop(
                    .usage,
                    "Write mode \(names.joined(separator: "|")), or repeat off|one|all, shuffle on|off, speed 0.5 to 3, "
                        + "gain auto|album|track|off, preamp -15 to 15, unfinished skip|wait|ITEM, forward or back 1 to 600 seconds.")
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
        case "forward", "back":
            guard let seconds = Int(value), (1...600).contains(seconds) else { return nil }
            self = name == "back" ? .back(ms: seconds * 1000) : .forward(ms: seconds * 1000)
        case "unfinished":
            let word = Unfinished.Name(rawValue: value)
            let filler = word == nil && value.contains(":") ? ItemURI(value) : nil
            guard let way = Unfinished(word ?? .filler, filler: filler) else { return nil }
            self = .unfinished(way)
        default: return nil
        }
    }

    static func command(_ changes: [ModeChange]) -> Commands.ModeSet {
        changes.reduce(into: Commands.ModeSet()) { command, change in
            switch change {
            case .named(let mode): command.mode = mode
            case .repeat(let way): command.repeat = way
            case .shuffle(let on): command.shuffle = on
            case .speed(let permille): command.speed = permille
            case .gain(let gain): command.gain = gain
            case .preamp(let decibels): command.preampDb = decibels
            case .forward(let ms): command.forwardMs = ms
            case .back(let ms): command.backMs = ms
            case .unfinished(let way): (command.unfinished, command.filler) = (way.name, way.filler)
            }
        }
    }
}
