import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// `baton mpd`: programs that control the hub by the protocol of MPD, and their passwords.
extension Verb {
    private static let mpdName = "mpd"

    @Sendable static func mpd(_ call: Invocation, _ satellite: Satellite) async throws {
        switch call.operands.first ?? "list" {
        case "list": try await satellite.withHub(call) { try await showPrograms(call, $0) }
        case "on", "off":
            let isOn = call.operands.first == "on"
            try await satellite.withHub(call) { hub in
                try await hub.send(Commands.DialectSet(mpdName, isOn: isOn))
                Output.done(isOn ? "Programs of MPD may connect." : "Programs of MPD may not connect any more.", call)
            }
        case "password": try await password(call, satellite)
        case let other: throw unknown(other, of: "mpd", among: ["list", "on", "off", "password"])
        }
    }

    private static func password(_ call: Invocation, _ satellite: Satellite) async throws {
        let passwords = call.operands.dropFirst().first ?? "list"
        switch passwords {
        case "list": try await satellite.withHub(call) { try await listPasswords(call, $0) }
        case "add":
            let name = try call.operand(2, "a name for the password")
            let role = try call.wantedRole() ?? .remote
            // It is typed before the connection, so that no connection waits for it.
            let add = Commands.DialectPasswordAdd(mpdName, name: name, password: try Password.new("Password \(name): "), role: role)
            try await satellite.withHub(call, settings: call.passwordSettings) { hub in
                try await hub.send(add)
                Output.done("Programs with the password \(name) come in with the role \(role.rawValue).", call)
            }
        case "remove":
            let name = try call.operand(2, "the name of a password")
            try await satellite.withHub(call) { hub in
                try await hub.send(Commands.DialectPasswordRemove(mpdName, name: name))
                Output.done("The password \(name) is removed; programs that came in by it are disconnected.", call)
            }
        case let other: throw unknown(other, of: "mpd password", among: ["list", "add", "remove"])
        }
    }

    // MARK: Lists

    private static func showPrograms(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let answered = try await hub.send(Commands.Dialects())
        if call.json { return Output.json(answered) }
        guard let mpd = try answered.whole().rows.first(where: { $0.dialect == mpdName }) else {
            return Output.line("This hub does not speak the protocol of MPD.")
        }
        Output.line(mpd.sentence)
        guard !mpd.programs.isEmpty else { return }
        let now = Clock.wallMs()
        var table = Table(["from", "password", "role", "room", "last command", ""], call.ink)
        for program in mpd.programs {
            table.add(
                program.address, program.password ?? "", program.role.rawValue, program.room.text, program.command ?? "",
                program.wallMs.map { TimeText.ago(ms: now - $0) } ?? "")
        }
        table.print()
    }

    private static func listPasswords(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let answered = try await hub.send(Commands.DialectPasswords(mpdName))
        if call.json { return Output.json(answered) }
        let rows = try answered.whole().rows
        if rows.isEmpty { return Output.line("There is no password. Make one: baton mpd password add NAME") }
        let now = Clock.wallMs()
        var table = Table(["password", "role", "since"], call.ink)
        table.paint(column: 0, .bold)
        for row in rows { table.add(row.name, row.role.rawValue, TimeText.ago(ms: now - row.createdMs)) }
        table.print()
    }
}

extension DialectList.Row {
    /// Whether it is on, where, and how many programs are connected.
    var sentence: String {
        let known = connected == 1 ? "One program is connected" : "\(connected == 0 ? "No" : "\(connected)") programs are connected"
        let places = addresses.isEmpty ? "" : " at \(addresses.joined(separator: ", "))"
        guard isOn else { return "It is switched off." }
        return problem.map { "\($0) \(known)\(places)." } ?? "\(known)\(places)."
    }
}
