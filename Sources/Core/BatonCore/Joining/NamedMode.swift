/// The ways to play that rooms of other servers know, each a combination of the modes.
public enum NamedMode: String, Sendable, CaseIterable {
    /// Plays through and stops after the last entry.
    case once
    case repeatAll = "repeat-all"
    case repeatOne = "repeat-one"
    /// Plays everything again and again, each time in another order.
    case shuffle

    /// The change that brings a room into this mode.
    package var change: ModeChange {
        ModeChange(repeat: self != .once, shuffle: self == .shuffle, single: self == .repeatOne ? .on : .off)
    }
}

extension Modes {
    /// The name of the current combination; `nil` when it has none.
    public var named: NamedMode? {
        guard consume == .off else { return nil }
        return NamedMode.allCases.first { $0.change.repeat == `repeat` && $0.change.shuffle == shuffle && $0.change.single == single }
    }
}
