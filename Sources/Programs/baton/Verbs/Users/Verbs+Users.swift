import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

extension Invocation {
    /// Longer timeout for passwords: hashing is slow, and requests of several people wait for each other.
    var passwordSettings: ReconnectingHub.Settings {
        .brief(ttlMs: Milliseconds(min(max(timeout, .seconds(30)), .seconds(600))))
    }
}

/// `baton user`: the user accounts of a hub.
extension Verb {
    @Sendable static func user(_ call: Invocation, _ satellite: Satellite) async throws {
        // All input is typed before the connection, so that no connection waits for it.
        switch call.operands.first ?? "list" {
        case "list": try await satellite.withHub(call) { try await listUsers(call, $0) }
        case "add":
            let name = try call.operand(1, "a name")
            let role = try call.wantedRole() ?? .remote
            let add = Commands.UserAdd(name, password: try Password.new("First password of \(name): "), role: role)
            try await send(add, for: call, on: satellite, saying: "\(name) has an account, with the role \(role.rawValue).")
        case "role":
            let role = try Invocation.role(named: call.operand(2, "a role: listener, guest, remote or admin"))
            let name = try call.operand(1, "a user")
            try await send(
                Commands.UserRole(name, role: role), for: call, on: satellite, saying: "\(name) has the role \(role.rawValue) now.")
        case "passwd": try await changePassword(call, satellite)
        case "approve":
            let name = try call.operand(1, "a user")
            try await send(Commands.UserApprove(name), for: call, on: satellite, saying: "\(name) may sign in.")
        case "sessions":
            let user = call.operands.dropFirst().first
            try await satellite.withHub(call) { try await listSessions(of: user, call, $0) }
        case "revoke": try await revoke(call, satellite)
        case "remove":
            let name = try call.operand(1, "a user")
            try call.confirm("Removing \(name) and everything that is kept for that user")
            try await send(Commands.UserRemove(name), for: call, on: satellite, saying: "The account of \(name) is removed.")
        case "export":
            let user = call.operands.dropFirst().first
            try await satellite.withHub(call) { try await export(user, $0) }
        case "link":
            let word = try call.operand(1, "a device, by its id or its name")
            let user = call.operands.dropFirst(2).first
            try await satellite.withHub(call) { hub in
                try await hub.send(Commands.UserLinkSet(try await device(called: word, hub), user: user))
                Output.done(user.map { "\(word) is the device of \($0)." } ?? "\(word) is no user's device.", call)
            }
        case "adopt": try await adopt(call, satellite)
        case let other:
            throw unknown(
                other, of: "user",
                among: ["list", "add", "role", "passwd", "approve", "sessions", "revoke", "remove", "export", "link", "adopt"])
        }
    }

    private static func send(
        _ command: some WireCommand, for call: Invocation, on satellite: Satellite, saying sentence: String
    ) async throws {
        try await satellite.withHub(call, settings: call.passwordSettings) { hub in
            try await hub.send(command)
            Output.done(sentence, call)
        }
    }

    private static func changePassword(_ call: Invocation, _ satellite: Satellite) async throws {
        let user = call.operands.dropFirst().first
        let old = user == nil ? try Password.read("The password until now: ") : nil
        let command = Commands.UserPassword(user: user, old: old, password: try Password.new("The new password: "))
        try await send(command, for: call, on: satellite, saying: "The password is changed; all other sessions have ended.")
    }

    private static func revoke(_ call: Invocation, _ satellite: Satellite) async throws {
        let session = call.operands.dropFirst().first
        guard session != nil || call.options.has("all") else {
            throw Stop(.usage, "Name a session of baton user sessions, or write --all for all but this one.")
        }
        let said = session.map { "The session \($0) has ended." } ?? "All sessions but this one have ended."
        try await send(Commands.UserRevoke(user: call.options["of"], session: session), for: call, on: satellite, saying: said)
    }

    private static func adopt(_ call: Invocation, _ satellite: Satellite) async throws {
        let first = try call.operand(1, "a user, or a person and a user")
        let second = call.operands.dropFirst(2).first
        let command = second.map { Commands.UserAdopt(person: Person(first), user: $0) } ?? Commands.UserAdopt(user: first)
        try await send(
            command, for: call, on: satellite, saying: "\(second ?? first) has what belonged to \(second == nil ? "all" : first).")
    }

