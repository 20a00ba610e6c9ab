import BatonClient
import Configuration

/// A verb of `baton`. All verbs form a table, from which the dispatcher, help, manual, completions and output schemas
/// are generated.
struct Verb: Sendable {
    typealias Run = @Sendable (Invocation, Satellite) async throws -> Void

    let name: String
    let usages: [(usage: String, says: String)]
    /// Its own options, in the order of its help.
    let options: [Arguments.Option]
    /// Takes `--room`.
    let isOfRoom: Bool
    /// Prints items and accepts `--format`.
    let formats: Bool
    /// The form of its `--json` output by subcommand; the empty name stands for all others.
    let json: KeyValuePairs<String, JSONForm>
    let run: Run
    /// Uses the whole terminal and prints nothing.
    let isFullScreen: Bool

    init(
        _ name: String, usages: [(usage: String, says: String)], options: [Arguments.Option] = [], isOfRoom: Bool = true,
        formats: Bool = false,
        json: KeyValuePairs<String, JSONForm> = ["": .status], isFullScreen: Bool = false, run: @escaping Run
    ) {
        self.name = name
        self.usages = usages
        self.options = options
        self.isOfRoom = isOfRoom
        self.formats = formats
        self.json = json
        self.isFullScreen = isFullScreen
        self.run = run
    }

    static let groups: [(title: String, verbs: [Verb])] = [
        ("Playing", playing), ("Books, bookmarks and sleep", listening), ("The queue, rooms and people", rooms), ("Finding", finding),
        ("Playlists, libraries, stations and servers", keeping), ("Music made from words", making), ("The hub", hub),
    ]

    static let all: [Verb] = groups.flatMap(\.verbs)
    /// Rarely typed verbs, which appear only in the manual.
    static let hidden: [Verb] = documents

    /// The options of all verbs, because an option may precede its verb. Options with the same name are parsed alike.
    static let allOptions: [Arguments.Option] = (all + hidden).flatMap(\.options)

    static func named(_ name: String) -> Verb? { all.first { $0.name == name } ?? hidden.first { $0.name == name } }

    func has(_ option: String) -> Bool { options.contains { $0.name == option } }

    /// Its first words according to its usages, such as `add` and `next` for `queue`.
    var subcommands: [String] {
        var found: [String] = []
        for usage in usages.flatMap({ $0.usage.split(separator: ",") }) {
            let words = usage.split(separator: " ")
            guard words.count > 1, words[0] == name else { continue }
            for word in words[1].split(separator: "|") where word.allSatisfy({ $0.isLowercase || $0 == "-" }) && !word.hasPrefix("-") {
                if !found.contains(String(word)) { found.append(String(word)) }
            }
        }
        return found
    }
}

/// Verbs with subcommands: the first word names one; without a word the list is shown.
extension Verb {
    typealias Choice = @Sendable (Invocation, ReconnectingHub) async throws -> Void
    typealias Choices = KeyValuePairs<String, Choice>

    static func chooses(_ choices: Choices) -> Run { { call, satellite in try await choose(among: choices, call, satellite) } }

    static func choose(among choices: Choices, _ call: Invocation, _ satellite: Satellite) async throws {
        let verb = call.verb
        var call = call
        let name = call.operands.isEmpty ? "list" : call.operands.removeFirst()
        guard let choice = choices.first(where: { $0.key == name })?.value else { throw unknown(name, of: verb, among: choices.map(\.key)) }
        call.verb = "\(verb) \(name)"
        try await satellite.withHub(call) { [call] hub in
            _ = try await hub.state()
            try await choice(call, hub)
        }
    }

    static func unknown(_ name: String, of verb: String, among names: [String]) -> Stop {
        let meant = Spelling.nearest(to: name, among: names).map { "Did you mean \($0)? " } ?? ""
        return Stop(.usage, "\(verb) cannot “\(name)”. \(meant)It can: \(names.joined(separator: ", ")).")
    }
}
