import BatonClient
import BatonCore
import BatonProtocol

/// Verbs that print documents generated from the tables of verbs and settings: the manual, completions and schemas.
extension Verb {
    static let documents: [Verb] = [
        Verb(
            "manual", usages: [("manual [baton|batond|batond.conf]", "a page of the manual, for man")], isOfRoom: false, json: [:],
            run: manual),
        Verb(
            "completions", usages: [("completions bash|zsh|fish", "what this shell reads to complete command lines")], isOfRoom: false,
            json: [:], run: completions),
        Verb("schema", usages: [("schema", "a JSON Schema of what verbs print with --json")], isOfRoom: false, json: [:], run: schema),
        Verb(
            "complete", usages: [("complete -- WORDS...", "what may stand next on this command line; shells ask it")], json: [:],
            run: complete),
    ]

    @Sendable private static func manual(_ call: Invocation, _ satellite: Satellite) async throws {
        let name = try call.operandIfAny() ?? "baton"
        guard let text = ManualPages.text(of: name) else { throw unknown(name, of: "manual", among: ManualPages.names) }
        Output.verbatim(text, terminator: "")
    }

    @Sendable private static func completions(_ call: Invocation, _ satellite: Satellite) async throws {
        let shell = try call.onlyOperand("the name of a shell: \(CompletionScripts.shells.joined(separator: ", "))")
        guard let text = CompletionScripts.text(for: shell) else {
            throw unknown(shell, of: "completions", among: CompletionScripts.shells)
        }
        Output.verbatim(text, terminator: "")
    }

    @Sendable private static func schema(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        Output.verbatim(JSONForms.document)
    }

    // MARK: Completing

    /// Time limit of a completion, because a person waits for it. A hub that does not answer is not reported.
    private static let patience = Duration.milliseconds(200)
    private static let mostItems = 40

    @Sendable private static func complete(_ call: Invocation, _ satellite: Satellite) async throws {
        let line = CommandLineSoFar(call.operands)
        for candidate in line.candidates { print(candidate) }
        if line.asks.contains(.files) { Output.verbatim("/") }
        if line.asks.contains(.hubs) { for hub in satellite.memory.known { print(.init(hub.name, hub.address)) } }
        let asks = line.asks.filter { $0 != .files && $0 != .hubs }
        guard !asks.isEmpty else { return }
        let found = try? await limited(to: patience, sentence: "") {
            try await satellite.withNearestHub(line.hub ?? call.hub, for: call) { hub in
                var found: [CommandLineSoFar.Candidate] = []
                for ask in asks { found += (try? await candidates(for: ask, line.current, hub)) ?? [] }
                return found
            }
        }
        let typed = line.current.lowercased()
        var told: Set<String> = []
        for candidate in found ?? [] where candidate.word.lowercased().hasPrefix(typed) && told.insert(candidate.word).inserted {
            print(candidate)
        }
    }

    /// Prints a candidate. Names with control characters are skipped, because a person cannot type them.
    private static func print(_ candidate: CommandLineSoFar.Candidate) {
        guard !candidate.word.isEmpty, VisibleText.of(candidate.word) == candidate.word else { return }
        Output.line(candidate.about.isEmpty ? candidate.word : "\(candidate.word)\t\(VisibleText.of(candidate.about))")
    }

    private static func candidates(
        for ask: CommandLineSoFar.Ask, _ typed: String, _ hub: ReconnectingHub
    ) async throws -> [CommandLineSoFar.Candidate] {
        switch ask {
        case .rooms: return (try await hub.state(withWhole: .rooms).rooms?.rooms ?? []).map { .init($0.name, $0.id.text) }
        case .sources: return (try await hub.state().sources?.sources ?? []).map { .init($0.name, $0.title) }
        case .playlists: return try await hub.playlists().rows.map { .init($0.name, "playlist, \($0.count) tracks") }
        case .podcasts:
            return try await hub.send(Commands.PodcastListing(page: PageRequest(limit: 100))).whole().rows.map {
                .init($0.title, "podcast")
            }
        case .devices: return try await hub.devices().list.rows.map { .init($0.name, $0.role.rawValue) }
        case .stations:
            let search = typed.isEmpty ? Commands.RadioList() : Commands.RadioList(words: typed)
            return try await hub.send(search).whole().rows.map { .init($0.station.title, "station") }
        case .items:
            // A search starts at two letters, because one letter matches thousands of items.
            guard typed.count > 1, !typed.contains(":"), !typed.contains("/") else { return [] }
            return try await hub.items(Commands.Search(typed), most: mostItems).list.rows.map { row in
                let by = row.tags.artists.isEmpty ? row.tags.albumArtist : row.tags.artists.joined(separator: ", ")
                return .init(row.tags.title, [row.tags.kind.rawValue, by].filter { !$0.isEmpty }.joined(separator: ", "))
            }
        case .files, .hubs: return []
        }
    }
}

extension Satellite {
    /// Runs `body` with the named hub, else this machine's, else the last one used, without searching the network.
    func withNearestHub<Result: Sendable>(
        _ name: String?, for call: Invocation, run body: @escaping @Sendable (ReconnectingHub) async throws -> Result
    ) async throws -> Result {
        let named = name.flatMap {
            memory.knownHub(called: $0)?.endpoint ?? ($0.contains(":") || $0.contains("/") ? Endpoint(text: $0).map(memory.pinned) : nil)
        }
        guard let endpoint = name == nil ? finder.localSocket ?? memory.lastHub : named else { throw CancellationError() }
        return try await ReconnectingHub.withHub(
            try plan(endpoint, call), over: transport, settings: .brief(), nowUs: Clock.nowUs, run: body)
    }
}
