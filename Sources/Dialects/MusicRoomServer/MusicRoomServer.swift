/// The music room protocol: rooms, library, queue and playlists over HTTP, and a WebSocket for each room.
///
/// Like every dialect, it sends commands to the door and reads state from `HubState`; people sign in through `UserAccess`. The messages are
/// in `MusicRoomWire`.
import BatonCore
package import BatonProtocol
package import BatonSeams

@Loop
package final class MusicRoomServer: Dialect {
    /// Dependencies beside the ports that every dialect has.
    package struct Parts {
        /// Whether other machines may send passwords without encryption.
        package var takesPlainPasswords: Bool
        /// `nil` while the library is not open.
        package let naming: @Loop () -> (any ContentNaming)?
        /// Called when content ids may be missing.
        package let lookForNames: @Loop () -> Void
        package let sha256: @Sendable ([UInt8]) -> [UInt8]

        package init(
            takesPlainPasswords: Bool = false, naming: @escaping @Loop () -> (any ContentNaming)? = { nil },
            lookForNames: @escaping @Loop () -> Void = {}, sha256: @escaping @Sendable ([UInt8]) -> [UInt8]
        ) {
            self.takesPlainPasswords = takesPlainPasswords
            self.naming = naming
            self.lookForNames = lookForNames
            self.sha256 = sha256
        }
    }

    let ports: DialectPorts
    let parts: Parts
    let names: TrackNames
    let view: RoomView
    let sessions = RoomSessions()
    let round: RoomRound
    private var queues: [RoomID: RoomQueue] = [:]
    private var frames = RoomFrames()
    private var marks: [RoomID: RoomMark] = [:]
    private var libraryRevision = -1
    private var roomsTold: [UInt8] = []
    private var tick: (any Alarm)?
    private var requestNumber = 0

    /// Interval of the checks of all sockets, so that a revoked session ends within a second.
    private static let tickMs: Milliseconds = 500
    /// Interval after which each client gets everything, changed or not.
    private static let refreshUs: Microseconds = 30_000_000

    package init(_ ports: DialectPorts, _ parts: Parts) {
        self.ports = ports
        self.parts = parts
        names = TrackNames(naming: parts.naming, sha256: parts.sha256, blockingPool: ports.media.blockingPool)
        view = RoomView(ports: ports)
        round = RoomRound(ports.reactor)
        _ = ports.state.observe { [weak self] in self?.stateChanged() }
    }

    func nextNumber() -> Int {
        requestNumber += 1
        return requestNumber
    }

    // MARK: Limits of sockets

    var patience: Patience { Patience(pingMs: ports.limits.pingMs, endMs: ports.limits.silenceMs) }

    var allowance: FrameAllowance {
        FrameAllowance(
            perSecond: ports.limits.framesPerSecond, burst: ports.limits.frameBurst, late: ports.limits.floodRejections,
            windowMs: ports.limits.floodWindowMs)
    }

    // MARK: Rooms

    func queue(of room: RoomID) -> RoomQueue {
        if let queue = queues[room] { return queue }
        let queue = RoomQueue(room, self)
        queues[room] = queue
        return queue
    }

    /// Called when a newly written queue can be sent.
    func queueWritten(_ room: RoomID) {
        frames.forget(room)
        for socket in round.sockets where socket.room == room { socket.markDue() }
        round.tell()
    }

    func stateFrame(of room: RoomID, withQueue: Bool) -> Frame {
        let shown = queue(of: room).shown
        return frames.frame(of: room, withQueue: withQueue, atUs: ports.reactor.nowUs) { [view] in
            view.state(of: room, shown).written(queue: withQueue ? shown?.text : nil)
        }
    }

    func roomsFrame() -> Frame { Frame(payload: roomsTold) }

    // MARK: Changes

    private func stateChanged() {
        noticeLibrary()
        guard !round.sockets.isEmpty else { return }
        var changed = Set<RoomID>()
        for room in Set(round.sockets.map(\.room)) {
            let mark = RoomMark(room, ports.state)
            guard marks[room] != mark else { continue }
            marks[room] = mark
            changed.insert(room)
        }
        for room in changed {
            frames.forget(room)
            follow(room)
        }
        leaveLostRooms()
        guard !changed.isEmpty else { return }
        for socket in round.sockets where changed.contains(socket.room) { socket.markDue() }
        round.tell()
    }

    private func follow(_ room: RoomID) {
        let queue = queue(of: room)
        queue.refresh()
        // The current entry may be behind the entries that are sent.
        if let current = view.current(of: room), let shown = queue.shown, shown.tracks[current] == nil { queue.renew() }
    }

    private func noticeLibrary() {
        guard case .library(let library)? = ports.state.posted(.library, of: nil)?.value, library.scan == nil,
            library.revision != libraryRevision
        else { return }
        libraryRevision = library.revision
        names.forgetLibrary()
        parts.lookForNames()
    }

    /// Moves the clients of a deleted room to the first room.
    private func leaveLostRooms() {
        for socket in round.sockets where !view.has(socket.room) { socket.follow(ports.state.firstRoom) }
        for (room, queue) in queues where !view.has(room) {
            queue.close()
            queues[room] = nil
            marks[room] = nil
        }
    }

    // MARK: Sockets

    func enter(_ socket: RoomSocket) {
        socket.session.sockets += 1
        round.enter(socket)
        ports.attendance.enter(socket)
        marks[socket.room] = RoomMark(socket.room, ports.state)
        // Each arrival changes the list of rooms, which goes to all clients. The next tick sends it once for all arrivals. Before the first
        // socket no tick has made the list.
        if round.sockets.count == 1 { tellRooms() }
        queue(of: socket.room).refresh()
        socket.deliver()
        armTick()
    }

    func leave(_ socket: RoomSocket) {
        socket.session.sockets -= 1
        round.leave(socket)
        ports.attendance.leave(socket)
        ports.connectionEnded()
    }

    func turned(_ socket: RoomSocket) {
        ports.attendance.turned(socket, from: socket.wanted)
        marks[socket.room] = RoomMark(socket.room, ports.state)
    }

    private func armTick() {
        guard tick == nil, !round.sockets.isEmpty else { return }
        tick = ports.reactor.after(.milliseconds(Self.tickMs)) { [weak self] in
            guard let self else { return }
            self.tick = nil
            self.lookAfterSockets()
            self.armTick()
        }
    }

    private func lookAfterSockets() {
        let nowUs = ports.reactor.nowUs
        endRevoked()
        tellRooms()
        for socket in round.sockets {
            if let since = socket.stalledSinceUs, nowUs - since > Microseconds(ports.limits.unwritableMs) {
                socket.end(1008, "The connection is not being read.")
            } else if nowUs - socket.refreshedUs >= Self.refreshUs, socket.stalledSinceUs == nil {
                socket.owesState = true
                socket.owesQueue = true
            }
        }
        round.tell()
    }

    private func endRevoked() {
        guard let users = ports.users else { return }
        for socket in round.sockets {
            // Looked up by session name, because a token would have to be hashed first.
            let session = socket.identity.user.flatMap { users.session(named: $0.id) }
            guard socket.identity.user != session else { continue }
            guard session == nil else {
                // A user whose rights changed must reconnect to get them.
                socket.end(1012, "Your rights have changed.")
                continue
            }
            sessions.forget(socket.session.token)
            socket.kick("You were signed out.")
        }
    }

    /// Sends the list of rooms if it has changed.
    private func tellRooms() {
        let list = RoomMessage.list(view.rooms)
        guard list != roomsTold else { return }
        roomsTold = list
        for socket in round.sockets { socket.owesRooms = true }
    }

    // MARK: As the hub sees it

    package var connections: Int { round.sockets.count }
    package var connectionsByDevice: [DeviceID: Int] { [:] }
    package var memoryFigures: [HubDiagnostics.Memory.Figure] {
        [.init("roomSockets", round.sockets.count), .init("roomSessions", sessions.count), .init("trackNames", names.count)]
    }
    package func end(_ device: DeviceID, _ fault: ProtocolFault) {}
    package func usersChanged() { endRevoked() }

    package func close() {
        tick?.cancel()
        for queue in queues.values { queue.close() }
        for socket in round.sockets { socket.end(1001, "The hub is stopping.") }
    }
}

/// The visible state of a room, as the revisions of its sections.
private struct RoomMark: Equatable {
    private let revisions: [Int]

    @Loop
    init(_ room: RoomID, _ state: HubState) {
        revisions = [Section.now, .timeline, .modes, .queue].map { state.posted($0, of: room)?.revision ?? -1 }
    }
}

/// Messages for many sockets. After a few milliseconds their position is out of date, and they are made again.
@Loop
private struct RoomFrames {
    private struct Made {
        let frame: Frame
        let atUs: Microseconds
    }

    private var made: [RoomID: [Bool: Made]] = [:]
    private static let lifeUs: Microseconds = 20_000

    mutating func forget(_ room: RoomID) { made[room] = nil }

    mutating func frame(of room: RoomID, withQueue: Bool, atUs nowUs: Microseconds, _ write: () -> [UInt8]) -> Frame {
        if let known = made[room]?[withQueue], nowUs - known.atUs < Self.lifeUs { return known.frame }
        let frame = Frame(payload: write())
        made[room, default: [:]][withQueue] = Made(frame: frame, atUs: nowUs)
        return frame
    }
}
