/// Finds the built-in album by the words of its titles, name and artist. Its tracks are items of the source of files,
/// which handles everything else.
package import BatonCore
package import BatonSeams

package struct DemoSearch: Connector {
    private let rows: [ItemRow]

    package init(_ offers: [NewEntry]) { rows = offers.map { ItemRow(uri: $0.uri, tags: $0.tags) } }

    package var source: String { "demo" }
    package var about: SourceAbout { SourceAbout(name: source, abilities: .search) }

    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] { throw Self.elsewhere(uri) }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable { throw Self.elsewhere(uri) }

    private static func elsewhere(_ uri: ItemURI) -> SourceFault { SourceFault(.notFound, "There is no item “\(uri.text)”.") }

    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        guard query.kinds.isEmpty || query.kinds.contains(.track) else { return ItemPage() }
        let words = query.text.lowercased().split(separator: " ")
        let found = rows.filter { row in
            let text = ([row.tags.title, row.tags.album].compactMap { $0 } + row.tags.artists).joined(separator: " ").lowercased()
            return words.allSatisfy { text.contains($0) }
        }
        return ItemPage(of: found, in: query.window)
    }
}
