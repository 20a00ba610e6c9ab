/// What came of a command or a report: the answer to give, what to tell the player, what to keep.
package struct Outcome: Equatable, Sendable {
    package enum Status: Equatable, Sendable { case applied, noop }

    /// Why nothing happened, or why less happened than was asked.
    package enum Reason: String, Sendable {
        case same, moved, ceiling, floor
    }

    package var status: Status = .applied
    package var reason: Reason?
    /// Which views of the room look different now.
    package var touched: Facets = []
    package var orders: [PlayerOrder] = []
    package var changes: [QueueChange] = []
    /// The entries that a command brought in.
    package var added: [EntryID] = []
    /// The owner has changed the room itself: its name, or its rails.
    package var isOwners = false

    package init() {}

    package static func noop(_ reason: Reason) -> Outcome {
        var outcome = Outcome()
        outcome.status = .noop
        outcome.reason = reason
        return outcome
    }

    /// Whether more of the queue is to be kept than which entry is current, which stands with the room.
    package var hasNewQueue: Bool {
        touched.contains(.modes) || touched.contains(.queue) && changes.isEmpty
            || changes.contains { if case .current = $0 { false } else { true } }
    }

    /// Level, mute, play or pause and position may be kept a moment later; all else is on disk
    /// before it is answered.
    package var mustBeKept: Bool { !changes.isEmpty || !touched.isDisjoint(with: [.modes, .queue, .sleep, .presence]) || isOwners }
}

/// The parts of a room that are shown and told apart.
package struct Facets: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let now = Facets(rawValue: 1)
    package static let timeline = Facets(rawValue: 2)
    package static let volume = Facets(rawValue: 4)
    package static let modes = Facets(rawValue: 8)
    package static let queue = Facets(rawValue: 16)
    /// The room's name, or what is wrong with it.
    package static let room = Facets(rawValue: 32)
    package static let sleep = Facets(rawValue: 64)
    /// The chapter that is heard.
    package static let book = Facets(rawValue: 128)
    /// Votes and refusals. Their section is published with the people.
    package static let presence = Facets(rawValue: 256)

    // Without these, each question goes to the general code of sets, through a table of its functions.
    package func contains(_ member: Facets) -> Bool { rawValue & member.rawValue == member.rawValue }
    package func isDisjoint(with other: Facets) -> Bool { rawValue & other.rawValue == 0 }

    package static let all: Facets = [.now, .timeline, .volume, .modes, .queue, .room, .sleep, .book]
}

/// What a room wants of its player. Items are still names here; the hub resolves them on the way.
package enum PlayerOrder: Equatable, Sendable {
    /// A station begins with what was received at a point, or with what comes now.
    case load(EntryID, ItemURI, Trust = .itemsOnly, fromMs: Int, paused: Bool, past: PastPoint? = nil)
    /// What comes behind the loaded entry, without a gap.
    case follow(EntryID, ItemURI, Trust = .itemsOnly)
    case followWithNothing
    case setPaused(Bool)
    /// Inside the loaded entry. While that has not begun: where it will begin.
    case seek(toMs: Int)
    case stop
    case setGain(Double)
    case setSpeed(permille: Int)
    /// Filters of what plays.
    case setFilters(SoundFilters)
    /// Of what follows, from its first sample on.
    case setNext(Rendering)
    case setLevelling(Levelling)
    /// Where the entry ends before its own end; `nil` is nowhere.
    case stopAt(PlayerStop?)
    /// The sound grows quieter from now on until it is silence. The gain stays what it is, and holds again with the next `load`.
    case fade(overMs: Int)
    /// The sound is as loud again as the gain says, at once.
    case endFade
}

/// How an entry is played, beside how loud.
package struct Rendering: Equatable, Sendable {
    /// Permille of normal speed.
    package var speed: Int
    package var filters: SoundFilters

    package init(speed: Int = 1000, filters: SoundFilters = SoundFilters()) {
        self.speed = speed
        self.filters = filters
    }
}

/// A moment, in three clocks: the monotonic one for positions, the wall clock for people, the steady one for ages.
package struct Moment: Equatable, Sendable {
    package var us: Int64
    package var wallMs: Int64
    /// Only goes forward, and goes on across restarts. Setting the wall clock does not change it.
    package var steadyMs: Int64
    /// A random word that belongs to this moment; what is left to chance is drawn from it.
    package var random: UInt64

    /// Where no random word is passed, the microsecond at which a person pressed something serves:
    /// it decides about the order of songs and about nothing else.
    ///
    /// Where no steady clock is passed, the monotonic one serves; it does not go on across restarts.
    package init(us: Int64, wallMs: Int64 = 0, steadyMs: Int64? = nil, random: UInt64? = nil) {
        self.us = us
        self.wallMs = wallMs
        self.steadyMs = steadyMs ?? us / 1000
        self.random = random ?? UInt64(bitPattern: us) &+ UInt64(bitPattern: wallMs) << 20
    }
}
