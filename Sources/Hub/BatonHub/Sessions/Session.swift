import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// One remote's connection: its greeting, what it follows, and the lanes its answers leave by.
///
/// It decides nothing about rooms: commands go to the door, state comes from the board. What it
/// remembers of its remote is a revision and a queue of unsent answers, so a remote costs the same
/// whatever it does.
@Loop
final class Session {
    /// What tells a reconnect from a second window of the same client.
    struct Run: Hashable {
        let client: String
        let run: String
    }

    enum Phase: Equatable {
        case greeting(messages: Int)
        case live
        case ended
    }

    let hub: Hub
    let id: Int
    var link: (any Link)?
    var grant: Grant
    /// When the greeting has taken too long.
    var deadlineUs: Int64
    /// What was said on a connection that must show who it is.
    var introduction: Introduction?
    var phase = Phase.greeting(messages: 0)

    // Who this is, from `hello`.
    var caller: Caller
    var profile = Profile.full
    var caps: [String] = []
    var run: Run?
    /// For other people's screens.
    var shownName = ""
    /// Its place among the people; `nil` before `welcome` and after the end.
    var device: People.Device?

    // What it follows, and how far it has been told.
    var rooms: [RoomID] = []
    /// How many deleted rooms it has looked for among its own.
    var roomsLost: Int
    /// What it was told of the rooms it follows is no ground to go on from.
    var owesWhole = false
    var wanted = SectionSet()
    var pace = Profile.full.pace
    var sentRevision = 0
    var sentUs: Int64 = 0
    var urgentUs: Int64 = 0
    /// With a queue open: the number of the step that was told last, of each room.
    var queueTold: [RoomID: Int]?

    // Answers that wait for the socket, oldest first.
    var lane: [Frame] = []
    var laneBytes = 0
    var stalledSinceUs: Int64?

    // Commands: one at a time, in the order they came.
    var lastCommandID = 0
    var bucket: TokenBucket
    var waiting: [(frame: CommandFrame, receivedUs: Int64)] = []
    var working: (id: Int, task: Task<Void, Never>)?
    /// Questions that are being asked beside the others: nothing waits for them.
    var asking: [Int: Task<Void, Never>] = [:]
    var abuse = AbuseCounter()

    // Pictures: the one on its way, and who asked last.
    var transfer: PictureTransfer?
    var transfers = 0
    var askingForPicture: Int?

    // The crowd's notes.
    var place = 0
    var isPostponed = false
    var dueUs: Int64 = 0

    init(hub: Hub, id: Int, grant: Grant) {
        self.hub = hub
        self.id = id
        self.grant = grant
        let openedUs = hub.clock.nowUs
        deadlineUs = openedUs + Int64(hub.limits.helloWithinMs) * 1000
        roomsLost = hub.rooms.lost
        caller = Caller(device: "", name: "", role: grant.role, trust: .itemsOnly)
        bucket = TokenBucket(perSecond: hub.limits.commandsPerSecond, burst: hub.limits.commandBurst, atUs: openedUs)
    }

    var isLive: Bool { phase == .live }
    var isStalled: Bool { stalledSinceUs != nil }
    var address: String { grant.address }
    var room: RoomID { rooms.first ?? hub.rooms.first.room.id }

    func upkeep(atUs nowUs: Int64) {
        let limits = hub.limits
        if case .greeting = phase, nowUs > deadlineUs {
            return end(.tooSlowToArrive, introduction == nil ? "No hello came in time." : "Nobody said who they are in time.")
        }
        if let stalledSinceUs, nowUs - stalledSinceUs > Int64(limits.unwritableMs) * 1000 {
            end(.tooSlowToRead, "The connection is not being read.")
        }
    }

    /// Nobody waits for any of it any more.
    func giveUpWork() {
        working?.task.cancel()
        for task in asking.values { task.cancel() }
        asking = [:]
        waiting = []
        transfer = nil
    }

    func end(_ code: CloseCode, _ why: String) {
        guard phase != .ended else { return }
        abandonPairing()
        phase = .ended
        giveUpWork()
        hub.people.leave(self)
        link?.close(code.rawValue, why)
    }
}
