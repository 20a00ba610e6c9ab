import BatonCore
package import BatonProtocol
package import BatonSeams

/// The people who are connected, by device: a device with several connections counts once.
///
/// Coming and going costs the same for any number of people. The list is published only while a client follows it, one second
/// after a change, so that ten thousand arrivals are one encoding, and a command that connects for less than a second is
/// none. None of it is in the journal. The first client that follows the list gets the current one at once.
@Loop
package final class People: Attendance {
    /// A device, from its first connection to its last.
    @Loop
    package final class Device {
        let key: String
        fileprivate let sinceMs: Milliseconds
        /// The room that its newest connection follows, and since when.
        var room: RoomID?
        var inRoomSinceMs: Milliseconds
        /// The time at which a person last acted, by both clocks.
        fileprivate var acted: Moment
        /// True when the published list shows it as idle.
        fileprivate var isShownIdle = false
        fileprivate var place: Int
        /// Its connections, oldest first. The newest one counts.
        package fileprivate(set) var connections: [any Attendee] = []

        fileprivate init(key: String, at now: Moment, place: Int) {
            self.key = key
            sinceMs = now.wallMs
            inRoomSinceMs = now.wallMs
            acted = now
            self.place = place
        }
    }

    /// One view of the people, and its published state.
    private struct View {
        let section: Section
        var followers = 0
        var isStale = true
        var shownUs = Microseconds.min / 2
    }

    private static let paceUs: Microseconds = 1_000_000
    /// Time between two searches for idle people.
    private static let idlePaceUs: Microseconds = 10_000_000

    let rooms: RoomList
    let publisher: StatePublisher
    let clock: HubClock
    let events: HubEvents
    private let idleUs: Microseconds
    private(set) var devices: [String: Device] = [:]
    /// The device that was heard of last, whose next command needs no search for it.
    private var lately: Device?
    /// In the order of their coming, with gaps where some have left.
    private(set) var arrivals: [Device?] = []
    private var views = [View(section: .people), View(section: .peopleCount), View(section: .listeners), View(section: .votes)]
    /// The entry of each room for which votes are shown.
    var votedEntries: [RoomID: EntryID] = [:] { didSet { hasVotedEntries = !votedEntries.isEmpty } }
    private(set) var hasVotedEntries = false
    /// Reports of devices that play the sound of a room, by principal.
    var reports: [String: Reported] = [:]
    var reportAlarm: (any Alarm)?
    private var alarm: (any Alarm)?
    private var idleAlarm: (any Alarm)?

    init(rooms: RoomList, publisher: StatePublisher, clock: HubClock, events: HubEvents, limits: WireLimits) {
        self.rooms = rooms
        self.publisher = publisher
        self.clock = clock
        self.events = events
        idleUs = Microseconds(limits.idleAfterMs)
    }

    /// Number of connected devices, however many connections each has.
    package var count: Int { devices.count }

    // MARK: Coming and going

    /// Adds a connection, which counts as an act of its person. Sections that only it follows are updated at once.
    package func enter(_ attendee: any Attendee) {
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

    /// Removes a connection. A device leaves with its last one.
    package func leave(_ attendee: any Attendee) {
        guard let device = devices[attendee.identity.principal],
            let at = device.connections.firstIndex(where: { $0 === attendee })
        else { return }
        device.connections.remove(at: at)
        let room = device.room
        if device.connections.isEmpty { removeDevice(device) } else { settleRoom(of: device) }
        if let room, device.connections.last?.room != room { events.send(.personLeft(room)) }
        follow(attendee.wanted, by: -1)
        changed()
        events.send(.peopleMoved)
    }

    private func removeDevice(_ device: Device) {
        devices[device.key] = nil
        if lately === device { lately = nil }
        arrivals[device.place] = nil
        devices.dropSpareRoom()
        guard arrivals.count > 16, arrivals.count > devices.count * 2 else { return }
        arrivals = arrivals.filter { $0 != nil }
        arrivals.dropSpareRoom()
        for (place, device) in arrivals.enumerated() { device?.place = place }
    }

    /// Number of open connections of a principal, for the limit of each device.
    package func connections(of principal: String) -> Int { devices[principal]?.connections.count ?? 0 }

    /// Handles a connection that follows another room or other sections; its room counts if it is the newest of its device.
    package func turned(_ attendee: any Attendee, from old: SectionSet) {
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

    /// Notes that a person acted. This only reads the clock, unless the device was shown as idle.
    private func acted(_ device: Device) {
        // Only these two clocks are read, since this runs at each command; `clock.now` would also read the journal's clock.
        device.acted = Moment(us: clock.nowUs, wallMs: clock.wallMs())
        guard device.isShownIdle else { return }
        device.isShownIdle = false
        changed()
    }

    /// Notes an act of a person. It runs at each command, so it searches for the device only if another one acted last.
    package func acted(_ principal: String) {
        if let lately, lately.key == principal { return acted(lately) }
        guard let device = devices[principal] else { return }
        lately = device
        acted(device)
    }

    private func isIdle(_ device: Device) -> Bool { clock.nowUs - device.acted.us >= idleUs }

    /// Arms one alarm for the next listed person who becomes idle, only while a client follows the list.
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

    /// Updates sections that no client follows, for a reader that looks once.
    package func freshen(_ wanted: SectionSet) { freshen(wanted, followers: 0) }

    /// Updates sections that a client is about to be shown. They may be old when no other client follows them. `followers`
    /// are the clients that are about to be shown them.
    private func freshen(_ wanted: SectionSet, followers: Int) {
        let latestUs = clock.nowUs - Self.paceUs
        // Without a follower idle devices are not searched for.
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
        case .votes:
            publisher.publish(
                votesByRoom().map { room, vote in
                    publisher.draft([vote.map { SectionNews(.votes(VotesSection($0))) } ?? SectionNews(removing: .votes)], of: room)
                })
        default: publisher.publish(.people(.number(devices.count)))
        }
    }

    /// The newest devices, up to the most that a list could hold.
    private var listed: [Device] { Array(arrivals.reversed().lazy.compactMap { $0 }.prefix(PeopleSection.mostListed)) }

    /// The people from a row on, newest first.
    func list(from: Int) -> PeopleSection {
        let present = arrivals.reversed().compactMap { $0 }.dropFirst(from).prefix(PeopleSection.mostListed)
        let rows = present.compactMap { row(of: $0, isIdle: isIdle($0)) }
        return .list(rows, more: max(0, devices.count - from - rows.count))
    }

    private func list() -> PeopleSection {
        let listed = listed
        for device in listed { device.isShownIdle = isIdle(device) }
        let rows = listed.compactMap { row(of: $0, isIdle: $0.isShownIdle) }
        return .list(rows, more: devices.count - rows.count)
    }

    func close() {
        alarm?.cancel()
        idleAlarm?.cancel()
        reportAlarm?.cancel()
    }
}

extension People {
    private func row(of device: Device, isIdle: Bool) -> PeopleSection.Person? {
        device.connections.last.map {
            .init(
                name: $0.identity.displayName, role: $0.identity.role, room: publisher.state.isPrivate($0.room) ? nil : $0.room,
                sinceMs: device.sinceMs, idleSinceMs: isIdle ? device.acted.wallMs : nil)
        }
    }
}
