import BatonCore
import BatonProtocol

// The arguments of commands as values. They are read before the program connects to a hub, so that a typing mistake is
// reported at once and in the same words everywhere.

/// A position to seek to: `1:23`, `+15`, `-0:30`, `40%`.
enum SeekTarget: Equatable {
    case to(ms: Milliseconds)
    case by(ms: Milliseconds)
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
    func positionMs(durationMs: Milliseconds?) throws(Stop) -> Milliseconds {
        switch self {
        case .to(let ms), .by(let ms): return ms
        case .part(let percent):
            guard let durationMs else { throw Stop(.refused, "The length of this entry is not known; name a time instead.") }
            return Milliseconds(Double(durationMs) * percent / 100)
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
