/// The hub's playlists as a source: `pl:list/…`. A playlist can be queued; its items then play from their own sources.
package import BatonCore
package import BatonSeams

package struct PlaylistShelf: Connector {
    package var source: String { PlaylistID.source }
    package var about: SourceAbout { SourceAbout(name: "Playlists", abilities: [.browse, .marks]) }

    private let userMarks: any UserMarks

    package init(_ userMarks: any UserMarks) { self.userMarks = userMarks }

    @concurrent
    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        let list = try Self.list(uri)
        let entries = try userMarks.expandPlaylist(list)
        guard !entries.isEmpty else { throw SourceFault(.notFound, "There is nothing in this playlist yet.") }
        return entries
    }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        throw SourceFault(.unsupported, "A playlist is played by adding it to a queue, which then has its items.")
    }

    /// All playlists, or the items of one for a node.
    @concurrent
    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        guard let node = query.node else { return try lists(query.window) }
        let from = query.window.offset
        let page = try userMarks.playlist(try Self.list(node), from: from, count: query.window.limit)
        let end = page.from + page.entries.count
        return ItemPage(page.entries.map(\.row), cursor: end < page.list.count ? String(end) : nil, total: page.list.count)
    }

    @concurrent
    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        ItemDetails(row: Self.row(try userMarks.playlist(try Self.list(uri), from: 0, count: 0).list))
    }

    private func lists(_ window: PageWindow) throws(SourceFault) -> ItemPage {
        let from = window.offset
        let rows = try userMarks.playlists(PageWindow(from: from, limit: window.limit))
        return ItemPage(rows.map(Self.row), cursor: rows.count < window.limit || rows.isEmpty ? nil : String(from + rows.count))
    }

    private static func row(_ list: PlaylistRow) -> ItemRow {
        var tags = Tags(title: list.name, durationMs: list.durationMs)
        tags.kind = .playlist
        tags.art = list.art
        return ItemRow(uri: list.id.uri, tags: tags, count: list.count)
    }

    private static func list(_ uri: ItemURI) throws(SourceFault) -> PlaylistID {
        guard let list = PlaylistID(uri) else { throw SourceFault(.notFound, "\(uri.text) names no playlist.") }
        return list
    }
}
