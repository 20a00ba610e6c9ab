import BatonClient
import BatonCore
import BatonProtocol

/// Links that play a room as a stream: `baton listen links`, `link` and `revoke`.
extension Verb {
    static func streamLinks(_ word: String, for call: Invocation, on satellite: Satellite) async throws {
        switch word {
        case "links":
            guard call.operands.count == 1 else {
                throw Stop(.usage, "listen links takes nothing behind it; another room is named by --room.")
            }
            try await listLinks(call, satellite)
        case "link": try await makeLink(call, satellite)
        case "revoke": try await revokeLink(call, satellite)
        default: throw unknown(word, of: "listen", among: ["link", "links", "revoke"])
        }
    }

    private static func makeLink(_ call: Invocation, _ satellite: Satellite) async throws {
        let words = call.operands.dropFirst()
        try await satellite.withHub(call) { hub in
            let names = RoomNames(try await hub.state(withWhole: .rooms))
            let named = call.options["room"] == nil ? names.leading(words) : nil
            let name = words.dropFirst(named?.words ?? 0).joined(separator: " ")
            let answered = try await hub.send(Commands.ListenLink(name: name.isEmpty ? nil : name), room: named?.room)
            if call.json { return Output.json(answered) }
            let made = try answered.whole()
            let base = try await address(of: hub)
            Output.line("\(base)\(made.mp3)")
            Output.line("\(base)\(made.opus)")
            Output.line("\(base)\(made.list)")
            if let named { Output.line("They play the room \(names.name(of: named.room)).") }
            Output.line("The first is MP3 for radios and cars, the second Ogg Opus, the third a list for players. They are shown only now.")
            Output.line("Take them back with: baton listen revoke \(made.link)")
        }
    }

    private static func listLinks(_ call: Invocation, _ satellite: Satellite) async throws {
        try await satellite.withHub(call) { hub in
            let answered = try await hub.send(Commands.ListenLinks())
            if call.json { return Output.json(answered) }
            let list = try answered.whole()
            if list.rows.isEmpty {
                return Output.line("This room has no links. Make one for a radio or a car: baton listen link [ROOM] [NAME]")
            }
            let now = Clock.wallMs()
            var table = Table(["link", "for", "made by", ""], call.ink)
            table.paint(column: 0, .bold)
            for row in list.rows { table.add(row.link, row.name, row.author, TimeText.ago(ms: now - row.madeMs)) }
            table.print()
            if list.hearing > 0 { Output.line("Listening by links now: \(list.hearing)") }
        }
    }

    private static func revokeLink(_ call: Invocation, _ satellite: Satellite) async throws {
        guard call.operands.count == 2 else { throw Stop(.usage, "listen revoke needs a link of baton listen links, and nothing else.") }
        let link = call.operands[1]
        try await satellite.withHub(call) { hub in
            try await hub.send(Commands.ListenRevoke(link))
            Output.done("The link \(link) opens nothing any more.", call)
        }
    }

    /// The hub's address for a radio: the one that this program uses, or that of the hub's page if this is a socket.
    private static func address(of hub: ReconnectingHub) async throws -> String {
        switch hub.endpoint {
        case .tcp: return "http://\(hub.endpoint)"
        case .tls: return "https://\(hub.endpoint)"
        case .unix: break
        }
        guard let page = try await hub.ask(Commands.Info()).pages.first else {
            throw Stop(.refused, "This hub listens on its socket only, so no radio can reach it.")
        }
        return page.hasSuffix("/") ? String(page.dropLast()) : page
    }
}
