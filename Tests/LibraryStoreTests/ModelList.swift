/// A playlist in the fewest words: what the store is held against.
import BatonCore
import BatonSeams

/// A playlist as it should be: its entries with what is in them, and what they were before each op that changed them.
struct ModelList: Equatable {
    struct Entry: Equatable {
        var id: EntryID
        var uri: ItemURI
    }

    var name: String
    var revision = 0
    var entries: [Entry] = []
    var next: UInt64 = 1
    var past: [(verb: String, entries: [Entry])] = []

    static func == (a: ModelList, b: ModelList) -> Bool { a.name == b.name && a.revision == b.revision && a.entries == b.entries }

    /// As the specification says it; `nil` for nothing new, and the code for what cannot be.
    mutating func edit(_ base: Int?, _ edits: [PlaylistEdit]) -> (code: SourceFault.Code?, added: [EntryID], isNoop: Bool) {
        if let base, base != revision { return (.conflict, [], false) }
        var list = self
        var added: [EntryID] = []
        var isNoop = true
        for edit in edits {
            let before = list
            if let code = list.perform(edit, &added) { return (code, [], false) }
            if list.entries != before.entries || list.name != before.name || list.past.count < before.past.count { isNoop = false }
        }
        if !isNoop { list.revision += 1 }
        self = list
        return (nil, added, isNoop)
    }

    private mutating func perform(_ edit: PlaylistEdit, _ added: inout [EntryID]) -> SourceFault.Code? {
        var order = entries
        var verb = ""
        switch edit {
        case .rename(let name): self.name = name
        case .describe: break
        case .rule: return .badRequest
        case .undo:
            guard let last = past.popLast() else { return .invalidState }
            entries = last.entries
            return nil
        case .clear: (verb, order) = ("clear", [])
        case .remove(let ids): (verb, order) = ("remove", entries.filter { !ids.contains($0.id) })
        case .add(let items, let place):
            guard let at = index(place) else { return .anchorGone }
            for (offset, item) in items.enumerated() {
                order.insert(Entry(id: EntryID(next), uri: item.uri), at: at + offset)
                added.append(EntryID(next))
                next += 1
            }
            verb = "add"
        case .move(let ids, let place):
            guard ids.allSatisfy({ id in entries.contains { $0.id == id } }) else { return .gone }
            guard let at = index(place) else { return .anchorGone }
            var named: [EntryID] = []
            for id in ids where !named.contains(id) { named.append(id) }
            let moving = named.compactMap { id in entries.first { $0.id == id } }
            let head = entries[..<at].filter { !named.contains($0.id) }
            (verb, order) = ("move", head + moving + entries[at...].filter { !named.contains($0.id) })
        }
        guard order != entries else { return nil }
        past = (past + [(verb, entries)]).suffix(20)
        entries = order
        return nil
    }

    private func index(_ place: InsertionPoint) -> Int? {
        guard case .after(let anchor, let orEnd) = place else { return entries.count }
        guard let anchor else { return 0 }
        return entries.firstIndex { $0.id == anchor }.map { $0 + 1 } ?? (orEnd ? entries.count : nil)
    }
}
