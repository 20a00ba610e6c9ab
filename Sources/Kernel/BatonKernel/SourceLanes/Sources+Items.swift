package import BatonCore
package import BatonSeams

/// Questions about items: their entries, their details, and their playable form.
extension Sources {
    /// Resolves an item with the trust of the client that added it. It was allowed then, but its name may lead to something
    /// else now.
    func resolve(_ uri: ItemURI, trust: Trust, within limit: Duration = Limit.item) async throws(SourceFault) -> Playable {
        try await ask(connector(for: uri), within: limit) { connector throws(SourceFault) in
            try await connector.resolve(uri, trust: trust)
        }
    }

    /// The copy on disk, or else the source's playable form.
    package func playable(of uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        if prefersCopy(of: uri) {
            if let kept = await kept(uri) { return kept }
            return try await resolve(uri, trust: trust)
        }
        do throws(SourceFault) { return try await resolve(uri, trust: trust, within: searchDeadline) } catch {
            guard let kept = await kept(uri) else { throw error }
            return kept
        }
    }

    /// The copy of a track on disk, while its source is one of this hub.
    package func kept(_ uri: ItemURI) async -> Playable? {
        let isAsked = keptTracks?.has(uri) == true
        guard isAsked || keeping?.has(uri) == true, connectors.contains(where: { $0.source == name(of: uri) }) else { return nil }
        if isAsked, let keptTracks {
            let file = try? await inBlockingPool { () async throws(SourceFault) in keptTracks.copy(of: uri) }
            if let file = file.flatMap({ $0 }) { return Playable(.file(file)) }
            events.send(.copyLost(uri))
        }
        guard let keeping, keeping.has(uri) else { return nil }
        let file = try? await inBlockingPool { () async throws(SourceFault) in keeping.copy(of: uri) }
        return file.flatMap { $0 }.map { Playable(.file($0)) }
    }

    /// True when a track is known to play without its source. This does not ask the disk.
    package func hasCopy(of uri: ItemURI) -> Bool { keptTracks?.has(uri) == true || keeping?.has(uri) == true }

    /// The original bytes of a track, for a copy on disk; playing uses `playable`.
    package func download(_ uri: ItemURI) async throws(SourceFault) -> NamedBytes {
        try await ask(connector(for: uri), within: Limit.item) { connector throws(SourceFault) in try await connector.download(uri) }
    }

    /// The tracks of an item in order, or the item itself; more than a queue can hold are refused.
    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        try await expanded(beginExpanding(uri, of: connector(for: uri), trust: trust))
    }

    func beginExpanding(_ uri: ItemURI, of connector: any Connector, trust: Trust) throws(SourceFault) -> AskedSource<[NewEntry]> {
        try begin(connector, within: Limit.whole) { connector throws(SourceFault) in try await connector.expand(uri, trust: trust) }
    }

    func expanded(_ asked: AskedSource<[NewEntry]>) async throws(SourceFault) -> [NewEntry] {
        let entries = try await answer(to: asked)
        guard entries.count <= Self.mostEntries else { throw tooMuch(asked.connector, "tracks of one item") }
        return entries
    }

    /// Limit on the tracks of one item, which is the limit of a queue. Longer answers are not accepted.
    private static let mostEntries = 10_000

    func tooMuch(_ connector: any Connector, _ what: String) -> SourceFault {
        SourceFault(.tooLarge, "The source “\(connector.about.name)” answered with too many \(what).")
    }

    /// The details of one item. When a source can only expand its items, the expansion is used.
    package func details(of uri: ItemURI, trust: Trust) async throws(SourceFault) -> ItemDetails {
        let connector = try await connector(for: uri)
        do throws(SourceFault) {
            let details = try await ask(connector, within: Limit.item) { connector throws(SourceFault) in
                try await connector.details(of: uri)
            }
            if isRemote(connector) { noteShown([details.row]) }
            return details
        } catch {
            guard error.code == .unsupported, let only = try await expand(uri, trust: trust).only else { throw error }
            return ItemDetails(row: ItemRow(uri: only.uri, tags: only.tags))
        }
    }

    /// The item that comes after this one at its source, such as the next book of a series; `nil` for the last one.
    package func following(_ uri: ItemURI) async throws(SourceFault) -> ItemRow? {
        try await ask(connector(for: uri), within: Limit.item) { connector throws(SourceFault) in try await connector.following(uri) }
    }

    /// The lyrics; `nil` if the source has none for the item, or is down and has a mirror.
    package func lyrics(of uri: ItemURI) async throws(SourceFault) -> Lyrics? {
        try await ask(connector(for: uri), within: Limit.item) { connector throws(SourceFault) in try await connector.lyrics(of: uri) }
    }

    /// The source of a picture's bytes. An id without a source is a hash of the content, which any source may have.
    package func picture(_ id: ArtworkID) async throws(SourceFault) -> PictureSource {
        var missing = SourceFault(.notFound, "There is no picture “\(id.text)”.")
        let owners = id.source.map { source in connectors.filter { $0.source == source } } ?? connectors
        for connector in owners where connector.about.abilities.contains(.pictures) {
            do throws(SourceFault) {
                return try await ask(connector, within: Limit.item) { connector throws(SourceFault) in
                    try await connector.picture(id.name)
                }
            } catch  where error.code == .notFound {
                continue
            } catch {
                missing = error
            }
        }
        throw missing
    }

    // MARK: Disk of the hub

    /// Asks the hub's own disk within a time limit, since the answer is optional.
    package func limited<Answer: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let question = Question<Answer>()
        let late = SourceFault(.unavailable, "The hub's disk takes too long to answer.")
        question.ask(in: blockingPool, within: limit, reactor, orElse: late, body)
        switch await question.answer {
        case .success(let answer): return answer
        case .failure(let fault): throw fault
        }
    }
}

extension [NewEntry] {
    fileprivate var only: NewEntry? { count == 1 ? first : nil }
}
