/// One WebSocket of a room.
///
/// Pending messages are a few flags, never a list of states: a slow client gets the newest state, and one that does not read is
/// disconnected after a while.
import BatonCore
import BatonProtocol
import BatonSeams

@Loop
final class RoomSocket: LinkOwner, Attendee {
    let server: MusicRoomServer
    let session: RoomSession
    let grant: Grant
    private(set) var identity: Identity
    private(set) var room: RoomID
    let wanted = SectionSet()
    let hears = true
    var deviceName: String? { grant.device?.name }
    private(set) var link: (any Link)?
    private var lane: CommandLane?
    private var number = 0

    // Messages that are due.
    var owesState = true
    var owesQueue = true
    var owesRooms = true
    private var notes: [Frame] = []
    /// Version of the queue that the client has.
    private var queueVersion: Int?
    /// The entry that the client was told is current; its seeks and pauses apply to this one.
    private var toldEntry: EntryID?
    /// Time of the last queue that was sent.
    private(set) var refreshedUs: Microseconds = 0
    private(set) var stalledSinceUs: Microseconds?

    private static let mostNotes = 8
    private static let messageBytes = 4096

    init(_ server: MusicRoomServer, for visitor: RoomVisitor, grant: Grant, in room: RoomID) {
        self.server = server
        session = visitor.session
        identity = visitor.identity
        self.grant = grant
        self.room = room
    }

    // MARK: The link

    func linkOpened(_ link: any Link) {
        self.link = link
        link.bounds = LinkBounds(
            textBytes: Self.messageBytes, binaryBytes: Self.messageBytes, patience: server.patience, allowance: server.allowance)
        lane = server.ports.door.openLane { [weak self] in self?.end(1008, "Too many messages.") }
        refreshedUs = server.ports.reactor.nowUs
        server.enter(self)
    }

    func linkReceived(text: [UInt8]) {
        let action: RoomAction
        do throws(RoomFault) { action = try RoomAction(text) } catch {
            return refuse(ProtocolFault(.badRequest, error.sentence))
        }
        switch action {
        case .pause: take(Commands.Pause())
        case .unpause: take(Commands.Play())
        case .seek(let ms): take(Commands.Seek(entry: toldEntry, positionMs: ms))
        case .jump(let place): jump(to: place)
        case .move(let name): move(to: RoomID(name))
        }
    }

    func linkReceived(binary: [UInt8]) { refuse(ProtocolFault(.badRequest, "Messages are texts here.")) }

    func linkWritable() {
        stalledSinceUs = nil
        guard let link, let frame = next() else { return }
        link.write(frame)
        deliver()
    }

    func linkClosed() {
        link = nil
        notes = []
        if let lane { server.ports.door.close(lane) }
        lane = nil
        server.leave(self)
    }

    func end(_ code: UInt16, _ why: String) { link?.close(code, why) }

    /// Tells the client that it was disconnected, and why, and closes.
    func kick(_ reason: String) {
        if let link, link.isReady { link.write(Frame(payload: RoomMessage.kick(reason))) }
        end(4403, "")
    }

    func sendOut(_ fault: ProtocolFault) { kick(fault.sentence) }

    // MARK: Commands

    private func jump(to place: Int) {
        guard let sent = session.sentQueues[room].flatMap({ server.queue(of: room).sent[$0] }) else {
            return refuse(ProtocolFault(.queueConflict, "The queue has changed since it was sent here. Look again."))
        }
        do throws(RoomRefusal) { take(Commands.Jump(try sent.entry(at: place))) } catch {
            refuse(ProtocolFault(.badRequest, error.sentence))
        }
    }

    private func take(_ command: any CommandRequest) {
        guard let context = context() else { return }
        server.ports.door.take(command, context) { [weak self] reply in self?.tell(reply) }
    }

    private func refuse(_ fault: ProtocolFault) {
        guard let context = context() else { return }
        server.ports.door.refuse(fault, kind: nil, context: context) { [weak self] reply in self?.tell(reply) }
    }

    private func context() -> CommandContext? {
        guard let lane else { return nil }
        number += 1
        return CommandContext(identity, .lane(lane), number: number, room: room)
    }

    private func tell(_ reply: Reply) {
        if case .failed(let error) = reply.outcome { note(RoomMessage.error(error.message)) }
    }

    private func move(to other: RoomID) {
        guard let lane else { return }
        if let fault = server.ports.door.count(.lane(lane)) { return note(RoomMessage.error(fault.sentence)) }
        guard server.view.has(other) else { return note(RoomMessage.error("There is no room “\(other)” on this hub.")) }
        if let fault = server.ports.attendance.refusal(of: identity, from: other) { return note(RoomMessage.error(fault.sentence)) }
        follow(other)
        note(RoomMessage.switched(to: other.text))
    }

    /// Shows another room from now on.
    func follow(_ other: RoomID) {
        room = other
        toldEntry = nil
        queueVersion = nil
        server.turned(self)
        owesState = true
        owesQueue = true
        server.queue(of: other).refresh()
        deliver()
    }

    /// Queues a message that is not a state. A client that does not read loses the oldest ones.
    private func note(_ message: [UInt8]) {
        notes.append(Frame(payload: message))
        if notes.count > Self.mostNotes { notes.removeFirst() }
        deliver()
    }

    // MARK: Telling

    /// Marks queue and state as due, because one of them changed.
    func markDue() {
        owesState = true
        if server.queue(of: room).version != queueVersion { owesQueue = true }
    }

    func deliver() {
        guard let link else { return }
        while link.isReady {
            guard let frame = next() else { return }
            link.write(frame)
        }
        guard !notes.isEmpty || owesState || owesRooms else { return }
        if stalledSinceUs == nil { stalledSinceUs = server.ports.reactor.nowUs }
        link.wantWritable()
    }

    private func next() -> Frame? {
        if !notes.isEmpty { return notes.removeFirst() }
        if owesState, let frame = state() { return frame }
        guard owesRooms else { return nil }
        owesRooms = false
        return server.roomsFrame()
    }

    /// `nil` while the queue is being encoded, since the state refers to places in it.
    private func state() -> Frame? {
        let queue = server.queue(of: room)
        guard queue.isCurrent, let shown = queue.shown else { return nil }
        owesState = false
        toldEntry = server.view.current(of: room)
        guard owesQueue || queueVersion != queue.version else { return server.stateFrame(of: room, withQueue: false) }
        owesQueue = false
        queueVersion = queue.version
        session.sentQueues[room] = shown.queue.number
        refreshedUs = server.ports.reactor.nowUs
        return server.stateFrame(of: room, withQueue: true)
    }
}
