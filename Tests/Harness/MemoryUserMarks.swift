package import BatonCore
package import BatonSeams
import Synchronization

/// Marks, plays and playlists in memory, across simulated crashes of a hub. It can be made to stand
/// still, as a disk does.
package final class MemoryUserMarks: UserMarks {
    fileprivate struct List {
        var row: PlaylistRow
        var entries: [(id: EntryID, item: NewEntry)] = []
        var before: [(id: EntryID, item: NewEntry)]?
    }

    fileprivate struct State {
        var marks: [ItemURI: ItemMark] = [:]
        var items: [ItemURI: NewEntry] = [:]
        var history: [PlayedRow] = []
        var lists: [List] = []
        var deletedLists: [List] = []
        var listsMade = 0
        var answers: [String: (hash: [UInt8], outcome: PlaylistOutcome)] = [:]
        var libraryCounts = LibraryCounts()
        var numbers: UInt64 = 1
        var fault: SourceFault?
    }

    private let state = Mutex(State())

    package init() {}

    /// Every call fails with it.
    package func fail(with fault: SourceFault?) { state.withLock { $0.fault = fault } }

    fileprivate func turn<Result: Sendable>(_ body: (inout State) throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        try state.withLock { state throws(SourceFault) in
            if let fault = state.fault { throw fault }
            return try body(&state)
        }
    }

    // MARK: Marks

    package func setFavourite(_ item: NewEntry, _ isFavourite: Bool, atMs: Milliseconds) throws(SourceFault) -> Bool {
        try change(item) { $0.isFavourite = isFavourite }
    }

    package func setStars(_ item: NewEntry, _ stars: Int, atMs: Milliseconds) throws(SourceFault) -> Bool {
        try change(item) { $0.stars = stars }
    }

    private func change(_ item: NewEntry, _ body: (inout ItemMark) -> Void) throws(SourceFault) -> Bool {
        try turn { state throws(SourceFault) in
            let before = state.marks[item.uri] ?? ItemMark()
            var mark = before
            body(&mark)
            state.marks[item.uri] = mark
            state.items[item.uri] = item
            if mark != before { state.libraryCounts.libraryRevision += 1 }
            return mark != before
        }
    }

    package func notePlayed(_ item: NewEntry, room: RoomID, atMs: Milliseconds) throws(SourceFault) {
        _ = try turn { state throws(SourceFault) in
            state.marks[item.uri, default: ItemMark()].plays += 1
            state.marks[item.uri]?.lastPlayedMs = atMs
            state.history.insert(
                PlayedRow(row: ItemRow(uri: item.uri, tags: item.tags), room: room, atMs: atMs, askedBy: item.askedBy), at: 0)
            state.libraryCounts.libraryRevision += 1
            return true
        }
    }

    package func marks(of uris: [ItemURI]) throws(SourceFault) -> [ItemURI: ItemMark] {
        try turn { state throws(SourceFault) in state.marks.filter { uris.contains($0.key) } }
    }

    package func history(_ window: PageWindow) throws(SourceFault) -> [PlayedRow] {
        try turn { state throws(SourceFault) in Array(state.history.dropFirst(window.from).prefix(window.limit)) }
    }

    // MARK: Playlists

    package func playlists(_ window: PageWindow) throws(SourceFault) -> [PlaylistRow] {
        try turn { state throws(SourceFault) in state.lists.dropFirst(window.from).prefix(window.limit).map(\.row) }
    }

    package func playlist(_ id: PlaylistID, from: Int, count: Int) throws(SourceFault) -> PlaylistPage {
        try turn { state throws(SourceFault) in
            let list = state.lists[try Self.place(of: id, state)]
            let entries = list.entries.dropFirst(from).prefix(count).map {
                PlaylistEntry(id: $0.id, row: ItemRow(uri: $0.item.uri, tags: $0.item.tags))
            }
            return PlaylistPage(list: list.row, from: from, entries: entries)
        }
    }

    package func createPlaylist(
        _ name: String, _ entries: [NewEntry], rule: SmartRule?, once: CommandKey?, atMs: Milliseconds
    ) throws(SourceFault) -> PlaylistOutcome {
        try answering(once) { state throws(SourceFault) in
            state.listsMade += 1
            let id = PlaylistID("p\(state.listsMade)")
            var list = List(row: PlaylistRow(id: id, name: name, revision: 1, count: entries.count, rule: rule))
            (list.row.madeMs, list.row.changedMs) = (atMs, atMs)
            for item in entries { list.entries.append((state.number(), item)) }
            state.lists.append(list)
            state.libraryCounts.playlists += 1
            return PlaylistOutcome(id: id, revision: 1, added: list.entries.map(\.id))
        }
    }

    package func deletePlaylist(_ id: PlaylistID, once: CommandKey?) throws(SourceFault) -> PlaylistOutcome {
        try answering(once) { state throws(SourceFault) in
            guard let place = state.lists.firstIndex(where: { $0.row.id == id }) else {
                return PlaylistOutcome(id: id, revision: 0, isNoop: true)
            }
            state.deletedLists.append(state.lists.remove(at: place))
            state.libraryCounts.playlists -= 1
            return PlaylistOutcome(id: id, revision: 0)
        }
    }

    package func restorePlaylist(_ id: PlaylistID, once: CommandKey?) throws(SourceFault) -> PlaylistOutcome {
        try answering(once) { state throws(SourceFault) in
            if state.lists.contains(where: { $0.row.id == id }) { return PlaylistOutcome(id: id, revision: 0, isNoop: true) }
            guard let place = state.deletedLists.firstIndex(where: { $0.row.id == id }) else {
                throw SourceFault(.notFound, "The playlist \(id) cannot be restored.")
            }
            state.lists.append(state.deletedLists.remove(at: place))
            state.libraryCounts.playlists += 1
            return PlaylistOutcome(id: id, revision: 0)
        }
    }

    package func editPlaylist(
        _ id: PlaylistID, base: Int?, _ edits: [PlaylistEdit], once: CommandKey?, atMs: Milliseconds
    ) throws(SourceFault) -> PlaylistOutcome {
        try answering(once) { state throws(SourceFault) in
            let place = try Self.place(of: id, state)
            var list = state.lists[place]
            guard base == nil || base == list.row.revision else {
                throw SourceFault(.conflict, "Another person has changed “\(list.row.name)”.", revision: list.row.revision)
            }
            var added: [EntryID] = []
            for edit in edits { try Self.apply(edit, to: &list, &state, &added) }
            list.row.revision += 1
            list.row.changedMs = atMs
            list.row.count = list.entries.count
            state.lists[place] = list
            return PlaylistOutcome(id: id, revision: list.row.revision, added: added)
        }
    }

    package func expandPlaylist(_ id: PlaylistID) throws(SourceFault) -> [NewEntry] {
        try turn { state throws(SourceFault) in state.lists[try Self.place(of: id, state)].entries.map(\.item) }
    }

    package func libraryCounts() throws(SourceFault) -> LibraryCounts { try turn { state throws(SourceFault) in state.libraryCounts } }

    package func answered(_ once: CommandKey) throws(SourceFault) -> PlaylistOutcome? {
        try turn { state throws(SourceFault) in try state.answer(to: once) }
    }

    fileprivate func answering(
        _ once: CommandKey?, _ body: (inout State) throws(SourceFault) -> PlaylistOutcome
    ) throws(SourceFault) -> PlaylistOutcome {
        try turn { state throws(SourceFault) in
            if let once, let known = try state.answer(to: once) { return known }
            let outcome = try body(&state)
            if !outcome.isNoop { state.libraryCounts.playlistRevision += 1 }
            if let once { state.answers["\(once.device) \(once.key)"] = (once.hash, outcome) }
            return outcome
        }
    }

    fileprivate static func place(of id: PlaylistID, _ state: State) throws(SourceFault) -> Int {
        guard let place = state.lists.firstIndex(where: { $0.row.id == id }) else {
            throw SourceFault(.notFound, "There is no playlist “\(id)”.")
        }
        return place
    }

    fileprivate static func apply(
        _ edit: PlaylistEdit, to list: inout List, _ state: inout State, _ added: inout [EntryID]
    ) throws(SourceFault) {
        let before = list.entries
        switch edit {
        case .add(let items, let place):
            var new: [(id: EntryID, item: NewEntry)] = []
            for item in items { new.append((state.number(), item)) }
            list.entries.insert(contentsOf: new, at: try index(of: place, in: list))
            added += new.map(\.id)
        case .remove(let ids): list.entries.removeAll { ids.contains($0.id) }
        case .move(let ids, let place):
            let moved = list.entries.filter { ids.contains($0.id) }
            guard moved.count == ids.count else { throw SourceFault(.gone, "What was to be moved is gone.") }
            list.entries.removeAll { ids.contains($0.id) }
            list.entries.insert(contentsOf: moved, at: try index(of: place, in: list))
        case .clear: list.entries = []
        case .rename(let name): return list.row.name = name
        case .describe(let text): return list.row.about = text
        case .rule(let rule): return list.row.rule = rule
        case .undo:
            guard let before = list.before else { throw SourceFault(.unsupported, "There is nothing to take back.") }
            list.entries = before
            return list.before = nil
        }
        list.before = before
    }

    fileprivate static func index(of place: InsertionPoint, in list: List) throws(SourceFault) -> Int {
        guard case .after(let anchor, let orEnd) = place else { return list.entries.count }
        guard let anchor else { return 0 }
        if let index = list.entries.firstIndex(where: { $0.id == anchor }) { return index + 1 }
        if orEnd { return list.entries.count }
        throw SourceFault(.anchorGone, "What it was to stand behind is gone.")
    }
}

extension MemoryUserMarks.State {
    fileprivate mutating func number() -> EntryID {
        defer { numbers += 1 }
        return EntryID(numbers)
    }

    fileprivate func answer(to once: CommandKey) throws(SourceFault) -> PlaylistOutcome? {
        guard let known = answers["\(once.device) \(once.key)"] else { return nil }
        guard known.hash == once.hash else { throw SourceFault(.keyMismatch, "This key was used for another command.") }
        var outcome = known.outcome
        outcome.isDup = true
        return outcome
    }
}
