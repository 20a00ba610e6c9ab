import BatonCore
import BatonProtocol
import BatonSeams

/// Asks sources for the entries that items stand for.
@Loop
struct ItemExpansion {
    let sources: Sources

    /// All that is in them, for a list that holds at most `most` entries.
    func items(
        of uris: [ItemURI], trust: Trust, most: Int, in list: String, at pointer: (Int) -> String?
    ) async throws(ProtocolFault) -> [NewEntry] {
        var items: [NewEntry] = []
        for (index, uri) in uris.enumerated() {
            do throws(SourceFault) {
                for var item in try await sources.expand(uri, trust: trust) {
                    item.trust = item.trust ?? trust
                    if item.alternatives.isEmpty { item.alternatives = sources.knownPlaces.others(of: item.uri) ?? [] }
                    items.append(item)
                }
            } catch {
                throw ProtocolFault(error, at: pointer(index))
            }
            guard items.count <= most else { throw ProtocolFault(.quota, "A \(list) holds at most \(most) entries.") }
        }
        if items.isEmpty { throw ProtocolFault(.notFound, "There is nothing to play in there.") }
        return items
    }
}
