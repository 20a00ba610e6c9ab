import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Lists the connected people.
extension Verb {
    @Sendable static func people(_ call: Invocation, _ satellite: Satellite) async throws {
        if call.operands.first == "kick" { return try await kick(call, satellite) }
        try call.expectNoOperands()
        try await satellite.withHub(call) { hub in
            try await hub.needs(.peopleList)
            if call.options.has("long") { return showListeners(try await hub.state(withWhole: .listeners), call) }
            let mirror = try await hub.state(withWhole: .rooms, .people)
            let presence = Presence(mirror, us: call.ownName)
            if call.json { return Output.json(presence.encode) }
            if presence.people.isEmpty { return Output.line("No one else is connected.") }
            let names = RoomNames(mirror)
            let ink = call.ink
            let now = Clock.wallMs()
            var table = Table(["name", "room", "role", "since", ""], ink)
            table.paint(column: 0, .bold)
            for person in presence.people {
                let idle = person.idleSinceMs.map { "idle, last did something \(TimeText.ago(ms: now - $0))" } ?? ""
                table.add(person.name, names.name(of: person.room), person.role.rawValue, TimeText.ago(ms: now - person.sinceMs), idle)
            }
            table.print()
        }
    }
}

/// Connected remotes, except this command.
struct Presence {
    let people: [PeopleSection.Person]

    /// Age below which a connection of this name counts as this command's own.
    static let passingMs: Milliseconds = 2000

    /// Long-running programs such as `baton watch` have the same name and stay in the list.
    init(_ mirror: Mirror, us: String, nowMs: Milliseconds = Clock.wallMs()) {
        guard case .list(var people, _) = mirror.people else {
            people = []
            return
        }
        let own = people.firstIndex { $0.name == us && nowMs - $0.sinceMs < Self.passingMs }
        if let own { people.remove(at: own) }
        self.people = people
    }

    func names(in room: RoomID) -> [String] { people.filter { $0.room == room }.map(\.name) }

    func encode(into writer: inout JSONWriter) { PeopleSection.list(people, more: 0).encode(into: &writer) }
}

/// A room as a row of the list.
struct RoomLine {
    private let room: RoomsSection.Room
    private let listeners: [String]

    static func all(in mirror: Mirror, for presence: Presence) -> [RoomLine] {
        (mirror.rooms?.rooms ?? []).map { RoomLine(room: $0, listeners: presence.names(in: $0.id)) }
    }

    var name: String { room.name }
    var id: String { room.id.text }
    var state: String { room.state.name }
    var level: String { room.isMuted ? "muted" : "\(room.level) %" }
    var title: String { room.title ?? "" }
    var outputs: String {
        room.outputs.joined(separator: ", ") + (room.whenEmpty == .pause ? ", pauses while nobody listens" : "")
    }
    var people: String { listeners.joined(separator: ", ") }

    func encode(into writer: inout JSONWriter) {
        writer.object { line in
            line.member("id", room.id.text)
            line.member("name", room.name)
            line.member("st", room.state.name)
            line.member("title", ifPresent: room.title)
            line.member("level", room.level)
            line.member("mute", room.isMuted)
            line.member("outputs", room.outputs)
            if room.whenEmpty != .play { line.member("whenEmpty", room.whenEmpty.rawValue) }
            line.member("people", listeners)
        }
    }
}
