import BatonCore
import BatonProtocol
import BatonSeams

/// One room: the value that decides, and the player that carries out what it decided.
@Loop
final class LiveRoom {
    var room: Room {
        // Steps are noted before the room takes them; what was not noted cannot be told step by step.
        didSet {
            if room.queue.revision != log.revision { log.startOver(at: room.queue.revision) }
            changed(self)
        }
    }
    /// Called after every change.
    var changed: @Loop (LiveRoom) -> Void = { _ in }
    /// How much of what plays was heard, and when that will be enough to count.
    var listening = Listening()
    var listeningDueUs: Int64?
    var listeningAlarm: (any Alarm)?
    /// How it was when `QueueSync` looked last.
    var looked: QueueSync.Look?
    /// The last changes of the queue, for clients that have it open.
    var log: QueueLog
    /// The device it is heard from; `nil` is the hub's own.
    var output: String?
    /// Its output is not known, so that it plays in silence.
    var awaitsOutput = false
    /// `nil` until the room was given its first player.
    private(set) var playerOrders: PlayerOrders?
    /// Its soft state is newer than what is kept.
    var isUnwritten = false
    /// Steps of its queue happened that could not be kept; the next write brings the whole queue.
    var isQueueUnwritten = false
    var summary = RoomSummary()
    /// It was deleted.
    private(set) var isGone = false
    private var playerGeneration = 0

    init(_ room: Room, output: String? = nil, limits: WireLimits) {
        self.room = room
        log = QueueLog(revision: room.queue.revision, limits: limits)
        self.output = output
    }

    /// Takes a new player and gives the old one back. `make` gets a function that says whether the player it makes is still
    /// the room's: later reports of a replaced player are ignored.
    func replacePlayerOrders(_ make: (_ isCurrent: @escaping @Loop () -> Bool) -> PlayerOrders) -> PlayerOrders? {
        playerGeneration += 1
        let mine = playerGeneration
        let old = playerOrders
        playerOrders = make { [weak self] in self?.playerGeneration == mine }
        perform(room.tellAnew())
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
