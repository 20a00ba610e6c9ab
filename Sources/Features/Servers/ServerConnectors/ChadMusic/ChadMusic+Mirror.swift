/// Reads everything on the server for the hub's mirror: first the values of each category, then albums with their tracks.
///
/// The cursor is `CATEGORY.INDEX`; albums come last.
import BatonCore
package import BatonSeams

extension ChadMusic {
    private static let valuesAtOnce = 500
    private static let albumsAtOnce = 50
    private static let order = ChadCategory.allCases.filter { $0 != .album } + [.album]

    package func mirror(after cursor: String?) async throws(SourceFault) -> MirrorPage {
        guard let cursor else {
            let shelves = try await categories()
            let rows = shelves.enumerated().map { MirrorRow(row($0.element), in: nil, at: $0.offset) }
            return MirrorPage(rows, cursor: Self.order.first { shelves.contains($0) }.map { "\($0.rawValue).0" })
        }
        let parts = cursor.split(separator: ".")
        guard parts.count == 2, let category = ChadCategory(rawValue: String(parts[0])), let from = Int(parts[1]), from >= 0 else {
            throw SourceFault(.badRequest, "The mirror of “\(server.title)” has a place that is none.")
        }
        return category == .album ? try await mirrorAlbums(from) : try await mirrorValues(category, from)
    }

    private func mirrorValues(_ category: ChadCategory, _ from: Int) async throws(SourceFault) -> MirrorPage {
        let page = try await browse(
            BrowseQuery(node: uri(.shelf(category)), window: PageWindow(from: from, limit: Self.valuesAtOnce)))
        var rows = page.rows.enumerated().map { MirrorRow($0.element, in: uri(.shelf(category)), at: from + $0.offset) }
        if from == 0, rows.isEmpty { rows = try await emptyShelf(category) }
        if let next = page.cursor { return MirrorPage(rows, cursor: "\(category.rawValue).\(next)") }
        let shelves = try await categories()
        let later = Self.order.drop { $0 != category }.dropFirst().first { shelves.contains($0) || $0 == .album }
        return MirrorPage(rows, cursor: later.map { "\($0.rawValue).0" })
    }

    /// The row of an empty category, which tells it from one that was not read.
    private func emptyShelf(_ category: ChadCategory) async throws(SourceFault) -> [MirrorRow] {
        var row = row(category)
        row.count = 0
        return [MirrorRow(row, in: nil, at: try await categories().firstIndex(of: category) ?? 0)]
    }

    private func mirrorAlbums(_ from: Int) async throws(SourceFault) -> MirrorPage {
        let (albums, read, total) = try await albums(from: from, limit: Self.albumsAtOnce)
        let tracks = try await Self.each(albums) { album async throws(SourceFault) in
            do throws(SourceFault) { return try await self.tracks(of: album.id) } catch {
                // An album that was deleted, or that the server cannot list, does not stop the pass.
                guard error.code != .unavailable, error.code != .cancelled, error.code != .forbidden else { throw error }
                return []
            }
        }
        var rows: [MirrorRow] = []
        for (index, album) in albums.enumerated() {
            let row = row(album)
            rows.append(MirrorRow(row, in: uri(.shelf(.album)), at: from + index))
            for (category, value) in album.values { rows.append(MirrorRow(row, in: uri(.value(category, value)), at: from + index)) }
            let container = uri(.album(album.id))
            rows += tracks[index].enumerated().map { MirrorRow(self.row($0.element, in: album.id), in: container, at: $0.offset) }
        }
        if from == 0, rows.isEmpty { rows = try await emptyShelf(.album) }
        let isMore = read > 0 && (total.map { from + read < $0 } ?? (read >= Self.albumsAtOnce))
        return MirrorPage(rows, cursor: isMore ? "album.\(from + read)" : nil, total: total)
    }
}
