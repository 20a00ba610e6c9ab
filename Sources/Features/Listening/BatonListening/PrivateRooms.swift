import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Rooms in which one person listens alone. They have no speaker, are not shown to other clients, and end with the hub.
///
/// A room is abandoned when no connection follows it and no device plays it along. It ends ten minutes later, so that a
/// person whose phone was offline for a while can go on.
@Loop
final class PrivateRooms {
    static let mostOfPerson = 4
    /// Limit over all persons. Each room costs the hub a queue and a clock.
    static let most = 64
    static let leftFor = Duration.seconds(600)
    /// Time between two checks of the connections, however many come and go.
    private static let pace = Duration.seconds(1)

    private let rooms: RoomList
    private let arranger: RoomArranger
    private let people: People
    private let clock: HubClock
    private let limits: WireLimits
    private let rails: VolumeRail
    private let random: @Sendable () -> String
    /// The time since which each room is abandoned; rooms in use are not in it.
    private var leftUs: [RoomID: Microseconds] = [:]
    private var looking: (any Alarm)?
    private var ending: (any Alarm)?

    init(
        rooms: RoomList, arranger: RoomArranger, people: People, clock: HubClock, limits: WireLimits, rails: VolumeRail,
        random: @escaping @Sendable () -> String
    ) {
        self.rooms = rooms
        self.arranger = arranger
        self.people = people
        self.clock = clock
        self.limits = limits
        self.rails = rails
        self.random = random
    }

    func close() {
        looking?.cancel()
        ending?.cancel()
    }

    // MARK: Making and ending

    /// Makes a room for this person. At the person's limit, the room that was abandoned first is ended.
    func make(for identity: Identity) throws(ProtocolFault) -> LiveRoom {
        look()
        let mine = rooms.personal.filter { $0.owner == identity.voter }
        if mine.count >= Self.mostOfPerson {
            let left = mine.compactMap { live in leftUs[live.room.id].map { (live: live, us: $0) } }.min { $0.us < $1.us }
            guard let left else {
                throw ProtocolFault(
                    .quota, "You listen alone in \(mine.count) rooms already, which is as many as one person may have. Leave one of them.")
            }
            end(left.live)
        } else if rooms.personal.count >= Self.most {
            throw ProtocolFault(
                .quota,
                "\(rooms.personal.count) people listen alone already, which is as many as this hub allows. Try again in ten minutes.")
        }
        var room = Room(id: .ofPerson(random()), name: "Only here", volume: rails)
        _ = room.setWhenEmpty(.pause)
        let live = LiveRoom(room, output: "null", owner: identity.voter, limits: limits)
        var plan = RoomArranger.Arrangement()
        plan.added = live
        _ = try arranger.arrange(plan, in: rooms.first, for: 0, under: nil)
        look()
        return live
    }

    func end(_ live: LiveRoom) {
        leftUs[live.room.id] = nil
        var plan = RoomArranger.Arrangement()
        plan.removed = live
        // Nothing of it is stored, so this fails only when the journal has no revisions left; the next check tries again.
        _ = try? arranger.arrange(plan, in: rooms.first, for: 0, under: nil)
    }

    // MARK: Presence

    /// Handles connections that were opened, were closed or changed their room.
    func peopleChanged() {
        guard !rooms.personal.isEmpty, looking == nil else { return }
        looking = clock.after(Self.pace) { [weak self] in
            guard let self else { return }
            looking = nil
            look()
        }
    }

    private func look() {
        let nowUs = clock.nowUs
        let followed = people.followed(among: rooms.personal.map(\.room.id))
        leftUs = Dictionary(
            uniqueKeysWithValues: rooms.personal.map(\.room.id).filter { !followed.contains($0) }.map { ($0, leftUs[$0] ?? nowUs) })
        ending?.cancel()
        ending = nil
        guard let first = leftUs.values.min() else { return }
        let dueUs = first + Microseconds(Self.leftFor)
        ending = clock.after(.microseconds(max(0, dueUs - nowUs))) { [weak self] in self?.endLeft() }
    }

    private func endLeft() {
        let dueUs = clock.nowUs - Microseconds(Self.leftFor)
        for live in rooms.personal where leftUs[live.room.id].map({ $0 <= dueUs }) == true { end(live) }
        look()
    }
}
