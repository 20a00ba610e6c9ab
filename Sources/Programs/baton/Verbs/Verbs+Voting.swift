import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// The people in a room: listing and removing them, and votes to skip the current item.
extension Verb {
    static func showListeners(_ mirror: Mirror, _ call: Invocation) {
        let section = mirror.listeners ?? ListenersSection()
        if call.json { return Output.json(section.encode) }
        let ink = call.ink
        let now = Clock.wallMs()
        var table = Table(["name", "device", "role", "", "since"], ink)
        table.paint(column: 0, .bold)
        for person in section.listeners where !(person.name == call.ownName && now - person.sinceMs < Presence.passingMs) {
            table.add(person.name, person.device ?? "", person.role.rawValue, part(of: person), TimeText.ago(ms: now - person.sinceMs))
        }
        table.print()
        if let vote = section.vote, vote.count > 0 { Output.line("\(vote.count) of \(vote.needed) votes for skipping what plays") }
    }

    /// A person's part in the room. Devices that play along report their own state, which the hub cannot know.
    private static func part(of person: ListenersSection.Listener) -> String {
        guard let report = person.report else { return person.hears ? "hears it" : "looks" }
        guard let driftUs = report.driftUs else { return "plays along" }
        var words = report.isInStep ? "plays along, in step by its own report" : "plays along, not in step by its own report"
        words += ": \(TimeText.milliseconds(us: driftUs)) ms off"
        if let delayMs = report.delayMs, delayMs != 0 { words += ", begins \(delayMs.magnitude) ms \(delayMs > 0 ? "earlier" : "later")" }
        if let bufferMs = report.bufferMs { words += ", \(bufferMs.seconds) s held" }
        if let starts = report.starts, starts > 0 { words += ", begun anew \(starts) time\(starts == 1 ? "" : "s")" }
        return words
    }

    static func kick(_ call: Invocation, _ satellite: Satellite) async throws {
        let minutes = try call.options["minutes"].map { text throws(Stop) in
            guard let minutes = Int(text), RoomPresence.minutes.contains(minutes) else {
                throw Stop(.usage, "--minutes takes a number from 1 to \(RoomPresence.minutes.upperBound).")
            }
            return minutes
        }
        guard call.operands.count == 2 else { throw Stop(.usage, "people kick needs the name of a person; put quotation marks around it.") }
        let name = call.operands[1]
        try await satellite.withHub(call) { hub in
            let listeners = try await hub.state(withWhole: .listeners).listeners?.listeners ?? []
            let found = listeners.filter { $0.who == name || $0.name.lowercased() == name.lowercased() }
            guard let person = found.first else {
                throw Stop(.refused, "There is no “\(name)” in this room. For those who are there: baton people --long")
            }
            guard found.count == 1 else {
                let words = found.map(\.who).joined(separator: ", ")
                throw Stop(.usage, "Several people are called “\(name)”. Name one by its word: \(words)")
            }
            try await hub.send(Commands.PeopleKick(person.who, minutes: minutes ?? 10), key: Keys.random())
            Output.done("\(person.name) was sent out for \(minutes ?? 10) minutes.", call)
        }
    }

    @Sendable static func vote(_ call: Invocation, _ satellite: Satellite) async throws {
        try await satellite.withHub(call) { hub in
            let mirror = try await hub.state()
            guard !call.operands.isEmpty else {
                guard let entry = mirror.now?.entry else { throw Stop(.refused, "Nothing plays that could be skipped.") }
                try await hub.send(Commands.VoteSkip(entry), key: Keys.random())
                return Output.done("You have voted for skipping it.", call)
            }
            guard call.operands.count == 2, call.operands[0] == "rule", let share = share(call.operands[1]) else {
                throw Stop(.usage, "vote takes no words, or: vote rule half, vote rule off, vote rule 40%.")
            }
            try await hub.send(Commands.VoteRule(share), key: Keys.random())
            let said = share == 0 ? "There is no voting here now." : "\(share / 10) % of those who hear the room can skip what plays now."
            Output.done(said, call)
        }
    }

    /// A share in permille.
    private static func share(_ text: String) -> Int? {
        switch text {
        case "off": return 0
        case "half": return RoomPresence.usualShare
        default:
            guard text.hasSuffix("%"), let percent = Int(text.dropLast()), 1...100 ~= percent else { return nil }
            return percent * 10
        }
    }
}
