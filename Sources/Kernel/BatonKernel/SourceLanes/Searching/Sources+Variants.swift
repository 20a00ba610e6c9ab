package import BatonCore
package import BatonProtocol
import BatonSeams

/// Alternative variants of a track.
extension Sources {
    /// True if a source is on the network, so that a track may have several sources.
    package var hasRemote: Bool { !remoteNames.isEmpty }

    /// Joins the rows of several sources that are one track, except in a playlist, where each row is an entry.
    package func fold(_ list: inout ItemList, of node: ItemURI) {
        guard hasRemote, node.source != PlaylistID.source else { return }
        let origins = list.rows.map(origin)
        guard let first = origins.first, origins.contains(where: { $0.source != first.source }) else { return }
        var folded = FoldedRows(splits: splits)
        var rows: [ItemRow] = []
        var index: [ItemURI: Int] = [:]
        for (row, origin) in zip(list.rows, origins) {
            switch folded.add(row, from: origin) {
            case .row(let row):
                index[row.uri] = rows.count
                rows.append(row)
            case .joined(let head, let variants):
                if let at = index[head] { rows[at].variants = variants }
            }
        }
        list.rows = rows
        knownVariants.note(list)
    }

    /// The alternatives for a track, best first: known variants, or else the results of a search in the other sources within
    /// its time limit.
    package func findVariants(of uri: ItemURI, _ tags: Tags) async -> [ItemURI] {
        if let known = knownVariants.others(of: uri) { return known }
        guard hasRemote, let key = FoldKey(tags) else { return [] }
        let own = ItemRow(uri: uri, tags: tags)
        let origin = origin(of: own)
        let able = connectors.filter { $0.about.abilities.contains(.search) && $0.source != origin.source }
        let words = "\(tags.title) \(tags.artists.joined(separator: " "))"
        let round = SearchRound(
            self, Commands.Search(words, kinds: [.track], page: .init(limit: PageCursor.Position.mostRows)), within: searchDeadline)
        let parts = await round.parts(of: able.map { ($0, .from(0)) }, nil)
        var folded = FoldedRows(splits: splits)
        _ = folded.add(own, from: origin, key)
        var variants: [ItemURI] = []
        for part in parts {
            for (row, key) in zip(part.found.page.rows, part.found.keys) {
                if case .joined(uri, let all) = folded.add(row, from: part.origin, key) { variants = all }
            }
        }
        if !variants.isEmpty { knownVariants.note(variants) }
        return variants.filter { $0 != uri }
    }
}
