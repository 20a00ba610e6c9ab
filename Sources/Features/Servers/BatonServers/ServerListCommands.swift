package import BatonCore
package import BatonKernel
package import BatonProtocol
package import BatonSeams

/// Commands that create, change and delete playlists at servers, one after the other.
///
/// A started edit is completed when its sender is gone, so that a repeat of the command gets the answer.
@Loop
package final class ServerListCommands: ServerListEditing {
    private let sources: Sources
    private let items: ItemExpansion
    private let mirrored: MirroredLists
    private let changes: RoomChanges
    private let playlistLength: Int
    /// The last edit; each waits for the one before it.
    private var last: Task<Void, Never>?
    private var edits: [Int: Task<Answer, Never>] = [:]
    private var numbers = 0
    private static let mostWaiting = 64
    private static let limit: Duration = .seconds(60)

    init(sources: Sources, items: ItemExpansion, mirrored: MirroredLists, changes: RoomChanges, limits: WireLimits) {
        self.sources = sources
        self.items = items
        self.mirrored = mirrored
        self.changes = changes
        playlistLength = limits.playlistLength
    }

    func close() async {
        for edit in edits.values { edit.cancel() }
        await last?.value
    }

    package func create(_ name: String, of uris: [ItemURI], at source: String, for accepted: AcceptedCommand) async throws(ProtocolFault)
        -> Answer
    {
        try await inTurn(accepted) { [self] () async throws(ProtocolFault) in
            let connector = try await storage(source)
            let found = try await find(uris, at: connector, for: accepted) { "/p/uris/\($0)" }
            var steps: [SourceListEdit.Change] = [.create(name: name)]
            if !found.uris.isEmpty { steps.append(.insert(found.uris, at: 0)) }
            return try await make(SourceListEdit(list: nil, steps), at: connector, with: found, for: accepted)
        }
    }

    package func edit(
        _ list: ItemURI, from version: String?, by ops: [PlaylistOp], for accepted: AcceptedCommand
    ) async throws(ProtocolFault) -> Answer {
        try await inTurn(accepted) { [self] () async throws(ProtocolFault) in
            let connector = try await storage(sources.name(of: list))
            var (steps, all): ([SourceListEdit.Change], TrackFinder.Found) = ([], .init())
            for (index, op) in ops.enumerated() {
                switch op {
                case .add(let uris, _), .indexed(.insert(let uris, _)):
                    let found = try await find(uris, at: connector, for: accepted) { "/p/ops/\(index)/add/\($0)" }
                    let place = if case .indexed(.insert(_, let place)) = op { place } else { Int.max }
                    steps.append(.insert(found.uris, at: place))
                    all.uris += found.uris
                    all.missing += found.missing
                case .plain(.rename(let name)): steps.append(.rename(name))
                case .indexed(.remove(let places)): steps.append(.remove(places))
                case .indexed(.move(let from, let to)): steps.append(.move(from: from, to: to))
                case .indexed(.describe(let text)): steps.append(.describe(text))
                case .indexed(.publish(let isPublic)): steps.append(.setPublic(isPublic))
                case .plain: throw ProtocolFault(.badRequest, "A list that a server keeps does not know this step.", at: "/p/ops/\(index)")
                }
            }
            return try await make(SourceListEdit(list: list, base: version, steps), at: connector, with: all, for: accepted)
        }
    }

    package func delete(_ list: ItemURI, from version: String?, for accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        try await inTurn(accepted) { [self] () async throws(ProtocolFault) in
            let connector = try await storage(sources.name(of: list))
            return try await make(SourceListEdit(list: list, base: version, [.delete]), at: connector, with: nil, for: accepted)
        }
    }

    // MARK: Steps

    private func storage(_ source: String) async throws(ProtocolFault) -> any Connector {
        try await ProtocolFault.translating { () async throws(SourceFault) in
            let connector = try await sources.connector(named: source)
            guard connector.about.abilities.contains(.lists) else {
                throw SourceFault(.unsupported, "The source “\(connector.about.name)” keeps no lists that can be edited.")
            }
            return connector
        }
    }

    /// The server's own tracks for these items.
    private func find(
        _ uris: [ItemURI], at connector: any Connector, for accepted: AcceptedCommand, pointer: (Int) -> String
    ) async throws(ProtocolFault) -> TrackFinder.Found {
        guard !uris.isEmpty else { return .init() }
        let caller = accepted.identity
        let entries = try await items.items(
            of: uris, by: caller.person, trust: caller.trust, most: playlistLength, in: "playlist", at: pointer)
        let found = try await ProtocolFault.translating { () async throws(SourceFault) in
            try await TrackFinder(sources: sources, connector: connector).find(entries)
        }
        guard found.uris.isEmpty else { return found }
        let what = entries.count == 1 ? "“\(entries[0].tags.title)” is" : "None of the \(entries.count) tracks is"
        throw ProtocolFault(.notFound, "\(what) at “\(connector.about.name)”, so its list cannot hold it.")
    }

    private func make(
        _ edit: SourceListEdit, at connector: any Connector, with found: TrackFinder.Found?, for accepted: AcceptedCommand
    ) async throws(ProtocolFault) -> Answer {
        let list = try await ProtocolFault.translating { () async throws(SourceFault) in
            try await sources.ask(connector, within: Self.limit) { connector throws(SourceFault) in try await connector.edit(edit) }
        }
        mirrored.refresh(list, of: connector, isGone: edit.changes.contains(.delete))
        let data = found.map { found in
            let missing = found.missing.prefix(100).map {
                PlaylistEdited.Missing(uri: $0.uri, title: $0.tags.title, artists: $0.tags.artists)
            }
            return PlaylistEdited(list: list, count: found.uris.count, missed: found.missing.count, missing: Array(missing))
        }
        return changes.done(true, for: accepted, data)
    }

    // MARK: One after the other

    private func inTurn(
        _ accepted: AcceptedCommand, _ work: @escaping @Loop () async throws(ProtocolFault) -> Answer
    ) async throws(ProtocolFault) -> Answer {
        guard edits.count < Self.mostWaiting else { throw ProtocolFault(.busy, "Too many edits of lists at servers wait.") }
        let before = last
        let kept = StoredAnswers(ledger: changes.ledger)
        let edit: @Loop () async -> Answer = {
            await before?.value
            do throws(ProtocolFault) {
                // The same command may have come by another connection meanwhile.
                if let known = try kept.answer(to: accepted) { return known }
                return try await work()
            } catch {
                return Answer(accepted.id, error)
            }
        }
        let task = Task(executorPreference: Loop.jobs) { await edit() }
        numbers += 1
        let number = numbers
        edits[number] = task
        last = Task(executorPreference: Loop.jobs) { [weak self] in
            _ = await task.value
            await self?.hasEnded(number)
        }
        return await task.value
    }

    private func hasEnded(_ number: Int) { edits[number] = nil }
}
