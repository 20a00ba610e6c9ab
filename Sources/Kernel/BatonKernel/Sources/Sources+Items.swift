package import BatonCore
package import BatonSeams

/// What is asked about items: what they stand for, what they are, and how they are heard.
extension Sources {
    /// What a queue holds was allowed when it was added. What its name leads to can have changed since, so it is
    /// looked up with the trust of the client that added it.
    func resolve(_ uri: ItemURI, trust: Trust, within limit: Duration = Limit.item) async throws(SourceFault) -> Playable {
        try await ask(connector(for: uri), within: limit) { connector throws(SourceFault) in
            try await connector.resolve(uri, trust: trust)
        }
    }

    /// The copy on disk where there is one, else what the source gives.
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

    /// The copy of a track on disk, as long as its source is one of this hub.
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

    /// Whether a track plays without its source, as far as that is known without asking the disk.
    package func hasCopy(of uri: ItemURI) -> Bool { keptTracks?.has(uri) == true || keeping?.has(uri) == true }

    package func download(_ uri: ItemURI) async throws(SourceFault) -> NamedBytes {
        try await ask(connector(for: uri), within: Limit.item) { connector throws(SourceFault) in try await connector.download(uri) }
    }

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

    /// No item holds more tracks than a queue can; a source that answers with more is not to be believed.
    private static let mostEntries = 10_000

    func tooMuch(_ connector: any Connector, _ what: String) -> SourceFault {
        SourceFault(.tooLarge, "The source “\(connector.about.name)” answered with too many \(what).")
    }

    /// What is known of one item. A source that knows no more of its items than what they expand to is
    /// asked that.
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

    package func following(_ uri: ItemURI) async throws(SourceFault) -> ItemRow? {
        try await ask(connector(for: uri), within: Limit.item) { connector throws(SourceFault) in try await connector.following(uri) }
    }

    package func lyrics(of uri: ItemURI) async throws(SourceFault) -> Lyrics? {
        try await ask(connector(for: uri), within: Limit.item) { connector throws(SourceFault) in try await connector.lyrics(of: uri) }
    }

    /// Where the bytes of a picture are. A name without a source is a picture's content, which any source may have.
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

    // MARK: The hub's own disk

    /// Asks the hub's own disk; a question has a time limit, since its answer decides nothing.
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
