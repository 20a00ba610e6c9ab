/// What can be asked of a room. Every remote, dialect and timer ends up here, after permission and
/// limits were checked and sources were asked; what arrives holds nothing that could fail outside.
package enum Command: Equatable, Sendable {
    /// Resumes, or starts the named entry.
    case play(entry: EntryID? = nil, positionMs: Int? = nil)
    case pause
    case stop
    /// `from` is the entry the person was looking at; if another one is current by now, nothing happens.
    case next(from: EntryID?, count: Int = 1)
    /// Goes back, or to the start of the current entry when more than `restartMs` of it has played.
    case previous(from: EntryID?, restartMs: Int = 3000)
    case jump(EntryID)
    case seek(entry: EntryID?, toMs: Int)
    case skip(entry: EntryID?, byMs: Int)
    /// To the beginning of a chapter of the current entry.
    case chapter(entry: EntryID?, ChapterTarget)
    /// To another moment of what the hub has received of the station that is current.
    case rewind(entry: EntryID?, to: PastTarget)

    case setLevel(Int)
    case stepLevel(by: Int)
    case setMute(Bool)

    case setModes(ModeChange)
    /// Whether quiet speech is raised, and whether its silences are left out.
    case setSpeech(raisesVoice: Bool?, trims: Bool?)
    case setSleep(SleepWish)
    case clearSleep

    case add([NewEntry], at: Place)
    case remove([EntryID])
    case move([EntryID], to: Place)
    /// Whole-queue commands name the queue revision they were made for; `nil` asks for no such check.
    case clear(base: Int?, keep: Keep)
    case replace(base: Int?, with: [NewEntry], start: Int, positionMs: Int, play: Bool)
    /// Draws a new order for what lies behind the current entry, once; the mode stays as it is.
    case shuffle(base: Int?)
    /// Takes back the last clear, replace, remove, move or shuffle of any person.
    case undo
}

/// An item on its way into a queue.
public struct NewEntry: Equatable, Sendable {
    package var uri: ItemURI
    package var tags: Tags
    /// With which it was named; `nil` is that of the client that asks now.
    package var trust: Trust?
    /// Whose part of the queue it takes up, where that part is limited.
    package var share: String?
    /// Other places of the same track, best first (`QueueEntry.alternatives`).
    package var alternatives: [ItemURI]
    /// Who asked for it, of an item that was played.
    package var askedBy: String?

    package init(uri: ItemURI, tags: Tags, trust: Trust? = nil, share: String? = nil, alternatives: [ItemURI] = [], askedBy: String? = nil)
    {
        self.askedBy = askedBy
        self.uri = uri
        self.tags = tags
        self.trust = trust
        self.share = share
        self.alternatives = alternatives
    }
}

/// Where in a queue something goes.
public enum Place: Equatable, Sendable {
    /// Right behind the entry that is current.
    case next
    case end
    /// Behind this entry, or at the head when it is `nil`. With `orEnd`, a vanished anchor means the end.
    case after(EntryID?, orEnd: Bool = false)
}

/// What survives a `clear`.
public enum Keep: String, Sendable, CaseIterable {
    case none, current
}

/// What follows behind the last entry.
public enum Repeat: String, Sendable, CaseIterable {
    case off, one, all
}

/// How a room plays.
public struct Modes: Equatable, Sendable {
    public var `repeat`: Repeat = .off
    public var shuffle = false
    /// Permille of normal speed, 500 to 3000.
    public var speed = 1000
    /// By whose measure what is played is made equally loud.
    public var gain = GainMode.auto
    /// Added to what is made equally loud, in decibels.
    public var preampDb = 0
    public var unfinished = Unfinished.skip
    /// How far the buttons of clients go in speech.
    public var forwardMs = 30_000
    public var backMs = 15_000

    /// Quiet speech is raised, and its peaks are limited.
    public var raisesVoice = false
    /// Silences in speech are left out.
    public var trims = false

    package static let skipRange = 1000...600_000
    package static let speedRange = 500...3000
    package static let preampRange = -15...15

    package init() {}
}

/// By which measure what is played is made equally loud: that of each track, or that of its album, which
/// keeps a quiet song quiet among its own.
public enum GainMode: String, Sendable, CaseIterable {
    case off, track, album
    /// As an album where one is played in order, else track by track.
    case auto
}

/// What becomes of an entry whose turn comes before its piece is made.
public enum Unfinished: Equatable, Sendable {
    /// It moves behind the next entry that can be played, without a pause.
    case skip
    /// It is waited for a while, and then moves as by `skip`.
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

    /// As it was kept or sent; `nil` for a filler without its item.
    public init?(_ name: Name, filler: ItemURI?) {
        switch (name, filler) {
        case (.skip, _): self = .skip
        case (.wait, _): self = .wait
        case (.filler, let uri?): self = .filler(uri)
        case (.filler, nil): return nil
        }
    }
}

/// What a player is told of it: `auto` has been decided.
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
    /// Everything over and over, each time in another order.
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

    package init(
        repeat: Repeat? = nil, shuffle: Bool? = nil, speed: Int? = nil, gain: GainMode? = nil, preampDb: Int? = nil,
        unfinished: Unfinished? = nil, forwardMs: Int? = nil, backMs: Int? = nil,
        raisesVoice: Bool? = nil, trims: Bool? = nil
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
    }
}
