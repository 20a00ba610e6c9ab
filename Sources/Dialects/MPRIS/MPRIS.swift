/// MPRIS 2.2: the rooms as players on the session bus of the desktop in which the hub runs.
///
/// All players have the same object path, so each room has a connection and a bus name of its own. They come and go with the rooms. Commands
/// go to the door as those of every dialect; `BusPlayer` holds what `baton mpris` has in common with this.
package import BatonCore
package import BatonProtocol
package import BatonSeams

@Loop
package final class MPRIS: Dialect, SwitchedDialect {
    /// Dependencies beside the ports that every dialect has.
    package struct Parts {
        package let bus: any DesktopBusOpening
        /// The user of this process. Programs of others may not press anything, but for the system's administrator.
        package let uid: UInt32
        /// The number of this process, for a second name.
        package let process: Int32
        /// The wall clock.
        package let wallMs: @Sendable () -> Milliseconds
        /// Stores a picture as a file and returns its URL. It blocks.
        package let storePicture: @Sendable (_ id: String, _ bytes: [UInt8]) -> String?

        package init(
            bus: any DesktopBusOpening, uid: UInt32, process: Int32, wallMs: @escaping @Sendable () -> Milliseconds,
            storePicture: @escaping @Sendable (_ id: String, _ bytes: [UInt8]) -> String?
        ) {
            self.bus = bus
            self.uid = uid
            self.process = process
            self.wallMs = wallMs
            self.storePicture = storePicture
        }
    }

    let ports: DialectPorts
    let parts: Parts
    private let art: DesktopArt
    private var rooms: [RoomID: RoomHost] = [:]
    private var isOn: Bool
    private var hasBegun = false
    /// True once the hub's owner has switched it on. Then a missing bus is a problem; most hubs run as services and miss none.
    private var isAskedFor = false
    /// The revision of the state that the players show.
    private var shown = -1
    /// Number of rooms, and of rooms lost, when they were last looked through.
    private var known = (rooms: -1, lost: -1)
    /// True while programs can see a player. Without one a change of the hub costs nearly nothing here.
    private var isSeen = false
    /// Begins the keys of this life, so that none is that of an earlier one.
    private let keys = Token.random(length: 8)
    private var presses = 0

    private static let sections: SectionSet = [.now, .timeline, .volume, .modes, .queue, .rooms, .playlists, .sources]

    package init(_ ports: DialectPorts, _ parts: Parts, isOn: Bool = true) {
        self.ports = ports
        self.parts = parts
        self.isOn = isOn
        art = DesktopArt(pool: ports.media.blockingPool, store: parts.storePicture) { [media = ports.media] id in
            try? await media.picture(id, width: DesktopArt.side, height: nil, format: nil, mostBytes: DesktopArt.mostBytes).bytes
        }
        _ = ports.state.observe { [weak self] in self?.stateChanged() }
    }

    /// Shows the rooms, unless it was switched off. They connect to the bus as soon as there is one.
    package func begin() {
        hasBegun = true
        stateChanged()
    }

    /// The number and the key of the next command.
    func nextPress() -> (number: Int, key: CommandContext.Key) {
        presses += 1
        return (presses, CommandContext.Key("\(keys)-\(presses)", fingerprint: 0))
    }

    // MARK: Rooms

    private func stateChanged() {
        guard isOn, hasBegun else { return }
        let now = (rooms: ports.state.roomCount, lost: ports.state.lostRooms)
        if now != known { followRooms() }
        known = now
        guard isSeen else { return }
        let since = shown
        shown = ports.state.revision
        for (room, host) in rooms where host.player.isSeen {
            if !ports.state.newer(than: since, of: Self.sections, in: room).isEmpty { refresh(host) }
        }
    }

    private func followRooms() {
        for room in rooms.keys where !ports.state.has(room) { rooms.removeValue(forKey: room)?.close() }
        for room in ports.state.roomIDs where rooms[room] == nil { open(room) }
    }

    /// Called when a player is seen, or not any more.
    func connectionChanged(of host: RoomHost) {
        isSeen = rooms.values.contains { $0.player.isSeen }
        if host.player.isSeen { refresh(host) }
    }

    private func open(_ room: RoomID) {
        let host = RoomHost(room, self)
        rooms[room] = host
        refresh(host)
        host.player.open(on: parts.bus, as: PlayerNames.buses(of: room, process: parts.process))
    }

    /// Shows the room as it is now.
    func refresh(_ host: RoomHost) {
        var view = host.view(from: ports)
        if let id = view.now?.tags.art?.id {
            view.art[id] = art.url(of: id) { [weak self, weak host] in
                if let self, let host { refresh(host) }
            }
        }
        host.player.show(view)
    }

    // MARK: As the hub sees it

    package var connections: Int { rooms.values.reduce(0) { $0 + $1.programs.count } }
    package var connectionsByDevice: [DeviceID: Int] { [:] }
    package var memoryFigures: [HubDiagnostics.Memory.Figure] { [.init("mprisPlayers", rooms.count), .init("mprisPrograms", connections)] }
    package func end(_ device: DeviceID, _ fault: ProtocolFault) {}
    package func passwordsChanged() {}

    package func close() {
        isOn = false
        art.close()
        closeRooms()
    }

    private func closeRooms() {
        for host in rooms.values { host.close() }
        rooms = [:]
        (isSeen, known) = (false, (-1, -1))
    }

    // MARK: Switching

    package var name: String { "mpris" }

    package func turn(on wanted: Bool) async {
        guard wanted != isOn else { return }
        (isOn, isAskedFor) = (wanted, wanted)
        if isOn { stateChanged() } else { closeRooms() }
    }

    package var facts: DialectFacts {
        guard isOn else { return DialectFacts(isOn: false) }
        let hosts = rooms.values.sorted { $0.room.text < $1.room.text }
        let names = hosts.compactMap { host -> String? in if case .connected(let name) = host.player.state { name } else { nil } }
        return DialectFacts(
            isOn: true, addresses: names, problem: hosts.compactMap { self.problem(in: $0.player.state) }.first,
            connections: hosts.flatMap(\.facts))
    }

    private func problem(in state: BusState) -> String? {
        switch state {
        case .noBus where isAskedFor:
            "There is no session bus here. A hub that runs as a service has none: the desktop's own `baton mpris` shows its rooms there."
        case .failed(let sentence): sentence
        case .noBus, .connecting, .connected, .closed: nil
        }
    }
}
