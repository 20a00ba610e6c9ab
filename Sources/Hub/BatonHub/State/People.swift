import BatonCore
import BatonProtocol
import BatonSeams

/// Who is here, by device: one that has several connections is here once.
///
/// Coming and going costs the same however many there are. It is published while a client follows it, a second
/// after it changed, so that ten thousand who come at once are one encoding, and a command that comes
/// and goes within the second is none. Nothing of it is journalled. Who is the first to look is shown
/// at once what is true.
@Loop
final class People: Attendance {
    /// A device, from its first connection to its last.
    @Loop
    final class Device {
        let key: String
        fileprivate let sinceMs: Int64
        /// The room that its newest connection follows, and since when it is there.
        var room: RoomID?
        var inRoomSinceMs: Int64
        /// When a person was last heard of, by both clocks.
        fileprivate var acted: Moment
        /// So it stands on the board.
        fileprivate var isShownIdle = false
        fileprivate var place: Int
        /// Oldest first; what the newest one said counts.
        fileprivate(set) var connections: [any Attendee] = []

        fileprivate init(key: String, at now: Moment, place: Int) {
            self.key = key
            sinceMs = now.wallMs
            inRoomSinceMs = now.wallMs
            acted = now
            self.place = place
        }
    }

    /// One way to look at people, and what of it is on the board.
    private struct View {
        let section: Section
        var followers = 0
        var isStale = true
        var shownUs = Int64.min / 2
    }

    private static let paceUs: Int64 = 1_000_000
    /// Who becomes idle is looked for no more often than this.
    private static let idlePaceUs: Int64 = 10_000_000

    let rooms: RoomList
    let publisher: StatePublisher
    let clock: HubClock
    let events: HubEvents
    private let idleUs: Int64
    private(set) var devices: [String: Device] = [:]
    /// The device that was heard of last, whose next command needs no search for it.
    private var lately: Device?
    /// In the order of their coming, with gaps where some have left.
    private(set) var arrivals: [Device?] = []
    private var views = [View(section: .people), View(section: .peopleCount), View(section: .listeners)]
    /// The entry of each room for which votes are shown.
    var votedEntries: [RoomID: EntryID] = [:] { didSet { hasVotedEntries = !votedEntries.isEmpty } }
    private(set) var hasVotedEntries = false
    /// What devices that play a room's sound say of it, by principal.
    var reports: [String: Reported] = [:]
    var reportAlarm: (any Alarm)?
    private var alarm: (any Alarm)?
    private var idleAlarm: (any Alarm)?

    init(_ rooms: RoomList, _ publisher: StatePublisher, _ clock: HubClock, _ events: HubEvents, _ limits: WireLimits) {
        self.rooms = rooms
        self.publisher = publisher
        self.clock = clock
        self.events = events
        idleUs = Int64(limits.idleAfterMs) * 1000
    }

    var count: Int { devices.count }

    // MARK: Coming and going

    func enter(_ attendee: any Attendee) {
        let key = attendee.identity.principal
        if devices.isEmpty { events.send(.personArrived) }
        let device = devices[key] ?? arrive(key)
        device.connections.append(attendee)
        settleRoom(of: device)
        acted(device)
        follow(attendee.wanted, by: 1)
        changed()
        events.send(.peopleMoved)
        freshen(attendee.wanted, followers: 1)
    }

    private func arrive(_ key: String) -> Device {
        let device = Device(key: key, at: clock.now, place: arrivals.count)
        devices[key] = device
        arrivals.append(device)
        return device
    }

    func leave(_ attendee: any Attendee) {
        guard let device = devices[attendee.identity.principal],
            let at = device.connections.firstIndex(where: { $0 === attendee })
        else { return }
        device.connections.remove(at: at)
        let room = device.room
        if device.connections.isEmpty { depart(device) } else { settleRoom(of: device) }
        if let room, device.connections.last?.room != room { events.send(.personLeft(room)) }
        follow(attendee.wanted, by: -1)
        changed()
        events.send(.peopleMoved)
    }

    private func depart(_ device: Device) {
        devices[device.key] = nil
        if lately === device { lately = nil }
        arrivals[device.place] = nil
        devices.dropSpareRoom()
        guard arrivals.count > 16, arrivals.count > devices.count * 2 else { return }
        arrivals = arrivals.filter { $0 != nil }
        arrivals.dropSpareRoom()
        for (place, device) in arrivals.enumerated() { device?.place = place }
    }

    func connections(of principal: String) -> Int { devices[principal]?.connections.count ?? 0 }

