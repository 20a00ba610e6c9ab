import BatonCore
import BatonProtocol
import BatonSeams

/// One room: the value that decides, and the player that carries out what it decided.
@Loop
final class LiveRoom {
    var room: Room {
        didSet {
            let touched = taken ?? []
            if taken == nil { (sleepDueUs, chapterDueUs) = (room.sleepDueUs, room.chapterDueUs) }
            // Before it is told: a part that hears of it may change the room in another way.
            taken = nil
            // Steps are noted before the room takes them; what was not noted cannot be told step by step.
            if room.queue.revision != log.revision { log.startOver(at: room.queue.revision) }
            hearers?.changed(self, touched)
        }
    }
    /// The facets that the change touches which is being made; `nil` where `room` is set in another way than by `take`.
    private var taken: Facets?
    /// When the sleep timer has to be looked at, and when the next chapter begins, as the room is now.
    private(set) var sleepDueUs: Int64?
    private(set) var chapterDueUs: Int64?
    /// What the room plays along with another server's room instead of: its own queue, position and modes, which alone are kept.
    var own: Room? { didSet { isJoined = own != nil } }
    /// It plays along with another server's room.
    private(set) var isJoined = false
    /// The parts that hear of every change; `nil` until the room was given its first player.
    var hearers: RoomHearers?
    /// How much of what plays was heard, and when that will be enough to count.
    var listening = Listening()
    var listeningDueUs: Int64?
    var listeningAlarm: (any Alarm)?
    /// How it was when `QueueSync` looked last.
    var looked: QueueSync.Look?
    /// The last changes of the queue, for clients that have it open.
    let log: QueueLog
    /// The device it is heard from; `nil` is the hub's own.
    var output: String?
    /// Whose private room it is, as `Identity.voter` says; `nil` for a room of the hub.
    let owner: String?
    /// Its output is not known, so that it plays in silence.
    var awaitsOutput = false
    /// `nil` until the room was given its first player.
    private(set) var playerOrders: PlayerOrders?
    /// Its soft state is newer than what is kept.
    var isUnwritten = false
    /// Steps of its queue happened that could not be kept; the next write brings the whole queue.
    var isQueueUnwritten = false
    let summary = RoomSummary()
    /// It was deleted.
    private(set) var isGone = false
    private var playerGeneration = 0

    init(_ room: Room, output: String? = nil, owner: String? = nil, limits: WireLimits) {
        self.room = room
        (sleepDueUs, chapterDueUs) = (room.sleepDueUs, room.chapterDueUs)
        self.owner = owner
        log = QueueLog(revision: room.queue.revision, limits: limits)
        self.output = output
    }

    /// Read in its place, without a copy of the room.
    var isPlaying: Bool { room.timeline.isPlaying }

    /// It is shown to its owner alone, and the journal does not keep it.
    var isPrivate: Bool { owner != nil }

    /// Whether this client may follow it and send commands to it.
    func isThere(for identity: Identity) -> Bool { owner == nil || owner == identity.voter }

    /// The room as it is from now on, which differs in these facets from what it was; none means that it may differ in any.
    func take(_ room: consuming Room, touched: Facets) {
        (sleepDueUs, chapterDueUs) = (room.sleepDueUs, room.chapterDueUs)
        taken = touched
        self.room = room
    }

    /// What is kept of the room when it is so.
    func kept(as room: Room) -> Room { own.map { room.left(for: $0) } ?? room }

    /// The same as the journal's row.
    func row(as room: Room, at now: Moment) -> RoomRow {
        isJoined ? RoomRow(kept(as: room), output: output, at: now) : RoomRow(room, output: output, at: now)
    }

    /// Takes a new player and gives the old one back. `make` gets a function that says whether the player it makes is still
    /// the room's: later reports of a replaced player are ignored.
    func replacePlayerOrders(_ make: (_ isCurrent: @escaping @Loop () -> Bool) -> PlayerOrders) -> PlayerOrders? {
        playerGeneration += 1
        let mine = playerGeneration
        let old = playerOrders
        playerOrders = make { [weak self] in self?.playerGeneration == mine }
        var told = room
        let orders = told.tellAnew()
        room = told
        perform(orders)
        return old
    }

    func perform(_ orders: [PlayerOrder]) {
        if !orders.isEmpty { playerOrders?.perform(orders) }
    }

    func leave() {
        isGone = true
        playerGeneration += 1
    }
}
