/// Browsing of a mirror, and details of single rows.
package import BatonCore
package import BatonSeams
import SQLite

extension SourceStore {
    package func browse(_ source: String, _ query: BrowseQuery) throws(SourceFault) -> ItemPage {
        try look { sources throws(SourceFault) in
            let slot = try sources.shown(of: source)
            let container = SourceDatabase.name(of: query.node)
            let limit = max(1, query.window.limit)
            let from = try MirrorCursor.place(query.window)
            let total =
                try sources.first("SELECT count(*) FROM \(slot.positions) WHERE container = ?", [.int(container)]) { $0.int(0) } ?? 0
            guard total > 0 else { return try sources.empty(query.node, in: slot) }
            guard let sort = query.sort else {
                // A cursor is a place, a window counts rows.
                let (place, skipped) = query.window.cursor == nil ? (Int.min, from) : (from, 0)
                let found = try sources.all(
                    """
                    SELECT place, row FROM \(slot.positions) JOIN \(slot.item) ON id = item
                    WHERE container = ? AND place >= ? ORDER BY place LIMIT ? OFFSET ?
                    """, [.int(container), .int(place), .int(limit + 1), .int(skipped)]
                ) { ($0.int(0), ItemRow(packed: $0.blob(1))) }
                let next = found.count > limit ? MirrorCursor.text(found[limit].0) : nil
                return ItemPage(found.prefix(limit).compactMap(\.1), cursor: next, total: total)
            }
            let sorted = try sources.rows(in: container, of: slot).sorted(by: sort)
            let end = min(sorted.count, from + limit)
            return ItemPage(
                from < end ? Array(sorted[from..<end]) : [], cursor: end < sorted.count ? MirrorCursor.text(end) : nil, total: total)
        }
    }

    package func row(of uri: ItemURI, in source: String) throws(SourceFault) -> ItemRow? {
        try look { sources throws(SourceFault) in try sources.row(of: uri, in: sources.shown(of: source)) }
    }

    /// A container may hold others, as an artist holds albums; a container inside itself is read once.
    package func tracks(of uri: ItemURI, in source: String) throws(SourceFault) -> [ItemRow] {
        try look { sources throws(SourceFault) in
            let slot = try sources.shown(of: source)
            if let row = try sources.row(of: uri, in: slot), !row.tags.kind.isContainer { return [row] }
            var met: Set<ItemURI> = [uri]
            var tracks: [ItemRow] = []
            var waiting = [uri]
            while let container = waiting.popLast(), tracks.count <= Self.mostTracks {
                let rows = try sources.rows(in: SourceDatabase.name(of: container), of: slot)
                tracks += rows.filter { !$0.tags.kind.isContainer }
                // The last one is taken first.
                waiting += rows.reversed().filter { $0.tags.kind.isContainer && met.insert($0.uri).inserted }.map(\.uri)
            }
            return tracks
        }
    }

    /// Limit of tracks, as for queues.
    private static let mostTracks = 10_000

    package func status(of source: String) throws(SourceFault) -> MirrorStatus? {
        try look { sources throws(SourceFault) in
            try sources.first(
                "SELECT rows, finished_ms FROM mirror WHERE source = ? AND is_old = 0 AND finished_ms IS NOT NULL", [.text(source)]
            ) { MirrorStatus(rows: $0.int(0), finishedAtMs: $0.time(1)) }
        }
    }
}

extension SourceDatabase {
    func shown(of source: String) throws(SourceFault) -> MirrorSlot {
        let slot = try first(
            "SELECT slot FROM mirror WHERE source = ? AND is_old = 0 AND finished_ms IS NOT NULL", [.text(source)]
        ) { MirrorSlot(number: $0.int(0)) }
        guard let slot else { throw SourceFault(.unavailable, "The rows of the source “\(source)” were not noted yet.") }
        return slot
    }

    fileprivate func row(of uri: ItemURI, in slot: MirrorSlot) throws(SourceFault) -> ItemRow? {
        try first("SELECT row FROM \(slot.item) WHERE hash = ?", [.int(Self.name(of: uri))]) { ItemRow(packed: $0.blob(0)) } ?? nil
    }

    /// The page of an empty container.
    fileprivate func empty(_ node: ItemURI?, in slot: MirrorSlot) throws(SourceFault) -> ItemPage {
        guard let node else { return ItemPage(total: 0) }
        guard let row = try row(of: node, in: slot) else {
            throw SourceFault(.notFound, "There is no “\(node)” among the rows that were noted of this source.")
        }
        guard row.count == 0 else {
            throw SourceFault(
                .unavailable, "“\(row.tags.title)” is not kept for when its source is away. It is there again with the source.")
        }
        return ItemPage(total: 0)
    }

    fileprivate func rows(in container: Int64, of slot: MirrorSlot) throws(SourceFault) -> [ItemRow] {
        try all(
            "SELECT row FROM \(slot.positions) JOIN \(slot.item) ON id = item WHERE container = ? ORDER BY place", [.int(container)]
        ) { ItemRow(packed: $0.blob(0)) }.compactMap { $0 }
    }
}

/// The cursor of a page of a mirror. Its mark distinguishes it from a cursor of the source itself, which may go down or come back before
/// the next page is requested.
enum MirrorCursor {
    static func text(_ place: Int) -> String { MirrorCursorMark.text + String(place) }

    static func place(_ window: PageWindow) throws(SourceFault) -> Int {
        guard let cursor = window.cursor else { return max(0, window.from) }
        guard cursor.hasPrefix(MirrorCursorMark.text), let place = Int(cursor.dropFirst(MirrorCursorMark.text.count)), place >= 0 else {
            throw SourceFault(.badRequest, "The rest of this list is at its source, which cannot be reached. Begin at its beginning.")
        }
        return place
    }
}

extension [ItemRow] {
    /// Sorts the rows; by name if nothing else decides.
    fileprivate func sorted(by sort: BrowseQuery.Sort) -> [ItemRow] {
        let keyed = map { row -> (key: (Int64, String, String), row: ItemRow) in
            let name = Folding.short(row.tags.title)
            let (mark, tags) = (row.mark, row.tags)
            switch sort {
            case .name: return ((0, name, ""), row)
            case .artist: return ((0, Folding.short(tags.artists.first ?? tags.albumArtist), name), row)
            case .year: return ((Int64(tags.year ?? .max), name, ""), row)
            case .played: return ((-(mark.lastPlayedMs?.count ?? 0), name, ""), row)
            case .plays: return ((Int64(-mark.plays), name, ""), row)
            case .stars: return ((Int64(-mark.stars), name, ""), row)
            case .track: return ((Int64(tags.disc ?? 0) << 32 + Int64(tags.track ?? 0), name, ""), row)
            // Rows do not have the time of their addition, so they stay in the source's order.
            case .added: return ((0, "", ""), row)
            }
        }
        // Swift's sort is stable.
        return keyed.sorted { $0.key < $1.key }.map(\.row)
    }
}
