import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// One remote's connection: its greeting, its subscriptions, and the lanes for its answers.
///
/// It decides nothing about rooms: commands go to the door, state comes from `HubState`. It stores only a revision and a queue of unsent
/// answers, so the cost of a remote is constant.
@Loop
final class Session: Attendee {
    /// The id of one run of a client, which distinguishes a reconnect from a second window.
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
    /// Deadline of the greeting.
    var deadlineUs: Microseconds
    /// The messages so far, on a connection that must prove who it is.
    var introduction: Introduction?
    var phase = Phase.greeting(messages: 0)

    // The client's identity, from `hello`.
    var identity: Identity
    /// The client's greeting, from which the identity is computed again when a user signs in or out.
    var said: Hello?
    /// The user who has signed in, and the user that the device is linked to.
    var user: UserSession?
    var owner: UserSession?
    /// Number of unanswered commands that may sign the user out.
    var owedPartings = 0
    var view = StateView.full
    var caps: [String] = []
    /// True if the client understands the frames that carry pictures.
    var takesPictures = false
    /// True if the client says errors in its own words.
    var givesReasons = false
    var run: Run?
    /// The client's limit for a message; `nil` leaves it to the hub.
    var longest: Int?
    /// True while it is in the list of connected clients, from `welcome` to the end.
    var isPresent = false

    // The rooms that it follows, and the revisions that it has received.
    var rooms: [RoomID] = []
    /// Number of deleted rooms that were compared with the followed ones.
    var roomsLost: Int
    /// True if the next message must be a whole state, since the client's copy is not reliable.
    var owesWhole = false
    var wanted = SectionSet()
    /// Whether its role learns names of other people.
    var learnsNames = true
    /// The sections that it asked for. What its role may not see is followed in another form.
    var askedSections = SectionSet()
    var pace = StateView.full.pace
    var sentRevision = 0
    var sentUs: Microseconds = 0
    var urgentUs: Microseconds = 0
    /// The last sent step of each room's queue, if the client has a queue open.
    var queueTold: [RoomID: Int]?

    // Answers that wait for the socket, oldest first.
    var queued: [Frame] = [] { didSet { hasQueued = !queued.isEmpty } }
    private(set) var hasQueued = false
    var queuedBytes = 0
    var stalledSinceUs: Microseconds?

    // The lane of its commands, and the last command.
    var lastCommandID = 0
    var lane: CommandLane?
    var strikes = StrikeCounter()

    // Pictures: the current transfer, the number of transfers, and the command that requested the last one.
    var transfer: PictureTransfer?
    var transfers = 0
    var askingForPicture: Int?

    // Fields that `Subscribers` uses.
    var place = 0
    var isPostponed = false
    var dueUs: Microseconds = 0

    init(_ companion: Companion, grant: Grant) {
        self.companion = companion
        id = companion.nextSession()
        self.grant = grant
        let openedUs = companion.reactor.nowUs
        deadlineUs = openedUs + Microseconds(companion.limits.helloWithinMs)
        roomsLost = companion.state.lostRooms
        user = grant.user
        identity = Identity(client: "", role: grant.role, trust: .itemsOnly)
    }

    var isLive: Bool { phase == .live }
    var isStalled: Bool { stalledSinceUs != nil }
    var address: String { grant.address }
    var room: RoomID { rooms.first ?? companion.state.firstRoom }
    func follows(_ room: RoomID) -> Bool { rooms.contains(room) }

    func upkeep(atUs nowUs: Microseconds) {
        let limits = companion.limits
        if case .greeting = phase, nowUs > deadlineUs {
            return end(.tooSlowToArrive, introduction == nil ? "No hello came in time." : "Nobody said who they are in time.")
        }
        if let stalledSinceUs, nowUs - stalledSinceUs > Microseconds(limits.unwritableMs) {
            end(.tooSlowToRead, "The connection is not being read.")
        }
    }

    /// The hub's own players make the sound; a remote plays nothing itself.
    var hears: Bool { false }
    var deviceName: String? { grant.device?.name }

    /// Disconnects the client, which stays paired but may not return at once.
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
