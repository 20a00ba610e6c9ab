import BatonCore
import BatonSeams

/// A source with a mirror of its rows. The rows come from the mirror while the source is unavailable, and for pages that
/// began there.
///
/// All other calls go to the source, or fail at once with the reason why it is unavailable.
struct MirroredSource: Connector {
    let connector: any Connector
    let mirror: any SourceMirror
    /// The reason why it is unavailable; `nil` while it can be asked.
    let absence: SourceFault?
    /// Called when the source could not be reached.
    let checkAfterFailure: @Sendable () async -> Void

    var source: String { connector.source }
    var about: SourceAbout { connector.about }

    // MARK: Mirror

    func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        try await rows(query.window) { () async throws(SourceFault) in
            try await connector.browse(query)
        } orElse: { () throws(SourceFault) in
            try mirror.browse(source, query)
        }
    }

    func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        if absence == nil, about.abilities.contains(.mirrorSearch), let noted = try? mirror.search(source, query) {
            return try await added(to: noted, query)
        }
        return try await rows(query.window) { () async throws(SourceFault) in
            try await connector.search(query)
        } orElse: { () throws(SourceFault) in
            try mirror.search(source, query)
        }
    }

    /// The mirror's rows, followed by rows that only the server has.
    private func added(to noted: ItemPage, _ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        var page = noted
        for index in page.rows.indices { page.rows[index].isAway = false }
        guard page.cursor == nil else { return page }
        return try await itself { () async throws(SourceFault) in
            let isWhole = query.window.cursor == nil && query.window.from == 0
            let beginning = SearchQuery(query.text, kinds: query.kinds, window: PageWindow(limit: query.window.limit))
            let live = try await connector.search(beginning)
            if isWhole, page.rows.isEmpty { return live }
            let shown = Set(page.rows.map(\.uri))
            for row in live.rows where page.rows.count < PageCursor.Position.mostRows && !shown.contains(row.uri) {
                let known = isWhole ? nil : try mirror.row(of: row.uri, in: source)
                if known == nil { page.rows.append(row) }
            }
            page.total = nil
            return page
        } orElse: { () throws(SourceFault) in
            noted
        }
    }

    func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        try await itself { () async throws(SourceFault) in
            try await connector.details(of: uri)
        } orElse: { () throws(SourceFault) in
            guard let row = try mirror.row(of: uri, in: source) else { return nil }
            return ItemDetails(row: row)
        }
    }

    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        try await itself { () async throws(SourceFault) in
            try await connector.expand(uri, trust: trust)
        } orElse: { () throws(SourceFault) in
            let tracks = try mirror.tracks(of: uri, in: source)
            return tracks.isEmpty ? nil : tracks.map { NewEntry(uri: $0.uri, tags: $0.tags) }
        }
    }

    /// The lyrics; `nil` while the source is unavailable, since the item can be shown without them.
    func lyrics(of uri: ItemURI) async throws(SourceFault) -> Lyrics? {
        absence == nil ? try await connector.lyrics(of: uri) : nil
    }

    /// The next book; `nil` while the source is unavailable.
    func following(_ uri: ItemURI) async throws(SourceFault) -> ItemRow? {
        absence == nil ? try await connector.following(uri) : nil
    }

    private func rows(
        _ window: PageWindow, _ ask: () async throws(SourceFault) -> ItemPage, orElse mirrored: () throws(SourceFault) -> ItemPage
    ) async throws(SourceFault) -> ItemPage {
        if window.cursor?.hasPrefix(MirrorCursorMark.text) == true { return try mirrored() }
        return try await itself(ask) { () throws(SourceFault) in try mirrored() }
    }

    /// Asks the source, or the mirror when the source cannot be reached. `mirrored` is `nil` for rows that are not in the
    /// mirror.
    private func itself<Answer>(
        _ ask: () async throws(SourceFault) -> Answer, orElse mirrored: () throws(SourceFault) -> Answer?
    ) async throws(SourceFault) -> Answer {
        let fault: SourceFault
        if let absence {
            fault = absence
        } else {
            do throws(SourceFault) {
                return try await ask()
            } catch {
                guard error.code == .unavailable else { throw error }
                fault = error
                await checkAfterFailure()
            }
        }
        guard let answer = try mirrored() else { throw fault }
        return answer
    }

    // MARK: Source

    private func present() throws(SourceFault) -> any Connector {
        if var absence {
            absence.isUntaken = true
            throw absence
        }
        return connector
    }

    func check() async throws(SourceFault) { try await connector.check() }
    func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        try await present().resolve(uri, trust: trust)
    }
    func past(of uri: ItemURI) async throws(SourceFault) -> StationWithPast? { try await present().past(of: uri) }
    package func picture(_ name: String) async throws(SourceFault) -> PictureSource { try await present().picture(name) }
    func writeBack(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) { try await present().writeBack(note, atMs: atMs) }
    func hasReached(_ note: WriteBack, atMs: Milliseconds) async throws(SourceFault) -> Bool? {
        try await present().hasReached(note, atMs: atMs)
    }
    func similar(to uri: ItemURI, count: Int) async throws(SourceFault) -> [NewEntry] {
        try await present().similar(to: uri, count: count)
    }
    func mirror(after cursor: String?) async throws(SourceFault) -> MirrorPage { try await present().mirror(after: cursor) }
    func download(_ uri: ItemURI) async throws(SourceFault) -> NamedBytes { try await present().download(uri) }
    func savedQueue() async throws(SourceFault) -> SavedQueue? { try await present().savedQueue() }
    func place(of uri: ItemURI) async throws(SourceFault) -> ServerPlace? { try await present().place(of: uri) }
    func places() async throws(SourceFault) -> [ItemURI: ServerPlace] { try await present().places() }
    func listen(_ told: @escaping @Sendable (SourceNews) async -> Void) async throws(SourceFault) {
        try await present().listen(told)
    }
    func edit(_ edit: SourceListEdit) async throws(SourceFault) -> ItemURI { try await present().edit(edit) }
    func rescan() async throws(SourceFault) { try await present().rescan() }
    func upload(_ content: NamedBytes) async throws(SourceFault) -> String { try await present().upload(content) }
}
