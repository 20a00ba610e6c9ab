import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// One remote's connection: its greeting, what it follows, and the lanes its answers leave by.
///
/// It decides nothing about rooms: commands go to the door, state comes from `HubState`. What it
/// remembers of its remote is a revision and a queue of unsent answers, so a remote costs the same
/// whatever it does.
@Loop
final class Session: Attendee {
    /// What tells a reconnect from a second window of the same client.
    struct Run: Hashable {
        let principal: String
        let run: String
    }

    enum Phase: Equatable {
        case greeting(messages: Int)
        case live
        case ended
    }

    let companion: Companion
    let id: Int
    var link: (any Link)?
    var grant: Grant
    /// When the greeting has taken too long.
    var deadlineUs: Int64
    /// What was said on a connection that must show who it is.
    var introduction: Introduction?
    var phase = Phase.greeting(messages: 0)

    // Who this is, from `hello`.
    var identity: Identity
    /// What the client has said of itself, from which the identity is made again when a user signs in or out.
    var said: Hello?
    /// The user who has signed in, and the one to whom the device is linked.
    var user: UserSession?
    var owner: UserSession?
    /// Commands by which the user may leave and which are not answered yet.
    var owedPartings = 0
    var profile = Profile.full
    var caps: [String] = []
    /// Understands the frames in which pictures come.
    var takesPictures = false
    var run: Run?
    /// The longest message that it can take; `nil` leaves it to the hub.
    var longest: Int?
    /// It stands in the list of who is connected: from `welcome` to the end.
    var isPresent = false

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
    var queued: [Frame] = [] { didSet { hasQueued = !queued.isEmpty } }
    private(set) var hasQueued = false
    var queuedBytes = 0
    var stalledSinceUs: Int64?

    // Commands go to the door by a lane of their own.
    var lastCommandID = 0
    var lane: CommandLane?
    var strikes = StrikeCounter()

    // Pictures: the one on its way, and who asked last.
    var transfer: PictureTransfer?
    var transfers = 0
    var askingForPicture: Int?

    // Notes of `Subscribers`.
    var place = 0
    var isPostponed = false
    var dueUs: Int64 = 0

    init(_ companion: Companion, grant: Grant) {
        self.companion = companion
        id = companion.nextSession()
        self.grant = grant
        let openedUs = companion.reactor.nowUs
        deadlineUs = openedUs + Int64(companion.limits.helloWithinMs) * 1000
        roomsLost = companion.state.lostRooms
        user = grant.user
        identity = Identity(client: "", role: grant.role, trust: .itemsOnly)
    }

    var isLive: Bool { phase == .live }
    var isStalled: Bool { stalledSinceUs != nil }
    var address: String { grant.address }
    var room: RoomID { rooms.first ?? companion.state.firstRoom }
    func follows(_ room: RoomID) -> Bool { rooms.contains(room) }

    func upkeep(atUs nowUs: Int64) {
        let limits = companion.limits
        if case .greeting = phase, nowUs > deadlineUs {
            return end(.tooSlowToArrive, introduction == nil ? "No hello came in time." : "Nobody said who they are in time.")
        }
        if let stalledSinceUs, nowUs - stalledSinceUs > Int64(limits.unwritableMs) * 1000 {
            end(.tooSlowToRead, "The connection is not being read.")
        }
    }

    /// The hub's own players are heard; a remote plays nothing itself.
    var hears: Bool { false }
    var deviceName: String? { grant.device?.name }

    /// Its client is not to come back at once, and stays paired.
    func sendOut(_ fault: ProtocolFault) {
        refuse(fault)
        end(.normal, fault.sentence)
    }

    func giveUpWork() {
        if let lane { companion.door.close(lane) }
        lane = nil
        transfer = nil
        guard isPresent else { return }
        isPresent = false
        companion.ports.attendance.leave(self)
    }

    func end(_ code: CloseCode, _ why: String) {
        guard phase != .ended else { return }
        abandonPairing()
        phase = .ended
        giveUpWork()
        link?.close(code.rawValue, why)
    }
}