    func turned(_ attendee: any Attendee, from old: SectionSet) {
        if let device = devices[attendee.identity.principal] {
            let room = device.room
            settleRoom(of: device)
            if let room, device.room != room { events.send(.personLeft(room)) }
        }
        follow(old, by: -1)
        follow(attendee.wanted, by: 1)
        changed()
        events.send(.peopleMoved)
        freshen(attendee.wanted, followers: 1)
    }

    // MARK: Idleness

    /// A person was heard of. This costs nothing but a look at the clock, unless that device was shown as idle.
    private func acted(_ device: Device) {
        // The journal's clock, which a whole moment has too, is not asked: this is done at each command.
        device.acted = Moment(us: clock.nowUs, wallMs: clock.wallMs())
        guard device.isShownIdle else { return }
        device.isShownIdle = false
        changed()
    }

    func acted(_ principal: String) {
        if let lately, lately.key == principal { return acted(lately) }
        guard let device = devices[principal] else { return }
        lately = device
        acted(device)
    }

    private func isIdle(_ device: Device) -> Bool { clock.nowUs - device.acted.us >= idleUs }

    /// One alarm for whichever of those who are listed becomes idle next, and only while a client follows the list.
    private func armIdle() {
        guard idleAlarm == nil, views[0].followers > 0, let first = listed.filter({ !$0.isShownIdle }).map(\.acted.us).min() else { return }
        let waitUs = max(first + idleUs - clock.nowUs, Self.idlePaceUs)
        idleAlarm = clock.after(.microseconds(waitUs)) { [weak self] in
            guard let self else { return }
            self.idleAlarm = nil
            if self.listed.contains(where: { !$0.isShownIdle && self.isIdle($0) }) { self.changed() } else { self.armIdle() }
        }
    }

    // MARK: Showing

    private func follow(_ wanted: SectionSet, by step: Int) {
        for index in views.indices where wanted.contains(views[index].section) { views[index].followers += step }
    }

    func changed() {
        for index in views.indices { views[index].isStale = true }
        arm()
    }

    private func arm() {
        guard alarm == nil, views.contains(where: { $0.isStale && $0.followers > 0 }) else { return }
        alarm = clock.after(.microseconds(Self.paceUs)) { [weak self] in
            guard let self else { return }
            self.alarm = nil
            self.show { $0.followers > 0 }
            self.publisher.tell()
            self.arm()
        }
    }

    func freshen(_ wanted: SectionSet) { freshen(wanted, followers: 0) }

    /// A client is about to be shown these sections. If no other client follows one of them it may be old.
    /// `followers` are those who are about to be shown it.
    private func freshen(_ wanted: SectionSet, followers: Int) {
        let latestUs = clock.nowUs - Self.paceUs
        // While no client follows the list, idle devices are not looked for.
        if wanted.contains(.people), views[0].followers <= followers { views[0].isStale = true }
        show { wanted.contains($0.section) && $0.followers <= followers && $0.shownUs <= latestUs }
    }

    private func show(_ isDue: (View) -> Bool) {
        for index in views.indices where views[index].isStale && isDue(views[index]) {
            let section = views[index].section
            views[index].isStale = !publish(section)
            views[index].shownUs = clock.nowUs
            if section == .people { armIdle() }
        }
    }

    private func publish(_ section: Section) -> Bool {
        switch section {
        case .people: publisher.publish(.people(list()))
        case .listeners:
            publisher.publish(listenersByRoom().map { publisher.draft([SectionNews(.listeners($0.listeners))], of: $0.room) })
        default: publisher.publish(.people(.number(devices.count)))
        }
    }

    /// The newest, as many as could fit.
    private var listed: [Device] { Array(arrivals.reversed().lazy.compactMap { $0 }.prefix(PeopleSection.mostListed)) }

    private func list() -> PeopleSection {
        let listed = listed
        for device in listed { device.isShownIdle = isIdle(device) }
        let rows = listed.compactMap(row(of:))
        return .list(rows, more: devices.count - rows.count)
    }

    func close() {
        alarm?.cancel()
        idleAlarm?.cancel()
        reportAlarm?.cancel()
    }
}

extension People {
    private func row(of device: Device) -> PeopleSection.Person? {
        device.connections.last.map {
            .init(
                name: $0.identity.displayName, role: $0.identity.role, room: publisher.state.isPrivate($0.room) ? nil : $0.room,
                sinceMs: device.sinceMs, idleSinceMs: device.isShownIdle ? device.acted.wallMs : nil)
        }
    }
}
