package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Resolves items, such as albums, into queue entries by asking their sources.
@Loop
package struct ItemExpansion {
    let sources: Sources
    let ports: Ports

    /// All entries of these items, for a list of at most `most` entries. Shelves and mark rules are those of `person`.
    package func items(
        of uris: [ItemURI], by person: Person = .home, trust: Trust, most: Int, in list: String, at pointer: (Int) -> String?
    ) async throws(ProtocolFault) -> [NewEntry] {
        var items: [NewEntry] = []
        for (index, uri) in uris.enumerated() {
            do throws(SourceFault) {
                // Containers inside a container are not expanded, since that could go on forever.
                for var item in try await expand(uri, by: person, trust: trust, most: most) where !item.tags.kind.isContainer {
                    item.trust = item.trust ?? trust
                    if item.alternatives.isEmpty { item.alternatives = sources.knownVariants.others(of: item.uri) ?? [] }
                    items.append(item)
                }
            } catch {
                throw ProtocolFault(error, at: pointer(index))
            }
            guard items.count <= most else {
                throw list == "queue" ? .queueFull(most) : ProtocolFault(.quota, "A \(list) holds at most \(most) entries.")
            }
        }
        if items.isEmpty { throw ProtocolFault(.notFound, "There is nothing to play in there.") }
        return items
    }

    private func expand(_ uri: ItemURI, by person: Person, trust: Trust, most: Int) async throws(SourceFault) -> [NewEntry] {
        if person.isUser, let own = try await ports.personItems?.entries(of: uri, for: person, most: most) { return own }
        return try await sources.entries(of: uri, titled: ports.copies?.title(ofCopy: uri), trust: trust)
    }
}
