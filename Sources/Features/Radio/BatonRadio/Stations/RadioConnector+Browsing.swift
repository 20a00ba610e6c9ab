/// The shelves of the radio and the search for stations.
package import BatonCore
package import BatonSeams

extension RadioConnector {
    @concurrent
    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        guard let node = query.node else { return ItemPage(try shelves()) }
        let asked = StationQuery(window: query.window)
        switch try Self.item(node) {
        case .shelf(.presets):
            let rows = try storage.presets().map { row($0) }
            return ItemPage(Array(rows.dropFirst(query.window.offset).prefix(query.window.limit)), total: rows.count)
        case .shelf(.stations): return page(try storage.stations(asked), query.window)
        case .shelf(.directory): return page(try storage.directory(asked), query.window)
        case .station, .found: throw SourceFault(.unsupported, "A station holds nothing else.")
        }
    }

    @concurrent
    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        guard query.kinds.isEmpty || query.kinds.contains(.station) else { return ItemPage(total: 0) }
        return page(try stations(StationQuery(query.text, window: query.window)), query.window)
    }

    package func stations(_ query: StationQuery) throws(SourceFault) -> StationPage {
        let stored = try storage.stations(query)
        let from = query.window.offset
        var asked = query
        asked.window = PageWindow(from: max(0, from - stored.total), limit: query.window.limit - stored.stations.count)
        let found = try storage.directory(asked)
        return StationPage(stored.stations + found.stations, total: stored.total + found.total)
    }

    @concurrent
    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        if case .shelf(let shelf) = try Self.item(uri) { return ItemDetails(row: try row(of: shelf)) }
        return ItemDetails(row: row(try stored(uri)))
    }

    private func shelves() throws(SourceFault) -> [ItemRow] {
        var rows: [ItemRow] = []
        for shelf in RadioItem.Shelf.allCases {
            let row = try row(of: shelf)
            // The directory's shelf is hidden while there is no directory.
            if shelf != .directory || row.count ?? 0 > 0 { rows.append(row) }
        }
        return rows
    }

    private func row(of shelf: RadioItem.Shelf) throws(SourceFault) -> ItemRow {
        let none = StationQuery(window: PageWindow(limit: 0))
        let (title, count) =
            switch shelf {
            case .presets: ("Presets", try storage.presets().count)
            case .stations: ("Stations", try storage.stations(none).total)
            case .directory: ("All stations", try storage.directory(none).total)
            }
        var tags = Tags(title: title)
        tags.kind = .shelf
        return ItemRow(uri: RadioItem.shelf(shelf).uri, tags: tags, count: count)
    }

    // MARK: Rows

    private func page(_ page: StationPage, _ window: PageWindow) -> ItemPage {
        let end = window.offset + page.stations.count
        return ItemPage(
            page.stations.map { row($0) }, cursor: end < page.total && !page.stations.isEmpty ? String(end) : nil, total: page.total)
    }

    func entry(_ stored: StoredStation) -> NewEntry { NewEntry(uri: uri(of: stored), tags: tags(of: stored)) }

    func row(_ stored: StoredStation) -> ItemRow {
        ItemRow(uri: uri(of: stored), tags: tags(of: stored), mark: ItemMark(isFavourite: stored.preset != nil))
    }

    package func uri(of stored: StoredStation) -> ItemURI { Self.uri(of: stored) }

    static func uri(of stored: StoredStation) -> ItemURI {
        (stored.id > 0 ? RadioItem.station(stored.id) : .found(url: stored.station.url)).uri
    }

    package func tags(of stored: StoredStation) -> Tags {
        var tags = Tags(title: stored.station.title)
        tags.kind = .station
        if stored.id > 0, let name = StationPicture.name(of: stored, wallMs: clock.wallMs) {
            tags.art = ArtworkID(source: RadioItem.source, name: name).map { Artwork(id: $0.text) }
        }
        return tags
    }
}
