import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Verbs that list, create and change rooms, and move music between them.
extension Verb {
    static let roomEdits: Choices = [
        "list": listRooms, "control": controlRoom, "create": create, "rename": rename, "delete": delete, "restore": restore, "set": set,
        "outputs": outputs,
    ]

    // MARK: Listing

    @Sendable private static func listRooms(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        try await hub.needs(.roomList)
        let mirror = try await hub.state(withWhole: .rooms, .people)
        let rooms = RoomLine.all(in: mirror, for: Presence(mirror, us: call.ownName))
        if call.json { return Output.json { writer in writer.array { list in for room in rooms { room.encode(into: &list) } } } }
        let ink = call.ink
        var table = Table(["room", "id", "state", "volume", "what", "output", "people"], ink)
        table.paint(column: 0, .bold)
        for room in rooms {
            table.add(room.name, room.id, room.state, room.level, room.title, room.outputs, room.people)
        }
        table.print()
    }

    @Sendable private static func outputs(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        try await hub.needs(.outputList)
        let mirror = try await hub.state(withWhole: .rooms, .outputs)
        let outputs = mirror.outputs?.outputs ?? []
        if call.json { return Output.json { writer in (mirror.outputs ?? OutputsSection([])).encode(into: &writer) } }
        if outputs.isEmpty {
            return Output.line("No device is known yet. The hub looks for them when it first plays, or when a room is given one.")
        }
        var table = Table(["device", "name", "room", ""], call.ink)
        for output in outputs { table.add(output.id, output.name, RoomNames(mirror).name(of: output.room), output.problem ?? "") }
        table.print()
    }

    // MARK: Changing

    @Sendable private static func create(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let command = Commands.RoomCreate(try call.onlyOperand("a name"), output: call.options["output"])
        let rule: WhenEmpty? = try call.choice("when-empty")
        if rule == .pause, command.output != "null" {
            throw Stop(.usage, "--when-empty is for rooms without a speaker. Say --output null too.")
        }
        let made = try await hub.send(command).answer?.room
        if let rule, let made { try await hub.send(Commands.RoomSet(room: made, whenEmpty: rule), key: Keys.random()) }
        let id = made?.text ?? ""
        if call.json { return Output.json { $0.object { $0.member("room", id) } } }
        Output.line("There is a room “\(call.operands[0])” now. To play in it: baton --room \(id) play")
    }

    @Sendable private static func rename(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let room = try RoomNames(try await hub.state(withWhole: .rooms)).find(call.operand(0, "a room and its new name"))
        let name = try call.operand(1, "a room and its new name")
        guard call.operands.count == 2 else {
            throw Stop(.usage, "rooms rename takes a room and one name; put quotation marks around the name.")
        }
        try await hub.send(Commands.RoomRename(room, name: name), key: Keys.random())
        try await sayRooms(for: call, on: hub, saying: "It is called “\(name)” now.")
    }

    @Sendable private static func delete(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let text = try call.onlyOperand("a room")
        let room = try RoomNames(try await hub.state(withWhole: .rooms)).find(text)
        try call.confirm("Deleting the room “\(text)” and its queue")
        try await hub.send(Commands.RoomDelete(room), key: Keys.random())
        try await sayRooms(
            for: call, on: hub, saying: "The room “\(text)” is gone, and its queue with it. To bring it back: baton rooms restore \(room)")
    }

    @Sendable private static func restore(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let room = RoomID(try call.onlyOperand("the id of a deleted room"))
        try await hub.send(Commands.RoomRestore(room), key: Keys.random())
        try await sayRooms(for: call, on: hub, saying: "The room “\(room)” is there again, with its queue.")
    }

    @Sendable private static func set(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let room = try RoomNames(try await hub.state(withWhole: .rooms)).find(call.onlyOperand("a room"))
        var change = try rail(call)
        if let output = call.options["output"] { change.output = output == "none" ? .cleared : .set(output) }
        change.whenEmpty = try call.choice("when-empty")
        guard change != Commands.RoomSet() else {
            throw Stop(.usage, "Say what to set: --ceiling N, --floor N, --start-max N, --output DEVICE or --when-empty play|pause.")
        }
        try await setRail(of: room, change, hub)
        try await sayRooms(for: call, on: hub, saying: "It is set.")
    }

    private static func sayRooms(for call: Invocation, on hub: ReconnectingHub, saying sentence: String) async throws {
        if !call.json { return Output.line(sentence) }
        try await listRooms(call.alone, hub)
    }

    /// The volume limits in the options.
    static func rail(_ call: Invocation) throws(Stop) -> Commands.RoomSet {
        Commands.RoomSet(floor: try call.level("floor"), ceiling: try call.level("ceiling"), startMax: try call.level("start-max"))
    }

    static func setRail(of room: RoomID, _ rail: Commands.RoomSet, _ hub: ReconnectingHub) async throws {
        var command = rail
        command.room = room
        try await hub.send(command, key: Keys.random())
    }

    // MARK: Moving

    /// Moves the music to another room, or here, which means the followed room.
    @Sendable static func move(_ call: Invocation, _ satellite: Satellite) async throws {
        let target = try call.operandIfAny()
        let sender = call.options["from"]
        guard target != nil || sender != nil else { throw Stop(.usage, "move needs a room to go to, or --from ROOM to come here from.") }
        try await satellite.withHub(call) { hub in
            let mirror = try await hub.state(withWhole: .rooms)
            guard let here = mirror.room else { throw Stop(.connection, "The hub did not say which room this is.") }
            let names = RoomNames(mirror)
            let from = try sender.map { name throws(Stop) in try names.find(name) } ?? here
            let to = try target.map { name throws(Stop) in try names.find(name) } ?? here
            guard from != to else { throw Stop(.usage, "It is in \(names.name(of: to)) already. Name another room.") }
            try await hub.send(Commands.RoomMove(to, keep: call.options.has("keep")), room: from)
            try await hub.follow(to)
            try await report(call, hub)
        }
    }
}
