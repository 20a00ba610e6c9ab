/// Tracks of servers that the hub knows by itself. A command that names one does not wait for the server to say again what it has
/// said before.
package import BatonCore
package import BatonSeams

extension Sources {
    /// Longer than most servers take to answer, shorter than a person notices.
    private static let grace = Duration.milliseconds(100)

    func noteShown(_ rows: [ItemRow]) {
        for row in rows where !row.tags.kind.isContainer && !row.isAway {
            shownTracks.note(NewEntry(uri: row.uri, tags: row.tags), of: row.uri)
        }
    }

    /// The entries that a queue gets for an item: a track of a server as it was shown last, as its copy has it, or as it was noted
    /// if the server does not answer soon; else as its source says. `title` is that of its copy.
    package func entries(of uri: ItemURI, titled title: String?, trust: Trust) async throws(SourceFault) -> [NewEntry] {
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
            // The question goes on: it shows whether the server is there.
            return [noted]
        }
        return try await expanded(asked)
    }

    /// A track as it was noted for when its server is away.
    private func noted(_ uri: ItemURI, of source: String) async -> NewEntry? {
        guard let mirror = mirrors[source] else { return nil }
        let row = try? await inBlockingPool { () async throws(SourceFault) in try mirror.row(of: uri, in: source) }
        guard let row = row.flatMap({ $0 }), !row.tags.kind.isContainer else { return nil }
        return NewEntry(uri: row.uri, tags: row.tags)
    }
}
