/// The protocol of the Music Player Daemon, version 0.24, over connections of lines.
///
/// A line becomes a command of the hub (`AllCommands`), which enters by its door as those of all other remotes do. Rooms are partitions. Answers are
/// those of mpd 0.23.12, since programs compare sentences; what differs is listed in `Tests/EndToEndTests/Dialects`.
package import BatonCore
package import BatonProtocol
package import BatonSeams

@Loop
package final class MPD: Dialect, LineDialect {
    package nonisolated static let name = "mpd"
    nonisolated static let greeting = Array("OK MPD 0.24.0\n".utf8)

    /// Dependencies beside the ports that every dialect has.
    package struct Parts {
        /// `nil` while the library is not open.
        package let songs: @Loop () -> (any SongReading)?
        /// `nil` where the store could not be opened.
        package let stickers: @Loop () -> (any StickerStorage)?
        /// `nil` where no password can be kept, so that connections of other machines are of no use.
        package let passwords: @Loop () -> (any DialectPasswords)?
        /// Lists files that are no music; `nil` where there is no disk.
        package let folders: (any FolderReading)?
        /// The music folders as the disk knows them.
        package let musicFolders: @Loop () -> [String]
        package let wallMs: @Loop () -> Milliseconds
        /// Numbers that cannot be foreseen, for mixing.
        package let random: @Loop () -> UInt64
        /// Time after which a silent connection that waits for nothing ends.
        package let idle: Duration?

        package init(
            songs: @escaping @Loop () -> (any SongReading)? = { nil }, stickers: @escaping @Loop () -> (any StickerStorage)? = { nil },
            passwords: @escaping @Loop () -> (any DialectPasswords)? = { nil }, folders: (any FolderReading)? = nil,
            musicFolders: @escaping @Loop () -> [String] = { [] }, wallMs: @escaping @Loop () -> Milliseconds,
            random: @escaping @Loop () -> UInt64, idle: Duration? = .seconds(60)
        ) {
            self.songs = songs
            self.stickers = stickers
            self.passwords = passwords
            self.folders = folders
            self.musicFolders = musicFolders
            self.wallMs = wallMs
            self.random = random
            self.idle = idle
        }
    }

    let ports: DialectPorts
    let parts: Parts
    /// Bounds the work of all connections that reads the disk.
    let gate = Gate(2)
    let updates = Updates()
    let pictures = LastPicture()
    let totals = LastTotals()
    let lists = LastLists()
    let startedUs: Microseconds
    /// Connections as they came. Those that have ended are removed together, so that the end of each costs the same however many there are.
    private var admitted: [Session] = []
    var sessions: LazyFilterSequence<[Session]> { admitted.lazy.filter { !$0.isClosed } }
    private var queues: [RoomID: QueueMirror] = [:]
    private var clients: [String: Client] = [:]
    private var told = ToldState()
    private var songChanges: Int?
    private var answers: [Events: [UInt8]] = [:]
    private var sessionNumber = 0
    /// Number of ended connections that are not forgotten yet, with the queues and identities that only they have used.
    private var ended = 0
    private var lostRooms = 0

    package init(_ ports: DialectPorts, _ parts: Parts) {
        self.ports = ports
        self.parts = parts
        startedUs = ports.reactor.nowUs
        lostRooms = ports.state.lostRooms
        told.begin(ports.state)
        updates.begin(isRunning: told.isScanning)
        _ = ports.state.observe { [weak self] in self?.stateChanged() }
    }

    // MARK: Connections

    package func admit(_ connection: any LineConnection) -> (any LineOwner)? { admit(connection, room: nil) }

    /// Admits a connection of a port that belongs to a room.
    package func admit(_ connection: any LineConnection, room: RoomID?) -> (any LineOwner)? {
        let wanted = room.flatMap { ports.state.has($0) ? $0 : nil } ?? ports.state.firstRoom
        let client = client(connection.peer, password: nil)
        // A person who was sent out of the room is not let in.
        guard ports.attendance.refusal(of: client.identity, from: wanted) == nil else { return nil }
        sessionNumber += 1
        let session = Session(self, over: connection, for: client, in: queue(of: wanted), id: sessionNumber)
        admitted.append(session)
        session.attend()
        connection.write(Self.greeting)
        return session
    }

    /// The dialect of a port whose connections begin in a room.
    package func door(of room: RoomID) -> any LineDialect { RoomDoor(self, room) }

    /// The original says nothing before it ends a connection.
    package func lastWords(_ end: LineEnd) -> [UInt8] { [] }

    func left(_ session: Session) {
        ports.attendance.leave(session)
        if session.mailbox?.channels.isEmpty == false { notice(.subscription, in: session.room) }
        ended += 1
        if ended * 4 > admitted.count { forgetEnded() }
        ports.connectionEnded()
    }

    /// The identity of a connection, which others of its address and password share.
    func client(_ peer: Peer, password: DialectPassword?) -> Client {
        let key = "\(peer.channel) \(peer.address) \(password.map { "\($0.name) \($0.createdMs)" } ?? "")"
        if let known = clients[key] { return known }
        let client = Client(peer, password: password)
        clients[key] = client
        return client
    }

    func queue(of room: RoomID) -> QueueMirror {
        if let known = queues[room] { return known }
        // A connection is not told of what happened before it.
        if queues.isEmpty { takeChanges() }
        let queue = QueueMirror(room, ports)
        queues[room] = queue
        return queue
    }

    /// Done when a quarter of the connections has ended.
    private func forgetEnded() {
        ended = 0
        admitted.removeAll(where: \.isClosed)
        admitted.dropSpareRoom()
        if admitted.isEmpty { lists.forget() }
        let rooms = Set(sessions.map(\.room))
        queues = queues.filter { rooms.contains($0.key) }
        let used = Set(sessions.map { ObjectIdentifier($0.client) })
        clients = clients.filter { used.contains(ObjectIdentifier($0.value)) }
    }

    // MARK: Changes

    private func stateChanged() {
        // Without connections only the library counts.
        if queues.isEmpty, told.knowsLibrary(of: ports.state) { return }
        takeChanges()
    }

    private func takeChanges() {
        var changes = told.take(ports.state, rooms: queues.keys)
        if changes.hasNewLibrary, !hasNewSongs() { changes.keepLibrary() }
        let isKnown = updates.note(isRunning: told.isScanning)
        if changes.hasNewLibrary { libraryChanged() }
        if ports.state.lostRooms != lostRooms { leaveLostRooms() }
        for (room, events) in changes.events where !events.isEmpty {
            let mirrored: Events = [.player, .playlist]
            let news = events.isDisjoint(with: mirrored) ? [] : queues[room]?.news() ?? []
            let told = events.subtracting(mirrored).subtracting(isKnown ? .update : []).union(news)
            if !told.isEmpty { notice(told, in: room) }
        }
    }

    /// The number of an update that a command has begun, and that all are told of at once: a short one is over before the state shows it.
    func updateBegun() -> Int {
        if updates.begun() {
            for room in queues.keys { notice(.update, in: room) }
        }
        return updates.number
    }

    private func leaveLostRooms() {
        lostRooms = ports.state.lostRooms
        for session in sessions where !ports.state.has(session.room) { session.enter(queue(of: ports.state.firstRoom)) }
        // A room that is made anew may have the id of one that is gone.
        queues = queues.filter { ports.state.has($0.key) }
    }

    /// Whether songs are others since the last look. The library also changes by favourites and stars, which are stickers here.
    private func hasNewSongs() -> Bool {
        let known = songChanges
        songChanges = parts.songs()?.songChanges
        return songChanges == nil || songChanges != known
    }

    private func libraryChanged() {
        totals.forget()
        lists.forget()
        updates.noteChange(atMs: parts.wallMs())
        for queue in queues.values { queue.described = nil }
    }

    /// Tells the connections in a room.
    func notice(_ events: Events, in room: RoomID) {
        for session in sessions where session.room == room { session.notice(events) }
    }

    /// Tells all connections.
    func notice(_ events: Events) {
        for session in sessions { session.notice(events) }
    }

    /// The answer of an idle connection, whose bytes all connections share.
    func answer(telling events: Events) -> [UInt8] {
        if let known = answers[events] { return known }
        let answer = events.answer
        answers[events] = answer
        return answer
    }

    // MARK: As the hub sees it

    package var connections: Int { admitted.count - ended }
    package var connectionsByDevice: [DeviceID: Int] { [:] }
    package var memoryFigures: [HubDiagnostics.Memory.Figure] {
        [.init("mpdSessions", connections), .init("mpdQueues", queues.count)]
    }
    package func end(_ device: DeviceID, _ fault: ProtocolFault) {}

    package func close() { for session in sessions { session.connection.close() } }

    // MARK: As its owner sees it

    /// The connected programs, the one that came first at the beginning.
    package var connected: [DialectFacts.Connection] {
        sessions.map { session in
            DialectFacts.Connection(
                address: session.connection.peer.address, password: session.client.password?.name, role: session.client.role ?? .listener,
                room: session.room, lastCommand: session.lastCommand, lastMs: session.lastMs)
        }
    }

    /// Ends the connections that a removed password has let in.
    package func passwordsChanged() {
        let passwords = parts.passwords()?.passwords(of: Self.name) ?? []
        for session in sessions {
            guard let password = session.client.password, !passwords.contains(password) else { continue }
            session.connection.close()
        }
    }
}

/// A port that belongs to a room.
@Loop
private final class RoomDoor: LineDialect {
    private let dialect: MPD
    private let room: RoomID

    init(_ dialect: MPD, _ room: RoomID) {
        self.dialect = dialect
        self.room = room
    }

    func admit(_ connection: any LineConnection) -> (any LineOwner)? { dialect.admit(connection, room: room) }

    func lastWords(_ end: LineEnd) -> [UInt8] { dialect.lastWords(end) }
}
