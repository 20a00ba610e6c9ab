import BatonCore
import BatonProtocol

/// A usual way of playing, which has a name of its own and sets several modes at once.
enum ModeWord: String, CaseIterable {
    case once
    case repeatAll = "repeat-all"
    case repeatOne = "repeat-one"
    case shuffle

    private var parts: (repeat: Bool, shuffle: Bool, single: Bool) {
        switch self {
        case .once: (false, false, false)
        case .repeatAll: (true, false, false)
        case .repeatOne: (true, false, true)
        case .shuffle: (true, true, false)
        }
    }

    /// Sets what the word means in a command. Whether entries are consumed is not part of it.
    func set(in command: inout Commands.ModeSet) {
        (command.repeat, command.shuffle, command.single) = (parts.repeat, parts.shuffle, parts.single ? .on : .off)
    }

    /// The name of these modes; `nil` if they have none. A mode that is on once does not change it.
    init?(_ modes: Modes) {
        let now = (modes.repeat, modes.shuffle, modes.single == .on)
        guard let word = Self.allCases.first(where: { $0.parts == now }) else { return nil }
        self = word
    }

    /// The modes by their name, or one by one without it, and then what the name does not say.
    static func describe(_ modes: Modes) -> String {
        let word = ModeWord(modes)
        var parts = [word?.rawValue ?? "repeat \(modes.repeat ? "on" : "off"), shuffle \(modes.shuffle ? "on" : "off")"]
        if modes.single == .once || word == nil, modes.single != .off { parts.append("single \(modes.single.rawValue)") }
        if modes.consume != .off { parts.append("consume \(modes.consume.rawValue)") }
        return parts.joined(separator: ", ")
    }
}
