/// One room: a queue, its modes, its position and its volume.
///
/// A value that decides. Commands and the player's reports go in, an `Outcome` comes out, and the owner of the room carries it out. The shown state
/// changes at once; the player follows, and its reports correct that state.
package struct Room: Equatable, Sendable {
    /// The id, which stays when the room is renamed.
    package let id: RoomID
    /// The name that people see; changed by `rename(to:)`.
    package var name: String

    /// The entries, the current one and the history of edits.
    package internal(set) var queue: PlaybackQueue
    /// The modes in force; `speed` is that of the current entry.
    package internal(set) var modes: Modes
    package internal(set) var timeline: Timeline
    package internal(set) var volume: VolumeRail
    /// The timer that pauses the room after a time or at an end; `nil` when there is none.
    package internal(set) var sleep: SleepTimer?
    /// Positions at which a person may have fallen asleep.
    package internal(set) var sleepPositions = SleepPositions()
    /// The resume position of a spoken entry after a pause.
    package internal(set) var resumption = Resumption()
    /// The speed of music here, and the speech speeds of the person who listens.
    package internal(set) var speeds = RoomSpeeds()
    /// Votes, and people who were sent out.
    package internal(set) var presence = RoomPresence()
    /// Links to the endless stream of the room.
    package internal(set) var links = RoomLinks()
    /// The entry for which `modes.speed` was set last.
    var sped: EntryID?
    /// The book or show that the entry was taken for then.
    var spedAs: SpeedKey?
    /// Silences that are cut out of the entries that the player was given.
    var leftOut: [EntryID: SilenceCuts] = [:]
    /// Start positions of spoken items, by the places of the person who listens here; set by the owner of the room, and not stored.
    package internal(set) var starts: [ItemURI: ResumePoint] = [:]
    /// Another device on which the same person listens to the current entry; set by the owner of the room, and not stored.
    package internal(set) var elsewhere: Elsewhere?
    /// The last entry that played to its end, and the number of such entries.
    package internal(set) var endings = Endings()
    /// The time on the hub's clock at which the current entry became current; set by the owner of the room, and unknown after a restart.
    package var currentSinceUs: Microseconds?
    /// The entry that was paused because no device listened; see `goOnHeard`.
    var pausedEmpty: EntryID?
    /// The problem of the room as a sentence; `nil` when there is none.
    package internal(set) var problem: String? { didSet { skipped = nil } }
    /// The entry that was passed over, where `problem` says so.
    package internal(set) var skipped: EntryID?
    /// The problem of the output as a sentence.
    package internal(set) var outputProblem: String?

    /// A count of entries that were heard to their end, for parts of the hub that look at the room now and then.
    package struct Endings: Equatable, Sendable {
        /// The last one; `nil` before the first.
        package var last: EntryID?
        /// Number of such entries since the hub started.
        package var count = 0

        mutating func note(_ entry: EntryID?) { (last, count) = (entry, count + 1) }
    }

    // The state that the player was told. After a start it was told nothing.
    var loaded: EntryID?
    var followed: EntryID?
    /// Earlier followers of the loaded entry. The player may have gone on to one of them before it heard of the change.
    var withdrawn: [EntryID] = []
    /// True until the loaded entry has begun.
    var isLoading = false
    /// True when the loaded entry was loaded again before its beginning was reported, so that two reports may come.
    var beginsTwice = false
    /// True while the player waits for data of the loaded entry.
    var isWaiting = false
    /// The last entry that was waited for, because its piece is being generated; see `wait`.
    var awaited: MakingWait?
    /// Fillers that were inserted for unfinished pieces. A restart forgets this list, and they stay in the queue.
    var fillers: [EntryID] = []
    /// The position at which the loaded entry began.
    var beganAtMs: Milliseconds = 0
    /// The levelling that the player was told; `nil` before the first order.
    var levelled: Levelling?
    /// Filters of the current entry that the player was told.
    var filters = SoundFilters()
    /// Speed and filters of the next entry that the player was told.
    var nextRendering = Rendering()
    /// The stop that the player was told.
    var stopTold: PlayerStop?
    /// The stop that the player was told before `stopTold`.
    var stopWithdrawn: PlayerStop?
    /// Delay of the sound of a live station.
    var lagMs: Milliseconds = 0
    /// The chapters that the player found last.
    var found = FoundChapters()
    /// The chapter that clients were told.
    var shown = ShownChapter()
    /// Number of entries that failed in a row.
    var failures = 0
    /// Number of entries in a row whose source is away.
    var passed = 0
    /// The seed for the order of the next pass of a shuffled queue.
    var seed: UInt64 = 0
    /// True while the room plays along with a room of another server, which decides what plays and where.
    package internal(set) var isJoined = false
    /// The index of a joined room's first entry in the server's queue.
    package internal(set) var joinedStart = 0
    /// The entry of a joined room that plays and is missing from the server's queue.
    var joinedStray: EntryID?
    /// True while a joined room keeps the loaded entry paused until the server's room reaches it.
    var isHeld = false

    /// Number of failures in a row after which the room stops with a problem.
    package static let failuresBeforeStopping = 20
    /// An entry that played this long counts as played, even if it breaks off.
    static let heardMs: Milliseconds = 5000
    /// An entry this close to its end may be over, since lines are never further off.
    static let nearEndMs: Milliseconds = 1000
    /// More followers than can be withdrawn while one report is on its way.
    static let withdrawnAtMost = 16
    /// Difference up to which a measured timeline does not replace the published one, because such a difference is not audible.
    package static let lineToleranceMs: Milliseconds = 40
    /// Time after which a line is drawn anew, since watches count moments in 31 bits.
    package static let lineLifeUs: Microseconds = 7 * 24 * 3_600_000_000

    /// A room that has never played, with the usual modes.
    package init(id: RoomID, name: String, volume: VolumeRail = VolumeRail()) {
        self.id = id
        self.name = name
        queue = PlaybackQueue()
        modes = Modes()
        timeline = .stopped
        self.volume = volume
    }

    /// Restores a stored room: paused where it was, never louder than its start level.
    package init(
        id: RoomID, name: String, queue: PlaybackQueue, modes: Modes, positionMs: Milliseconds, volume: VolumeRail, sleep: SleepWish? = nil,
        resumption: Resumption = Resumption(), speeds: RoomSpeeds = RoomSpeeds(), sleepPositions: SleepPositions = SleepPositions(),
        presence: RoomPresence = RoomPresence(), links: RoomLinks = RoomLinks(), at now: Moment = Moment(us: 0)
    ) {
        self.init(id: id, name: name, volume: volume.afterRestart())
        self.queue = queue
        self.modes = modes
        // A queue stored without its plain order is in that order.
        if modes.shuffle, queue.unshuffled == nil { self.queue.unshuffled = queue.entries.map(\.id) }
        seed = UInt64(truncatingIfNeeded: queue.revision)
        let position = queue.currentEntry?.bounded(positionMs) ?? 0
        timeline = Timeline(entry: queue.current, positionMs: position, atUs: 0, rate: 0, state: .standing(atMs: position))
        restorePast(positionMs, at: now)
        self.resumption = resumption
        self.speeds = speeds
        sped = queue.current
        self.sleepPositions = sleepPositions
        self.presence = presence
        self.links = links
        self.sleep = sleep.map { SleepTimer($0, anchorMs: position, at: now) }
    }

    /// The entry that clients show; it need not be loaded yet.
    package var currentEntry: QueueEntry? { queue.currentEntry }

    /// The chapters of the current entry; none until the player has reported them.
    package var chapters: ChapterList { found.entry == queue.current ? found.list : .none }

    // Inlined like some other small functions here: the compiler passes a value as large as a room by copying it.

    /// True when playing is wanted, whether sound comes out yet or not.
    @inline(__always)
    package var isPlaying: Bool { timeline.isPlaying }

    /// True while the player has something for this room, playing or paused. A room that only remembers where to begin has nothing.
    package var isUnderWay: Bool { isPlaying || timeline.state == .paused && loaded != nil }

    @inline(__always)
    package func positionMs(at now: Moment) -> Milliseconds {
        timeline.positionMs(atUs: now.us, durationMs: currentEntry?.tags.durationMs)
    }

    /// The entry that will play when the current one ends by itself.
    package var upcoming: QueueEntry? { nextStep?.entry }

    /// The entry to which the command `next` leads: another one than `upcoming` where the current entry repeats.
    package var following: QueueEntry? { madeStep(ahead: 1)?.entry }

    /// The next entries in order, at most `count`.
    package func upcoming(_ count: Int) -> [QueueEntry] {
        repeatsCurrent ? [] : (1...max(1, count)).prefix(count).compactMap { step(ahead: $0)?.entry }
    }
}
