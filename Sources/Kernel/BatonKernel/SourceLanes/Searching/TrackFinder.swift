package import BatonCore
package import BatonSeams

/// Finds tracks of other sources at one server: by known places, or else by a search there, whose rows are joined as in any
/// search.
@Loop
package struct TrackFinder {
    let sources: Sources
    let connector: any Connector

    /// Number of parallel searches at the server, which leaves capacity for other questions.
    private static let sideBySide = 4
    /// Limit on searched tracks of one command, so that it ends.
    static let most = 500
    private static let rows = 30

    /// The result of a search for many tracks.
    package struct Found {
        /// The server's own tracks, in the order of the entries that they stand for.
        package var uris: [ItemURI] = []
        /// The tracks that the server does not have.
        package var missing: [NewEntry] = []

        package init() {}
    }

    package init(sources: Sources, connector: any Connector) {
        self.sources = sources
        self.connector = connector
    }

    /// Finds the tracks of the entries, four at a time. It fails as a whole if the server does or if too many are unknown.
    package func find(_ entries: [NewEntry]) async throws(SourceFault) -> Found {
        let known = entries.map { place(of: $0) }
        let unknown = entries.indices.filter { known[$0] == nil && FoldKey(entries[$0].tags) != nil }
        guard unknown.count <= Self.most else {
            throw SourceFault(.tooLarge, "At most \(Self.most) tracks of other sources are looked for at once. Send them in parts.")
        }
        var places = known
        for start in stride(from: 0, to: unknown.count, by: Self.sideBySide) {
            let part = unknown[start..<min(unknown.count, start + Self.sideBySide)]
            var questions: [(Int, AskedSource<ItemPage>)] = []
            for at in part { questions.append((at, try question(entries[at].tags))) }
            for (at, question) in questions {
                let page = try await sources.answer(to: question)
                places[at] = match(entries[at], in: page.rows)
            }
            if Task.isCancelled { throw .cancelled }
        }
        var found = Found()
        for (entry, place) in zip(entries, places) {
            if let place { found.uris.append(place) } else { found.missing.append(entry) }
        }
        return found
    }

    /// The entry's own URI if it belongs to this server, or else a known place of its track there.
    private func place(of entry: NewEntry) -> ItemURI? {
        let all = [entry.uri] + entry.alternatives + (sources.knownVariants.others(of: entry.uri) ?? [])
        return all.first { sources.name(of: $0) == connector.source }
    }

    private func question(_ tags: Tags) throws(SourceFault) -> AskedSource<ItemPage> {
        let words = "\(tags.title) \(tags.artists.joined(separator: " "))"
        let query = SearchQuery(words, kinds: [.track], window: PageWindow(limit: Self.rows))
        return try sources.begin(connector, within: Sources.Limit.item) { connector throws(SourceFault) in try await connector.search(query)
        }
    }

    private func match(_ entry: NewEntry, in rows: [ItemRow]) -> ItemURI? {
        guard let key = FoldKey(entry.tags) else { return nil }
        let near = rows.compactMap { row -> (apart: Milliseconds, uri: ItemURI)? in
            guard let other = FoldKey(row), other.text == key.text, !sources.splits.contains(entry.uri, row.uri) else { return nil }
            let apart = (other.durationMs - key.durationMs).magnitude
            return apart <= FoldKey.toleranceMs ? (apart, row.uri) : nil
        }
        return near.min { $0.apart < $1.apart }?.uri
    }
}
