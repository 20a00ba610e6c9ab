import BatonCore
import BatonProtocol
import BatonSeams

/// Asks sources for the entries that items stand for.
@Loop
struct ItemExpansion {
    let sources: Sources
    /// Knows the marks of users; without it those of the hub are meant.
    var library: LibraryService?

    /// All that is in them, for a list that holds at most `most` entries. Shelves and rules of marks give those of `person`.
    func items(
        of uris: [ItemURI], by person: Person = .home, trust: Trust, most: Int, in list: String, at pointer: (Int) -> String?
    ) async throws(ProtocolFault) -> [NewEntry] {
        var items: [NewEntry] = []
        for (index, uri) in uris.enumerated() {
            do throws(SourceFault) {
                // A source that gives containers for a container does not have them opened: it could go on for ever.
                for var item in try await expand(uri, by: person, trust: trust, most: most) where !item.tags.kind.isContainer {
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

    private func expand(_ uri: ItemURI, by person: Person, trust: Trust, most: Int) async throws(SourceFault) -> [NewEntry] {
        guard person.isUser, let library, library.persons != nil else { return try await entries(of: uri, trust) }
        if let shelf = OwnShelf(uri) {
            return try await library.lookAtPersons { persons throws(SourceFault) in
                try persons.expand(shelf, by: person, most: most + 1)
            }
        }
        if let mix = LibraryMix(uri) {
            return try await library.lookAtPersons { persons throws(SourceFault) in
                try persons.expand(mix, by: person, most: most + 1)
            }
        }
        if let list = PlaylistID(uri) {
            return try await library.lookAtPersons { persons throws(SourceFault) in try persons.expandPlaylist(list, for: person) }
        }
        return try await entries(of: uri, trust)
    }

    private func entries(of uri: ItemURI, _ trust: Trust) async throws(SourceFault) -> [NewEntry] {
        try await sources.entries(of: uri, titled: library?.copies?.title(ofCopy: uri), trust: trust)
    }
}
