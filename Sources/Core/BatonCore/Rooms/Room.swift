/// One room: a queue, how it is played, where it is and how loud.
///
/// A value that decides. Commands and the player's reports go in, an `Outcome` comes out, and
/// the owner of the room carries it out. What is shown changes at once; the player follows, and
/// what it then reports corrects the picture.
package struct Room: Equatable, Sendable {
    package let id: RoomID
    package var name: String

    package internal(set) var queue: PlaybackQueue
    package internal(set) var modes: Modes
    package internal(set) var timeline: Timeline
    package internal(set) var volume: VolumeRail
    /// Ends the playing after a time, or at an end; `nil` while it is to go on.
    package internal(set) var sleep: SleepTimer?
    /// The moments among which a person may have fallen asleep.
    package internal(set) var sleepPlaces = SleepPlaces()
    /// Where a spoken entry goes on after a pause.
    package internal(set) var resumption = Resumption()
    package internal(set) var speeds = KeptSpeeds()
    /// Votes, and people who were sent out.
    package internal(set) var presence = RoomPresence()
    /// By which it is heard as an endless stream.
    package internal(set) var links = RoomLinks()
    /// The entry for which `modes.speed` was set last.
    var sped: EntryID?
    /// What that entry was taken for then.
    var spedAs: SpeedKey?
    /// What is left out of entries that the player was given.
    var leftOut: [EntryID: SilenceCuts] = [:]
    /// Where spoken items begin, by the places of the person who listens here; set by the owner of the room, and not kept with it.
    package internal(set) var starts: [ItemURI: ResumePoint] = [:]
    /// Who else listens to the current entry; set by the owner of the room, and not kept with it.
    package internal(set) var elsewhere: Elsewhere?
    /// The entry that was heard to its end last, and how many were.
    package internal(set) var endings = Endings()
    /// Since when the current entry has been it, on the hub's clock; set by the owner of the room,
    /// and unknown after a restart.
    package var currentSinceUs: Int64?
    /// The entry that was paused because no one listened; see `goOnHeard`.
    var pausedEmpty: EntryID?
    /// What is wrong, in a sentence; `nil` while all is well.
    package internal(set) var problem: String?
    /// What is wrong with the output, in a sentence.
    package internal(set) var outputProblem: String?

    package struct Endings: Equatable, Sendable {
        package var last: EntryID?
        package var count = 0

        mutating func note(_ entry: EntryID?) { (last, count) = (entry, count + 1) }
    }

    // What the player was told. A room that was just started has told it nothing.
    var loaded: EntryID?
    var followed: EntryID?
    /// Earlier followers of the loaded entry. The player may have gone on to one before it heard
    /// that another was wanted.
    var withdrawn: [EntryID] = []
    /// The loaded entry has not begun yet.
    var isLoading = false
    /// The loaded entry was loaded again before its beginning was heard of, so it may begin twice.
    var beginsTwice = false
    /// The player waits for data of the loaded entry.
    var isWaiting = false
    /// The entry that was waited for last, because its piece is being made; see `wait`.
    var awaited: MakingWait?
    /// Entries that were filled in for pieces that were not ready. A restart forgets them, and they stay.
    var fillers: [EntryID] = []
    /// Where the loaded entry began.
    var beganAtMs = 0
    /// What the player was told of levelling; `nil` while it was told nothing.
    var levelled: Levelling?
    /// Filters of what plays, as the player was told.
    var filters = SoundFilters()
    /// What the player was told for what follows.
    var nextRendering = Rendering()
    /// Where the player was told to end.
    var stopTold: PlayerStop?
    /// Where it was told to end before that.
    var stopWithdrawn: PlayerStop?
    /// How long the sound of a station takes to be heard that is heard as it comes.
    var lagMs = 0
    /// The chapters that the player found last.
    var found = FoundChapters()
    /// The chapter that clients were told of.
    var shown = ShownChapter()
    /// Entries that failed in a row.
    var failures = 0
    /// Entries in a row whose source is away.
    var passed = 0
    /// The order of the next pass of a shuffled queue follows from it.
    var seed: UInt64 = 0
    /// It plays along with a room of another server, which decides what plays and where.
    package internal(set) var isJoined = false
    /// Of such a room: the place of the queue's first entry in the server's queue.
    package internal(set) var joinedStart = 0
    /// Of such a room: an entry that plays and is not in the server's queue.
    var joinedStray: EntryID?
    /// Of such a room: what is loaded stays paused until the server's room is there.
    var isHeld = false

    /// After so many failures in a row the room stops and says so.
    package static let failuresBeforeStopping = 20
    /// What played for so long was no failure to play, even if it breaks off.
    static let heardMs = 5000
    /// Nearer to its end an entry may be over: no line is further off.
    static let nearEndMs = 1000
    /// More followers than can be withdrawn while one report is on its way.
    static let withdrawnAtMost = 16
    /// A drawn line is corrected only when it is further off than this.
    package static let lineToleranceMs = 40

    package init(id: RoomID, name: String, volume: VolumeRail = VolumeRail()) {
        self.id = id
        self.name = name
        queue = PlaybackQueue()
        modes = Modes()
        timeline = .stopped
        self.volume = volume
    }

    /// A room as it was kept: paused where it was, never louder than its start level.
    package init(
        id: RoomID, name: String, queue: PlaybackQueue, modes: Modes, positionMs: Int, volume: VolumeRail, sleep: SleepWish? = nil,
        resumption: Resumption = Resumption(), speeds: KeptSpeeds = KeptSpeeds(), sleepPlaces: SleepPlaces = SleepPlaces(),
        presence: RoomPresence = RoomPresence(), links: RoomLinks = RoomLinks(), at now: Moment = Moment(us: 0)
    ) {
        self.init(id: id, name: name, volume: volume.afterRestart())
        self.queue = queue
        self.modes = modes
        // A queue that was kept before its plain order was is in no other order than this.
        if modes.shuffle, queue.unshuffled == nil { self.queue.unshuffled = queue.entries.map(\.id) }
        seed = UInt64(truncatingIfNeeded: queue.revision)
        let position = queue.currentEntry?.bounded(positionMs) ?? 0
        timeline = Timeline(entry: queue.current, positionMs: position, atUs: 0, rate: 0, state: position > 0 ? .paused : .stopped)
        recallPast(positionMs, at: now)
        self.resumption = resumption
        self.speeds = speeds
        sped = queue.current
        self.sleepPlaces = sleepPlaces
        self.presence = presence
        self.links = links
        self.sleep = sleep.map { SleepTimer($0, anchorMs: position, at: now) }
    }

    package var currentEntry: QueueEntry? { queue.currentEntry }

    /// Of the current entry; none while the player has not said which there are.
    package var chapters: ChapterList { found.entry == queue.current ? found.list : .none }

    package var isPlaying: Bool { timeline.isPlaying }

    package func positionMs(at now: Moment) -> Int {
        timeline.positionMs(atUs: now.us, durationMs: currentEntry?.tags.durationMs)
    }

    /// What will play when the current entry ends by itself.
    package var upcoming: QueueEntry? { nextStep?.entry }

    /// What will play after the current entry, in order, at most so many.
    package func upcoming(_ count: Int) -> [QueueEntry] {
        repeatsCurrent ? [] : (1...max(1, count)).prefix(count).compactMap { step(ahead: $0)?.entry }
    }
}
