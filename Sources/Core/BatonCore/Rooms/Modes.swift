/// The modes of a room, their meaning for a player, and the ways to change them.

/// A mode that is off, on for good, or on until it has taken effect once.
public enum ModeSwitch: String, Sendable, CaseIterable {
    case off, on, once
}

/// The modes in which a room plays.
public struct Modes: Equatable, Sendable {
    /// True when the queue begins again after its last entry.
    public var `repeat` = false
    /// True when the entries behind the current one are in a random order, and each pass has another.
    public var shuffle = false
    /// Whether playing ends after each entry, or, with `repeat`, stays with one entry.
    public var single = ModeSwitch.off
    /// Whether entries leave the queue when they were played.
    public var consume = ModeSwitch.off
    /// Permille of normal speed, 500 to 3000.
    public var speed = 1000
    /// The choice between track and album gain for levelling loudness.
    public var gain = GainMode.auto
    /// Decibels added to entries that are levelled.
    public var preampDb = 0
    /// The treatment of an entry whose piece is still being generated.
    public var unfinished = Unfinished.skip
    /// Steps of the skip buttons that clients show for speech.
    public var forwardMs: Milliseconds = 30_000
    /// Step back of the skip buttons.
    public var backMs: Milliseconds = 15_000

    /// True when quiet speech is raised, with its peaks limited.
    public var raisesVoice = false
    /// True when silences in speech are skipped.
    public var trims = false
    /// True when both channels are mixed to one, for people who hear with one ear.
    public var isMono = false

    /// Allowed steps of the skip buttons, in milliseconds.
    package static let skipRange = 1000...600_000
    /// Allowed speeds, in permille.
    package static let speedRange = 500...3000
    /// Allowed values of `preampDb`, in decibels.
    package static let preampRange = -15...15

    /// The modes of a new room.
    package init() {}

    /// Filters for an entry that is spoken, or for one that is not.
    package func filters(isSpoken: Bool) -> SoundFilters { SoundFilters(raisesVoice: raisesVoice && isSpoken, isMono: isMono) }
}

/// Changes of an entry's sound other than speed and loudness.
package struct SoundFilters: Equatable, Sendable {
    /// True when quiet speech is raised, with its peaks limited.
    package var raisesVoice = false
    /// True when both channels are mixed to one.
    package var isMono = false

    package init(raisesVoice: Bool = false, isMono: Bool = false) {
        self.raisesVoice = raisesVoice
        self.isMono = isMono
    }
}

/// The measurement by which loudness is levelled: that of each track, or that of its album, which keeps a quiet song quiet among the others.
public enum GainMode: String, Sendable, CaseIterable {
    case off, track, album
    /// Album gain where an album is played in order, else track gain.
    case auto
}

/// The treatment of an entry whose turn comes before its piece is generated.
public enum Unfinished: Equatable, Sendable {
    /// The entry moves behind the next one that can be played, without a pause.
    case skip
    /// The room waits for the entry for a while, then moves it as `skip` does.
    case wait
    /// An item, or one of a playlist, plays before the entry.
    case filler(ItemURI)

    /// The cases by name; a filler needs its item too.
    public enum Name: String, Sendable, CaseIterable {
        case skip, wait, filler
    }

    /// The name of the case, as it is stored and sent.
    public var name: Name {
        switch self {
        case .skip: .skip
        case .wait: .wait
        case .filler: .filler
        }
    }

    /// The item of a filler; `nil` for the other cases.
    public var filler: ItemURI? { if case .filler(let uri) = self { uri } else { nil } }

    /// Restores a stored or received value; `nil` for a filler without its item.
    public init?(_ name: Name, filler: ItemURI?) {
        switch (name, filler) {
        case (.skip, _): self = .skip
        case (.wait, _): self = .wait
        case (.filler, let uri?): self = .filler(uri)
        case (.filler, nil): return nil
        }
    }
}

/// The levelling that a player is told; `auto` has been resolved to track or album.
package struct Levelling: Equatable, Sendable {
    /// The gain in a file's tags by which the player levels; with `none` it leaves the loudness as it is.
    package enum Measure: String, Sendable { case none, track, album }

    package var measure: Measure
    /// Decibels added to entries that are levelled.
    package var preampDb: Int

    package init(by measure: Measure = .none, preampDb: Int = 0) {
        self.measure = measure
        self.preampDb = preampDb
    }
}

/// A subset of the modes; `nil` leaves a mode as it is.
package struct ModeChange: Equatable, Sendable {
    package var `repeat`: Bool?
    package var shuffle: Bool?
    package var single: ModeSwitch?
    package var consume: ModeSwitch?
    /// Permille; a value out of range becomes the nearest allowed one.
    package var speed: Int?
    package var gain: GainMode?
    package var preampDb: Int?
    package var unfinished: Unfinished?
    package var forwardMs: Milliseconds?
    package var backMs: Milliseconds?
    package var raisesVoice: Bool?
    package var trims: Bool?
    package var isMono: Bool?

    /// A change of the modes that are named.
    package init(
        repeat: Bool? = nil, shuffle: Bool? = nil, single: ModeSwitch? = nil, consume: ModeSwitch? = nil, speed: Int? = nil,
        gain: GainMode? = nil, preampDb: Int? = nil, unfinished: Unfinished? = nil, forwardMs: Milliseconds? = nil,
        backMs: Milliseconds? = nil, raisesVoice: Bool? = nil, trims: Bool? = nil, isMono: Bool? = nil
    ) {
        self.repeat = `repeat`
        self.shuffle = shuffle
        self.single = single
        self.consume = consume
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
    /// Applies a change; a speed out of range becomes the nearest one in range.
    mutating func take(_ change: ModeChange) {
        single = change.single ?? single
        consume = change.consume ?? consume
        speed = max(Self.speedRange.lowerBound, min(change.speed ?? speed, Self.speedRange.upperBound))
        gain = change.gain ?? gain
        preampDb = change.preampDb ?? preampDb
        unfinished = change.unfinished ?? unfinished
        forwardMs = change.forwardMs ?? forwardMs
        backMs = change.backMs ?? backMs
        for (flag, wanted) in Self.flags { self[keyPath: flag] = change[keyPath: wanted] ?? self[keyPath: flag] }
    }

    /// The modes that are on or off, and their fields in a change.
    package static let flags: [(mode: Flag, change: WantedFlag)] = [
        (\.repeat, \.repeat), (\.shuffle, \.shuffle), (\.raisesVoice, \.raisesVoice), (\.trims, \.trims), (\.isMono, \.isMono),
    ]
    /// A mode that is on or off.
    package typealias Flag = any WritableKeyPath<Modes, Bool> & Sendable
    /// The field of a change that sets such a mode.
    package typealias WantedFlag = any WritableKeyPath<ModeChange, Bool?> & Sendable
}
