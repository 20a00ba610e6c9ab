import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Verbs about rooms: which there are, making and changing them, taking music from one to another.
extension Verb {
    private static let roomEdits: Choices = [
        "list": listRooms, "create": create, "rename": rename, "delete": delete, "set": set, "outputs": outputs,
    ]

    @Sendable static func rooms(_ call: Invocation, _ satellite: Satellite) async throws {
        try await choose("rooms", among: roomEdits, call, satellite)
    }

    // MARK: Looking

    @Sendable private static func listRooms(_ call: Invocation, _ hub: SteadyHub) async throws {
        try call.expectNoOperands()
        let mirror = await hub.mirror
        let rooms = RoomLine.all(in: mirror, for: Presence(mirror, us: call.ownName))
        if call.json { return Output.json { writer in writer.array { list in for room in rooms { room.encode(into: &list) } } } }
        let ink = call.ink
        var table = Table()
        table.paint(column: 0, ink.bold)
        for room in rooms {
            table.add(room.name, room.id, room.state, room.level, room.title, room.outputs, room.people)
        }
        table.print()
        if let more = mirror.rooms?.more, more > 0 { Output.line("and \(more) more") }
    }

    @Sendable private static func outputs(_ call: Invocation, _ hub: SteadyHub) async throws {
        try call.expectNoOperands()
        let mirror = await hub.mirror
        let outputs = mirror.outputs?.outputs ?? []
        if call.json { return Output.json { writer in (mirror.outputs ?? OutputsSection([])).encode(into: &writer) } }
        if outputs.isEmpty {
            return Output.line("No device is known yet. The hub looks for them when it first plays, or when a room is given one.")
        }
        var table = Table()
        for output in outputs { table.add(output.id, output.name, RoomNames(mirror).name(of: output.room), output.problem ?? "") }
        table.print()
    }

    // MARK: Changing

    @Sendable private static func create(_ call: Invocation, _ hub: SteadyHub) async throws {
        var params: JSONObject = ["name": .string(try call.onlyOperand("a name"))]
        if let output = call.options["output"] { params["output"] = .string(output) }
        let received = try await hub.command("room.create", params, key: Keys.random())
        let id = received.data?["room"]?.string ?? ""
        if call.json { return Output.json { $0.object { $0.member("room", id) } } }
        Output.line("There is a room “\(call.operands[0])” now. To play in it: baton --room \(id) play")
    }

    @Sendable private static func rename(_ call: Invocation, _ hub: SteadyHub) async throws {
        let room = try RoomNames(await hub.mirror).find(call.operand(0, "a room and its new name"))
        let name = try call.operand(1, "a room and its new name")
        guard call.operands.count == 2 else {
            throw Stop(.usage, "rooms rename takes a room and one name; put quotation marks around the name.")
        }
        try await hub.command("room.rename", ["room": .string(room.text), "name": .string(name)], key: Keys.random())
        try await sayRooms(call, hub, "It is called “\(name)” now.")
    }

    @Sendable private static func delete(_ call: Invocation, _ hub: SteadyHub) async throws {
        let text = try call.onlyOperand("a room")
        let room = try RoomNames(await hub.mirror).find(text)
        try await hub.command("room.delete", ["room": .string(room.text)], key: Keys.random())
        try await sayRooms(call, hub, "The room “\(text)” is gone, and its queue with it.")
    }

    @Sendable private static func set(_ call: Invocation, _ hub: SteadyHub) async throws {
        let room = try RoomNames(await hub.mirror).find(call.onlyOperand("a room"))
        var params = try rail(call)
        if let output = call.options["output"] { params["output"] = output == "none" ? .null : .string(output) }
        guard !params.members.isEmpty else {
            throw Stop(.usage, "Say what to set: --ceiling N, --floor N, --start-max N or --output DEVICE.")
        }
        try await setRail(of: room, params, hub)
        try await sayRooms(call, hub, "It is set.")
    }

    private static func sayRooms(_ call: Invocation, _ hub: SteadyHub, _ sentence: String) async throws {
        if !call.json { return Output.line(sentence) }
        var looking = call
        looking.operands = []
        try await listRooms(looking, hub)
    }

    /// What the options say about how loud a room may be, as `room.set` takes it.
    static func rail(_ call: Invocation) throws(Stop) -> JSONObject {
        var params = JSONObject()
        for (option, name) in [("ceiling", "ceiling"), ("floor", "floor"), ("start-max", "startMax")] {
            if let level = try call.level(option) { params[name] = .int(Int64(level)) }
        }
        return params
    }

    static func setRail(of room: RoomID, _ rail: JSONObject, _ hub: SteadyHub) async throws {
        var params = rail
        params["room"] = .string(room.text)
        try await hub.command("room.set", params, key: Keys.random())
    }

    // MARK: Moving

    /// “Here” is the room that is followed.
    @Sendable static func move(_ call: Invocation, _ satellite: Satellite) async throws {
        let target = try call.operandIfAny()
        let giver = call.options["from"]
        guard target != nil || giver != nil else { throw Stop(.usage, "move needs a room to go to, or --from ROOM to come here from.") }
        try await satellite.withHub(call) { hub in
            let mirror = try await hub.state()
            guard let here = mirror.room else { throw Stop(.connection, "The hub did not say which room this is.") }
            let names = RoomNames(mirror)
            let from = try giver.map { name throws(Stop) in try names.find(name) } ?? here
            let to = try target.map { name throws(Stop) in try names.find(name) } ?? here
            guard from != to else { throw Stop(.usage, "It is in \(names.name(of: to)) already. Name another room.") }
            var params: JSONObject = ["to": .string(to.text)]
            if call.options.has("keep") { params["keep"] = true }
            try await hub.command("room.move", params, key: Keys.random(), room: from)
            try await hub.follow(to)
            try await report(call, hub)
        }
    }
}
