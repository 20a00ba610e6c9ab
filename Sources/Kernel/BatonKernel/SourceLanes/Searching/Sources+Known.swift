/// Tracks of servers that the hub knows already. A command that names one does not wait for the server to describe it again.
import BatonCore
import BatonSeams

extension Sources {
    /// Wait for a server before the mirror's row is used: longer than most answers take, and too short for a person to
    /// notice.
    private static let grace = Duration.milliseconds(100)

    func noteShown(_ rows: [ItemRow]) {
        for row in rows where !row.tags.kind.isContainer && !row.isAway {
            shownTracks.note(NewEntry(uri: row.uri, tags: row.tags), of: row.uri)
        }
    }

    /// The queue entries for an item. A server's track is used as it was last shown, as in its copy, or, if the server does
    /// not answer soon, as in the mirror. Other items are resolved by their source. `title` is the title of the copy.
    func entries(of uri: ItemURI, titled title: String?, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        let source = name(of: uri)
        guard remoteNames.contains(source) else { return try await expand(uri, trust: trust) }
        if let shown = shownTracks[uri] { return [shown] }
        if hasCopy(of: uri), let noted = await noted(uri, of: source) ?? title.map({ NewEntry(uri: uri, tags: Tags(title: $0)) }) {
            return [noted]
        }
        let asked = try beginExpanding(uri, of: try await connector(for: uri), trust: trust)
        if problem(of: source) == nil, mirrors[source] != nil, await !asked.question.settles(within: Self.grace, reactor),
            let noted = await noted(uri, of: source)
        {
            // The question goes on, since its result shows whether the server is available.
            return [noted]
        }
        return try await expanded(asked)
    }

    /// The track in the mirror of its source.
    private func noted(_ uri: ItemURI, of source: String) async -> NewEntry? {
        guard let mirror = mirrors[source] else { return nil }
        let row = try? await inBlockingPool { () async throws(SourceFault) in try mirror.row(of: uri, in: source) }
        guard let row = row.flatMap({ $0 }), !row.tags.kind.isContainer else { return nil }
        return NewEntry(uri: row.uri, tags: row.tags)
    }
}
