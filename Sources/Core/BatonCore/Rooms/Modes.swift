/// How a room plays: its modes, what they mean for a player, and how they are changed.

/// The entry that follows the last one: none, that one again, or the first of all.
public enum Repeat: String, Sendable, CaseIterable {
    case off, one, all
}

/// How a room plays.
public struct Modes: Equatable, Sendable {
    public var `repeat`: Repeat = .off
    public var shuffle = false
    /// Permille of normal speed, 500 to 3000.
    public var speed = 1000
    /// The measure by which all that is played is made equally loud.
    public var gain = GainMode.auto
    /// Added to what is made equally loud, in decibels.
    public var preampDb = 0
    public var unfinished = Unfinished.skip
    /// The distances that the buttons of clients go in speech.
    public var forwardMs = 30_000
    public var backMs = 15_000

    /// Quiet speech is raised, and its peaks are limited.
    public var raisesVoice = false
    /// Silences in speech are left out.
    public var trims = false
    /// Both channels are mixed to one, for people who hear with one ear.
    public var isMono = false

    package static let skipRange = 1000...600_000
    package static let speedRange = 500...3000
    package static let preampRange = -15...15

    package init() {}

    /// Filters for an entry that is spoken, or for one that is not.
    package func filters(isSpoken: Bool) -> SoundFilters { SoundFilters(raisesVoice: raisesVoice && isSpoken, isMono: isMono) }
}

/// Changes of the sound of an entry on its way to the output, beside its speed and how loud it is.
package struct SoundFilters: Equatable, Sendable {
    /// Quiet speech is raised, and its peaks are limited.
    package var raisesVoice = false
    /// The same sound is left and right.
    package var isMono = false

    package init(raisesVoice: Bool = false, isMono: Bool = false) {
        self.raisesVoice = raisesVoice
        self.isMono = isMono
    }
}

/// The measure by which all that is played is made equally loud: that of each track, or that of its album, which
/// keeps a quiet song quiet among its own.
public enum GainMode: String, Sendable, CaseIterable {
    case off, track, album
    /// As an album where one is played in order, else track by track.
    case auto
}

/// A way with an entry whose turn comes before its piece is made.
public enum Unfinished: Equatable, Sendable {
    /// It moves behind the next entry that can be played, without a pause.
    case skip
    /// The room waits a while for it, and then it moves as by `skip`.
    case wait
    /// An item, or one of a playlist, plays before it.
    case filler(ItemURI)

    /// The ways by their names; a filler needs its item too.
    public enum Name: String, Sendable, CaseIterable {
        case skip, wait, filler
    }

    public var name: Name {
        switch self {
        case .skip: .skip
        case .wait: .wait
        case .filler: .filler
        }
    }

    public var filler: ItemURI? { if case .filler(let uri) = self { uri } else { nil } }

    /// The way as it was kept or sent; `nil` for a filler without its item.
    public init?(_ name: Name, filler: ItemURI?) {
        switch (name, filler) {
        case (.skip, _): self = .skip
        case (.wait, _): self = .wait
        case (.filler, let uri?): self = .filler(uri)
        case (.filler, nil): return nil
        }
    }
}

/// The measure as a player gets it: `auto` has been decided.
package struct Levelling: Equatable, Sendable {
    package enum Measure: String, Sendable { case none, track, album }

    package var measure: Measure
    package var preampDb: Int

    package init(by measure: Measure = .none, preampDb: Int = 0) {
        self.measure = measure
        self.preampDb = preampDb
    }
}

/// The four ways of playing that have a name of their own.
public enum NamedMode: String, Sendable, CaseIterable {
    /// Plays through and stops behind the last entry.
    case once
    case repeatAll = "repeat-all"
    case repeatOne = "repeat-one"
    /// Plays everything over and over, each time in another order.
    case shuffle

    package var change: ModeChange {
        switch self {
        case .once: ModeChange(repeat: .off, shuffle: false)
        case .repeatAll: ModeChange(repeat: .all, shuffle: false)
        case .repeatOne: ModeChange(repeat: .one, shuffle: false)
        case .shuffle: ModeChange(repeat: .all, shuffle: true)
        }
    }
}

extension Modes {
    /// `nil` when this combination has no name.
    public var named: NamedMode? {
        NamedMode.allCases.first { $0.change.repeat == `repeat` && $0.change.shuffle == shuffle }
    }
}

/// Any subset of the modes; what is `nil` stays.
package struct ModeChange: Equatable, Sendable {
    package var `repeat`: Repeat?
    package var shuffle: Bool?
    package var speed: Int?
    package var gain: GainMode?
    package var preampDb: Int?
    package var unfinished: Unfinished?
    package var forwardMs: Int?
    package var backMs: Int?
    package var raisesVoice: Bool?
    package var trims: Bool?
    package var isMono: Bool?

    package init(
        repeat: Repeat? = nil, shuffle: Bool? = nil, speed: Int? = nil, gain: GainMode? = nil, preampDb: Int? = nil,
        unfinished: Unfinished? = nil, forwardMs: Int? = nil, backMs: Int? = nil,
        raisesVoice: Bool? = nil, trims: Bool? = nil, isMono: Bool? = nil
    ) {
        self.repeat = `repeat`
        self.shuffle = shuffle
        self.speed = speed
        self.gain = gain
        self.preampDb = preampDb
        self.unfinished = unfinished
        self.forwardMs = forwardMs
        self.backMs = backMs
        self.raisesVoice = raisesVoice
        self.trims = trims
        self.isMono = isMono
    }
}

extension Modes {
    /// Carries out a change; a speed out of range becomes the nearest one in it.
    mutating func take(_ change: ModeChange) {
        `repeat` = change.repeat ?? `repeat`
        speed = max(Self.speedRange.lowerBound, min(change.speed ?? speed, Self.speedRange.upperBound))
        gain = change.gain ?? gain
        preampDb = change.preampDb ?? preampDb
        unfinished = change.unfinished ?? unfinished
        forwardMs = change.forwardMs ?? forwardMs
        backMs = change.backMs ?? backMs
        for (flag, wanted) in Self.flags { self[keyPath: flag] = change[keyPath: wanted] ?? self[keyPath: flag] }
    }

    /// All that is on or off, and how a change names it.
    package static let flags: [(mode: Flag, change: WantedFlag)] = [
        (\.shuffle, \.shuffle), (\.raisesVoice, \.raisesVoice), (\.trims, \.trims), (\.isMono, \.isMono),
    ]
    package typealias Flag = any WritableKeyPath<Modes, Bool> & Sendable
    package typealias WantedFlag = any WritableKeyPath<ModeChange, Bool?> & Sendable
}
