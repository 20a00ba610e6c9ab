/// The result of a command or a report: the answer, the orders for the player, and the changes to store.
package struct Outcome: Equatable, Sendable {
    /// The kind of answer: something has changed, or nothing had to.
    package enum Status: Equatable, Sendable { case applied, noop }

    /// The reason why nothing happened, or less than was asked.
    package enum Reason: String, Sendable {
        case same, moved, ceiling, floor
    }

    /// The kind of answer to a command.
    package var status: Status = .applied
    /// The reason for `noop`, or for an effect smaller than requested; `nil` for a full effect.
    package var reason: Reason?
    /// Views of the room that look different now.
    package var touched: Facets = []
    /// Orders in the sequence in which the player gets them.
    package var orders: [PlayerOrder] = []
    /// Changes of the queue in the sequence in which a copy repeats them.
    package var changes: [QueueChange] = []
    /// Entries that a command added.
    package var added: [EntryID] = []
    /// True when the owner has changed the room itself: its name, its volume limits or its links.
    package var isOwners = false

    /// An outcome of success in which nothing has changed yet; a decision adds to it.
    package init() {}

    /// The outcome of a command that had nothing to do.
    package static func noop(_ reason: Reason) -> Outcome {
        var outcome = Outcome()
        outcome.status = .noop
        outcome.reason = reason
        return outcome
    }

    /// True when queue changes other than the current entry must be stored; the current entry is stored with the room.
    package var hasNewQueue: Bool {
        touched.contains(.modes) || touched.contains(.queue) && changes.isEmpty
            || changes.contains { if case .current = $0 { false } else { true } }
    }

    /// True when the change must be on disk before the command is answered. Level, mute, play or pause and position may be stored a moment later.
    package var mustBeStored: Bool { !changes.isEmpty || !touched.isDisjoint(with: [.modes, .queue, .sleep, .presence]) || isOwners }
}

/// The parts of a room that clients see and that change separately.
package struct Facets: OptionSet, Hashable, Sendable {
    /// One bit for each facet.
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The current entry and what clients see about it.
    package static let now = Facets(rawValue: 1)
    /// The position, whether it moves, and how far a station is behind live.
    package static let timeline = Facets(rawValue: 2)
    /// The level, the mute and their limits.
    package static let volume = Facets(rawValue: 4)
    package static let modes = Facets(rawValue: 8)
    /// The entries, or the summary of the queue.
    package static let queue = Facets(rawValue: 16)
    /// The room's name, or its problem.
    package static let room = Facets(rawValue: 32)
    /// The sleep timer, and the positions that it offers afterwards.
    package static let sleep = Facets(rawValue: 64)
    /// The current chapter.
    package static let book = Facets(rawValue: 128)
    /// Votes and refusals. Their section is published with the people.
    package static let presence = Facets(rawValue: 256)

    // The generic code of `OptionSet` would answer these through a witness table, which is slower.
    @inline(__always)
    package func contains(_ member: Facets) -> Bool { rawValue & member.rawValue == member.rawValue }
    @inline(__always)
    package func isDisjoint(with other: Facets) -> Bool { rawValue & other.rawValue == 0 }
    package var isEmpty: Bool { rawValue == 0 }

    /// All facets that belong to what plays; the presence belongs to the people.
    package static let all: Facets = [.now, .timeline, .volume, .modes, .queue, .room, .sleep, .book]
}

/// An order of a room to its player. Items are still URIs here; the hub resolves them on the way.
package enum PlayerOrder: Equatable, Sendable {
    /// Loads an entry. A station begins at a point of its recorded past, or live when there is none.
    case load(EntryID, ItemURI, Trust = .itemsOnly, fromMs: Milliseconds, paused: Bool, past: RewindPoint? = nil)
    /// Prepares the entry to play gaplessly after the loaded one.
    case follow(EntryID, ItemURI, Trust = .itemsOnly)
    /// Nothing follows the loaded entry gaplessly.
    case followWithNothing
    /// Pauses or resumes the loaded entry.
    case setPaused(Bool)
    /// Seeks inside the loaded entry. Before the entry has begun, this sets where it will begin.
    case seek(toMs: Milliseconds)
    /// Ends the sound and forgets what is loaded.
    case stop
    /// Sets the linear amplitude, from 0 to 1.
    case setGain(Double)
    /// Sets the speed of the current entry.
    case setSpeed(permille: Int)
    /// Sets the filters of the current entry.
    case setFilters(SoundFilters)
    /// Sets speed and filters of the next entry, from its first sample on.
    case setNext(Rendering)
    /// Sets the levelling of loudness.
    case setLevelling(Levelling)
    /// Ends the entry before its own end; `nil` lets it play to its end.
    case stopAt(PlayerStop?)
    /// Fades the sound out to silence. The gain stays as it is, and applies again with the next `load`.
    case fade(overMs: Milliseconds)
    /// Restores at once the loudness that the gain says.
    case endFade
}

/// The speed and filters of an entry.
package struct Rendering: Equatable, Sendable {
    /// Permille of normal speed.
    package var speed: Int
    package var filters: SoundFilters

    package init(speed: Int = 1000, filters: SoundFilters = SoundFilters()) {
        self.speed = speed
        self.filters = filters
    }
}

/// A moment in three clocks: the monotonic one for positions, the wall clock for people, the steady one for ages.
package struct Moment: Equatable, Sendable {
    /// Microseconds on the monotonic clock, which begins anew with the machine.
    package var us: Microseconds
    /// Milliseconds since 1970. They may jump, so they only describe.
    package var wallMs: Milliseconds
    /// Milliseconds that only increase, also across restarts. Setting the wall clock does not change them.
    package var steadyMs: Milliseconds
    /// A random number for this moment, the source of every random choice.
    package var random: UInt64

    /// Without `random`, the number is made from the clocks: it decides the order of songs and nothing else.
    ///
    /// Without `steadyMs`, the monotonic clock is used; it does not continue across restarts.
    package init(us: Microseconds, wallMs: Milliseconds = 0, steadyMs: Milliseconds? = nil, random: UInt64? = nil) {
        self.us = us
        self.wallMs = wallMs
        self.steadyMs = steadyMs ?? Milliseconds(us)
        self.random = random ?? UInt64(bitPattern: us.count) &+ UInt64(bitPattern: wallMs.count) << 20
    }
}
