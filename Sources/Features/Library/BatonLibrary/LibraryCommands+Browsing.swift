import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// The rows that a person sees in a container. Shelves and mark rules are personal; all else is the same for all.
extension LibraryCommands {
    /// The rows of a container. A person's shelves come before those of the sources.
    func browse(
        _ node: ItemURI?, sortedBy sort: ItemSort?, page: PageRequest, for accepted: AcceptedCommand
    ) async throws(SourceFault) -> ItemList {
        let person = accepted.identity.person
        if let node, let rows = try await ports.shelves?.rows(ofShelf: node, page, for: person) { return rows }
        if person.isUser, library.persons != nil, let shelf = node.flatMap(OwnShelf.init) {
            let window = page.window
            let found = try await library.lookAtPersons { persons throws(SourceFault) in
                try persons.marked(shelf, by: person, sortedBy: sort, window)
            }
            return fitting(found.rows, from: window.offset, of: found.total ?? 0, accepted)
        }
        if person.isUser, library.persons != nil, let node, let mix = LibraryMix(node) {
            let rows = try await library.lookAtPersons { persons throws(SourceFault) in try persons.rows(of: mix, for: person) }
            let from = page.window.offset
            var list = fitting(Array(rows.dropFirst(from).prefix(max(1, page.limit))), from: from, of: rows.count, accepted)
            if from == 0 { list.node = try await sources.details(of: node, trust: accepted.identity.trust).row }
            return list
        }
        if person.isUser, library.persons != nil, let list = node.flatMap({ PlaylistID($0) }),
            let page = try await filled(list, page: page, for: accepted)
        {
            return page
        }
        var list = try await sources.browse(node, sort: sort, page, pageBytes: accepted.context.pageBytes)
        guard node == nil, page.cursor == nil, page.from == 0 else { return list }
        let own = await ports.shelves?.shelves(of: person) ?? []
        list.rows = own + list.rows
        list.total = list.total.map { $0 + own.count }
        return list
    }

    /// The person's marked items in a list that a rule fills; `nil` for other lists.
    private func filled(_ list: PlaylistID, page: PageRequest, for accepted: AcceptedCommand) async throws(SourceFault) -> ItemList? {
        let (from, person) = (page.window.offset, accepted.identity.person)
        let found = try await library.lookAtPersons { persons throws(SourceFault) in
            try persons.playlist(list, from: from, count: page.limit, for: person)
        }
        guard found.list.rule != nil else { return nil }
        var rows = fitting(found.entries.map(\.row), from: from, of: found.list.count, accepted)
        guard from == 0 else { return rows }
        var tags = Tags(title: found.list.name, durationMs: found.list.durationMs)
        tags.kind = .playlist
        tags.art = found.list.art
        rows.node = ItemRow(uri: list.uri, tags: tags, count: found.list.count)
        return rows
    }

    /// The rows that fit into one answer.
    private func fitting(_ rows: [ItemRow], from: Int, of total: Int, _ accepted: AcceptedCommand) -> ItemList {
        let bytes = min(accepted.context.pageBytes ?? .max, sources.pageBytes) - Self.nodeBytes
        let shown = rows.prefix(max(1, sources.fittingRows(ItemList(rows), bytes)))
        let end = from + shown.count
        return ItemList(Array(shown), cursor: end < total && !shown.isEmpty ? String(end) : nil, total: total)
    }

    /// Space for the list's own row, which precedes its rows.
    private static let nodeBytes = 1_024
}
