package import BatonCore
package import BatonProtocol
package import BatonSeams

/// One room: the value that decides, and the player that carries its decisions out.
@Loop
package final class LiveRoom {
    package let id: RoomID
    package var room: Room {
        didSet {
            let touched = taken ?? []
            if taken == nil { (sleepDueUs, chapterDueUs) = (room.sleepDueUs, room.chapterDueUs) }
            // This is reset before observers are told, since one of them may change the room again.
            taken = nil
            // Steps are noted before the room takes them. A step that was not noted cannot be told, so clients read the queue
            // again.
            if room.queue.revision != log.revision { log.startOver(at: room.queue.revision) }
            observers?.changed(self, touched)
        }
    }
    /// The facets of the running change; `nil` when `room` is set without `take`.
    private var taken: Facets?
    /// The times at which the sleep timer and the next chapter are due.
    private(set) var sleepDueUs: Microseconds?
    private(set) var chapterDueUs: Microseconds?
    /// The room's own queue, position and modes, while it plays another server's room. Only these are stored.
    package var own: Room? { didSet { hasOwn = own != nil } }
    /// True while it plays along with another server's room.
    package var isJoined: Bool { hasOwn }
    /// The parts that are told of every change, which the hub owns; `nil` until the room has its first player.
    weak var observers: RoomObservers?
    /// The part of the current entry that was heard, and the time at which it is enough to count as a play.
    package var listening = Listening()
    /// The time at which the current play counts, on the monotonic clock; `nil` while nothing plays that could count.
    package var listeningDueUs: Microseconds?
    /// The alarm for that time, which the part that counts plays sets and cancels.
    package var listeningAlarm: (any Alarm)?
    /// The last changes of the queue, for clients that have it open.
    let log: QueueLog
    /// The device it is heard from; `nil` is the hub's own.
    package var output: String?
    /// The owner of a private room, as `Identity.voter`; `nil` for a room of the hub.
    package let owner: String?
    /// True while its output is unknown, so that it plays in silence.
    var awaitsOutput = false
    /// The orders to its player; `nil` until the room has its first one.
    package var playerOrders: PlayerOrders? { orders }
    /// True when its soft state is newer than the stored one.
    var isUnwritten = false
    /// True when steps of its queue could not be stored; the next write stores the whole queue.
    var isQueueUnwritten = false
    let summary = RoomSummary()
    /// The last press that ended or paused playing, while no later one has begun it.
    var halt: Halt?
    /// It was deleted.
    package var isGone: Bool { hasLeft }
    private var playerGeneration = 0
    // A stored `package` variable would be checked for overlapping changes at each read, and each change reads these often.
    private var hasOwn = false
    private var orders: PlayerOrders?
    private var hasLeft = false

    package init(_ room: Room, output: String? = nil, owner: String? = nil, limits: WireLimits) {
        id = room.id
        self.room = room
        (sleepDueUs, chapterDueUs) = (room.sleepDueUs, room.chapterDueUs)
        self.owner = owner
        log = QueueLog(revision: room.queue.revision, limits: limits)
        self.output = output
    }

    /// True while it plays. This reads in place, without a copy of the room.
    package var isPlaying: Bool { room.timeline.isPlaying }

    /// True for a room that only its owner sees, and that the journal does not store.
    package var isPrivate: Bool { owner != nil }

    /// True when this client may follow it and send commands to it.
    func isThere(for identity: Identity) -> Bool { owner == nil || owner == identity.voter }

    /// A later press has begun to play, so the halt holds no more.
    package func liftHalt() { halt = nil }

    /// Replaces the room by a value that differs in these facets; an empty set means that any may differ.
    func take(_ room: consuming Room, touched: Facets) {
        // A joined room plays when its server says so, which no press here may have wanted.
        if halt != nil, !hasOwn, !isPlaying, room.isPlaying { liftHalt() }
        (sleepDueUs, chapterDueUs) = (room.sleepDueUs, room.chapterDueUs)
        taken = touched
        self.room = room
    }

    /// The stored form of the room.
    func stored(as room: Room) -> Room { own.map { room.left(for: $0) } ?? room }

    /// The journal's row of the room.
    func row(as room: Room, at now: Moment) -> RoomRow {
        isJoined ? RoomRow(stored(as: room), output: output, at: now) : RoomRow(room, output: output, at: now)
    }

    /// Takes a new player and returns the old one. `make` gets a function that is true while the new player belongs to the
    /// room, so that later reports of a replaced player are ignored.
    func replacePlayerOrders(_ make: (_ isCurrent: @escaping @Loop () -> Bool) -> PlayerOrders) -> PlayerOrders? {
        playerGeneration += 1
        let mine = playerGeneration
        let old = orders
        orders = make { [weak self] in self?.playerGeneration == mine }
        var told = room
        let first = told.ordersForNewPlayer()
        room = told
        perform(first)
        return old
    }

    /// Passes orders to the player; before the room has its first one they are dropped.
    package func perform(_ orders: [PlayerOrder]) {
        if !orders.isEmpty { self.orders?.perform(orders) }
    }

    func leave() {
        hasLeft = true
        playerGeneration += 1
    }
}
