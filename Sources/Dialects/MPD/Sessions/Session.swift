import BatonCore
import BatonProtocol
import BatonSeams

/// One connection: its lines become commands of the hub, one after the other.
@Loop
final class Session: LineOwner, Attendee {
    let dialect: MPD
    let connection: any LineConnection
    private(set) var client: Client
    private(set) var queue: QueueMirror
    /// The answer that is being made.
    var text = AnswerText()

    // MARK: Settings of the connection

    var tags = TagSet.usual
    var binaryLimit = 8_192
    /// True when `lsinfo` leaves out playlists.
    var hidesPlaylists = false
    /// The problem of the room that `clearerror` has hidden.
    var hiddenProblem: String?
    var press = PressGuard()
    /// Channels that it has subscribed to, and messages that it has not read.
    var mailbox: Mailbox?

    // MARK: What it does

    var idling = IdleState()
    /// Lines of a list that has not ended.
    var openList: CommandList?
    var batch: Batch?
    /// How far the command came that the hub has answered at once.
    var answered: Progress?
    /// The number of the command whose answer is waited for.
    var awaited: Int?
    /// Work that waits for a disk or a source.
    var work: Task<Void, Never>?
    var alarm: (any Alarm)?
    /// True while commands wait until the answers before them were read.
    var waitsToBeRead = false
    var writable: CheckedContinuation<Void, Never>?
    private(set) var isClosed = false
    private var lane: CommandLane?
    private var number = 0
    private(set) var lastCommand: String?
    private(set) var lastMs: Milliseconds?
    let id: Int

    init(_ dialect: MPD, over connection: any LineConnection, for client: Client, in queue: QueueMirror, id: Int) {
        self.dialect = dialect
        self.connection = connection
        self.client = client
        self.queue = queue
        self.id = id
    }

    var ports: DialectPorts { dialect.ports }
    var view: RoomView { RoomView(ports.state, room) }
    var nowUs: Microseconds { ports.reactor.nowUs }

    // MARK: As an attendee

    var identity: Identity { client.identity }
    var room: RoomID { queue.room }
    var wanted: SectionSet { SectionSet() }
    var hears: Bool { false }
    var deviceName: String? { nil }

    func sendOut(_ fault: ProtocolFault) { connection.close() }

    // MARK: Changes of who and where it is

    /// Enters the list of people. A connection that has yet to send a password is not among them.
    func attend() { if client.role != nil { ports.attendance.enter(self) } }

    func become(_ client: Client) {
        ports.attendance.leave(self)
        closeLane()
        self.client = client
        attend()
    }

    func enter(_ queue: QueueMirror) {
        self.queue = queue
        press = PressGuard()
        hiddenProblem = nil
        if client.role != nil { ports.attendance.turned(self, from: wanted) }
    }

    // MARK: Asking the hub

    /// The lane of this connection, which is opened by its first command.
    var ownLane: CommandLane {
        if let lane { return lane }
        let opened = ports.door.openLane { [weak self] in self?.connection.close() }
        lane = opened
        return opened
    }

    /// The context of the next command. It was counted by the line that caused it.
    func context(for command: any CommandRequest) -> CommandContext {
        number += 1
        let key: CommandContext.Key? =
            command.needsKey ? CommandContext.Key("\(ports.identity.boot)-\(id)-\(number)", fingerprint: UInt64(number)) : nil
        return CommandContext(
            client.identity, .lane(ownLane), number: number, key: key, room: room, pageBytes: ports.limits.pageBytes, isCounted: true)
    }

    private func closeLane() {
        if let lane { ports.door.close(lane) }
        lane = nil
    }

    func note(_ command: String) {
        lastCommand = command
        lastMs = dialect.parts.wallMs()
    }

    // MARK: Writing

    /// Sends what is written so far.
    func flush() {
        let bytes = text.take()
        if !bytes.isEmpty { connection.write(bytes) }
    }

    func lineWritable() {
        writable?.resume()
        writable = nil
        wasRead()
    }

    func lineClosed() {
        isClosed = true
        work?.cancel()
        alarm?.cancel()
        lineWritable()
        batch = nil
        openList = nil
        closeLane()
        dialect.left(self)
    }
}
