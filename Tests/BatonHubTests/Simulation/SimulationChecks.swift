import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

/// What must be true at any moment, and once everybody has come to rest.
extension SimulatedWorld {
    func keptRoom(_ id: RoomID) -> RecoveredRoom? { (try? sim.journal.load())?.rooms.first { $0.room.id == id } }

    func checkJournal() {
        let journal = ((try? sim.journal.load())?.rooms ?? []).filter { $0.deletion == 0 }
        if journal.map(\.room.id) != rooms.map(\.id) {
            return fail("The journal's rooms are \(journal.map(\.room.id)), and the hub's are \(rooms.map(\.id)).")
        }
        for (kept, room) in zip(journal, rooms) { check(kept, room) }
    }

    private func check(_ kept: RecoveredRoom, _ room: Room) {
        let queue = room.queue
        if kept.queue.entries.map(\.id) != queue.entries.map(\.id) {
            fail("The journal's queue of \(room.id) is \(kept.queue.entries.map(\.id)), and the room's is \(queue.entries.map(\.id)).")
        }
        if kept.queue.entries.map(\.uri) != queue.entries.map(\.uri) { fail("The journal's items differ.") }
        if kept.queue.unshuffled != queue.unshuffled { fail("The journal's plain order of \(room.id) differs.") }
        if kept.queue.history.edits.map(\.number) != queue.history.edits.map(\.number)
            || kept.queue.history.undoable?.number != queue.history.undoable?.number
        {
            fail("The journal's history of \(room.id) differs.")
        }
        if kept.room.current != queue.current { fail("The journal's current entry differs.") }
        if kept.room.modes != room.modes { fail("The journal's modes differ.") }
        if kept.room.queueRevision != queue.revision { fail("The journal's queue revision differs.") }
        if kept.room.name != room.name { fail("The journal's name of \(room.id) differs.") }
        if [kept.room.floor, kept.room.ceiling, kept.room.startMax] != [room.volume.floor, room.volume.ceiling, room.volume.startMax] {
            fail("The journal's rails of \(room.id) differ.")
        }
    }

    func checkMemory() {
        guard !sim.life.isOver else { return }
        let limits = WireLimits.standard
        for session in sim.companion.subscribers.sessions {
            if session.queuedBytes > limits.controlLane + limits.hubFrame { fail("A lane holds \(session.queuedBytes) bytes.") }
            let inFlight = session.lane.map { sim.hub.commands.inFlight(on: $0) } ?? 0
            if inFlight > limits.commandsInFlight { fail("\(inFlight) commands are in flight.") }
        }
        if sim.hub.rooms.all.count > limits.rooms { fail("There are \(sim.hub.rooms.all.count) rooms.") }
        for link in links where link.misuses > 0 { fail("A session wrote to a socket that was not ready.") }
    }

    func checkRest() {
        for client in clients { check(client) }
        checkJournal()
        for live in sim.hub.rooms.all { checkPlayer(of: live.room) }
        checkMemory()
        let asked = presses.count { $0.kind == .next && $0.isApplied }
        if skipsCounted != asked { fail("\(skipsCounted) skips counted, and \(asked) asked.") }
        let made = presses.count { $0.kind == .roomCreate && $0.isApplied }
        if roomsMade != made { fail("\(roomsMade) rooms were made, and \(made) were asked for.") }
        checkLibrary()
        checkMaking()
        let names = Dictionary(uniqueKeysWithValues: rooms.map { ($0.id, $0.name) })
        if names != kept.mapValues(\.name) { fail("The rooms are \(names), and \(kept.mapValues(\.name)) were acknowledged.") }
        if !sim.hub.players.closing.isEmpty { fail("A player was never let go.") }
        if sim.companion.subscribers.count > clients.count + links.count { fail("More sessions than connections.") }
    }