    // MARK: Lists

    private static func listUsers(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        var whole = GrowingList<UserList.Row>()
        var raw: [JSON] = []
        while whole.isCut {
            let known = whole.rows.count
            let answered = try await hub.send(Commands.Users(from: known))
            let list = try answered.whole()
            whole.take(list.rows, more: list.more)
            if whole.rows.count > known { raw += answered.raw?["list"]?.array ?? [] }
        }
        let rows = whole.rows
        if call.json {
            return Output.json { writer in
                writer.object { answer in
                    answer.name("list")
                    answer.array { list in for row in raw { list.value(row) } }
                }
            }
        }
        if rows.isEmpty { return Output.line("No one has an account. Make one: baton user add NAME") }
        var table = Table(["user", "role", "sessions", "devices", ""], call.ink)
        table.paint(column: 0, .bold)
        for row in rows {
            let state = row.waits ? "waits: baton user approve \(row.user)" : row.isGuest ? "guest" : ""
            let sessions = row.sessions == 0 ? "" : row.sessions == 1 ? "signed in" : "signed in \(row.sessions) times"
            table.add(row.user, row.role.rawValue, sessions, row.devices.map(\.text).joined(separator: ", "), state)
        }
        table.print()
    }

    private static func listSessions(of user: String?, _ call: Invocation, _ hub: ReconnectingHub) async throws {
        let answered = try await hub.send(Commands.UserSessions(user: user))
        if call.json { return Output.json(answered) }
        let now = Clock.wallMs()
        var table = Table(["session", "since", "from", ""], call.ink)
        for row in try answered.whole().rows {
            table.add(row.session, TimeText.ago(ms: now - row.createdMs), row.address, row.isHere ? "this one" : "")
        }
        table.print()
    }

    /// Prints a JSON object with a row on each line.
    private static func export(_ user: String?, _ hub: ReconnectingHub) async throws {
        var from = 0
        var rows: [JSON] = []
        while true {
            let answered = try await hub.send(Commands.UserExport(user: user, from: from))
            rows += answered.raw?["rows"]?.array ?? []
            guard let cursor = try answered.whole().cursor, let next = Int(cursor), next > from else { break }
            from = next
        }
        Output.line("{\"rows\":[")
        for (index, row) in rows.enumerated() {
            let text = String(decoding: JSONWriter.bytes { $0.value(row) }, as: UTF8.self)
            Output.line(text + (index + 1 < rows.count ? "," : ""))
        }
        Output.line("]}")
    }
}

extension Verb {
    /// Sets the users who control a room: a rule, named users, or with --off none.
    @Sendable static func controlRoom(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let room = try RoomNames(try await hub.state(withWhole: .rooms)).find(try call.operand(0, "a room"), from: nil)
        var answered = try await hub.send(Commands.RoomControlSet(room: room))
        for word in call.operands.dropFirst() {
            let who = RoomControl.Who(rawValue: word)
            answered = try await hub.send(
                Commands.RoomControlSet(
                    room: room, who: who ?? (call.options.has("off") ? nil : .named), user: who == nil ? word : nil,
                    isOff: who == nil && call.options.has("off")))
        }
        if call.json { return Output.json(answered) }
        let control = try answered.whole()
        switch control.who {
        case .all: Output.line("All may control it whose role allows it.")
        case .users: Output.line("Users who are signed in may control it, and admins.")
        case .named: Output.line("These may control it, and admins: \(control.names.joined(separator: ", "))")
        }
    }

    /// Sets who may see a playlist of the signed-in user.
    @Sendable static func shareList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let list = try await list(call, hub)
        let word = try call.operand(1, "private, shared, link or hub")
        guard let sharing = PlaylistSharing(rawValue: word) else {
            throw Stop(.usage, "A playlist is private, shared, link or hub, not “\(word)”.")
        }
        let answered = try await hub.send(Commands.PlaylistShare(list.id, share: sharing))
        if call.json { return Output.json(answered) }
        guard let link = answered.answer?.link else { return Output.line("“\(list.name)” is \(sharing.rawValue) now.") }
        Output.line("Others see it by: baton playlist show \(list.id) --link \(link)")
    }
}