    private func text(_ value: JSON?) -> String {
        value.map { value in String(decoding: JSONWriter.bytes { $0.value(value) }, as: UTF8.self) } ?? "nothing"
    }

    private func check(_ client: SimulatedClient) {
        guard
            let session = sim.companion.subscribers.sessions.first(where: { $0.isLive && $0.identity.principal.hasSuffix("/\(client.id)") })
        else {
            return fail("\(client.id) has no session.")
        }
        if session.rooms != client.copy.order { fail("\(client.id) follows \(session.rooms) and thinks \(client.copy.order).") }
        for room in session.rooms {
            for section in session.wanted { check(client, section, of: room) }
        }
        if let list = client.list, let id = client.listRoom, let room = sim.hub.rooms[id]?.room { check(list, of: client, room) }
        guard client.profile != .watch else { return }
        let people = client.copy.value(.people, of: session.room)
        let count = people?["n"]?.int.map { Int($0) } ?? (people?["list"]?.array?.count ?? 0) + Int(people?["more"]?.int ?? 0)
        if count != clients.count { fail("\(client.id) sees \(count) of \(clients.count).") }
        guard session.rooms.count == 1, let room = sim.hub.rooms[session.rooms[0]]?.room else { return }
        let typed = client.mirror
        if typed.queue?.current != room.queue.current || typed.volume?.level != room.volume.level
            || typed.timeline?.state.name != room.timeline.state.rawValue || typed.modes?.modes != room.modes
        {
            fail("The typed mirror of \(client.id) differs from \(room.id).")
        }
    }

    private func check(_ list: QueueMirror, of client: SimulatedClient, _ room: Room) {
        let queue = room.queue
        if room.id != client.copy.order.first { fail("\(client.id) has the queue of \(room.id) open, and follows another room.") }
        if list.ids != queue.entries.map(\.id) || list.current != queue.current || list.revision != queue.revision {
            fail("\(client.id) has the queue open and sees \(list.ids) at \(list.revision ?? -1), and it is \(queue.entries.map(\.id)).")
        }
        let titles = queue.entries.map { list.rows[$0.id]?.tags.title }
        if titles != queue.entries.map(\.tags.title) { fail("\(client.id) has the queue open and sees other titles.") }
    }

    private func check(_ client: SimulatedClient, _ section: Section, of room: RoomID) {
        let shown = sim.companion.bytes(of: section, in: room).flatMap { try? JSON.parse($0[...]) }
        let name = section == .peopleCount ? Section.people : section  // One section in two shapes.
        let seen = client.copy.value(name, of: room)
        guard seen != shown else { return }
        fail("\(client.id) (\(client.profile)) sees \(section.name) of \(room) as \(text(seen)), and it is \(text(shown))")
    }

    private func checkPlayer(of room: Room) {
        guard let player = sim.players[room.id] else { return fail("\(room.id) has no player.") }
        let now = Moment(us: sim.time.nowUs)
        if abs(player.gain - room.volume.gain) > 1e-9 { fail("The player of \(room.id) is not as loud as the room shows.") }
        switch room.timeline.state {
        case .playing:
            if player.playing != room.queue.current || player.isPaused {
                fail("\(room.id) shows \(String(describing: room.queue.current)), and \(String(describing: player.playing)) is played.")
            }
            if (player.heardMs - room.positionMs(at: now)).magnitude > 100 {
                fail("The player is at \(player.heardMs), and the room shows \(room.positionMs(at: now)).")
            }
        case .paused: if player.playing != nil, !player.isPaused { fail("\(room.id) is paused and its player plays.") }
        case .stopped: if player.playing != nil { fail("\(room.id) is stopped and its player plays.") }
        case .buffering: fail("\(room.id) waits for ever.")
        }
    }
}

extension Companion {
    /// A section as clients are sent it.
    func bytes(of section: Section, in room: RoomID) -> [UInt8]? {
        encoded(SectionSet([section]), of: room, learnsNames: true).first?.value
    }
}
