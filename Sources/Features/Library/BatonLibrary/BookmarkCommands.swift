import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about bookmarks. The position is read when the command arrives; it is stored off the loop, since that waits for a
/// disk.
@Loop
struct BookmarkCommands {
    let library: LibraryService
    let items: ItemExpansion
    let ledger: Ledger
    let settling: Settling
    let clock: HubClock

    func install(in commands: CommandTable) {
        commands.on(Commands.MarkAdd.self, add)
        commands.find(Commands.Marks.self, with: ledger, list)
        commands.ask(Commands.MarkEdit.self, edit)
        commands.change(Commands.MarkDelete.self, with: ledger, delete)
    }

    // MARK: Setting one

    private func add(_ command: Commands.MarkAdd, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Handling {
        guard let uri = command.uri else { return try addHere(command, accepted) }
        return settling.working(accepted.id) { () async throws(ProtocolFault) in
            let found = try await items.items(of: [uri], trust: accepted.identity.trust, most: 1, in: "bookmark") { _ in "/p/uri" }
            let (item, tags) = (found[0].uri, found[0].tags)
            let bounded = min(command.positionMs ?? 0, tags.durationMs ?? .max)
            return try await store(
                BookmarkPlace(uri: item, positionMs: bounded, title: tags.title, album: tags.album), note: command.note, for: accepted)
        }
    }

    /// Keeps a bookmark in the entry that plays, at the position of the room if none is named.
    private func addHere(_ command: Commands.MarkAdd, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Handling {
        let room = accepted.live.room
        if let entry = command.entry, entry != room.queue.current { return .answered(ledger.answer(to: accepted, .noop(why: .moved))) }
        let place: BookmarkPlace
        do { place = try room.bookmarkPlace(atMs: command.positionMs, at: clock.now) } catch { throw ProtocolFault(error) }
        return settling.working(accepted.id) { () async throws(ProtocolFault) in try await store(place, note: command.note, for: accepted) }
    }

    private func store(_ place: BookmarkPlace, note: String, for accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let (person, author, once, atMs) = (accepted.identity.person, accepted.identity.author, accepted.commandKey, clock.now.wallMs)
        let (bookmark, isNew) = try await ProtocolFault.translating(.keyMismatch, at: "/k") { () async throws(SourceFault) in
            try await library.changeBookmarks { storage throws(SourceFault) in
                try storage.addBookmark(place, note: note, of: person, by: author, once: once, atMs: atMs)
            }
        }
        return ledger.answer(to: accepted, .applied(why: isNew ? nil : .dup), Self.one(bookmark))
    }

    // MARK: Others

    private func edit(_ command: Commands.MarkEdit, _ accepted: AcceptedCommand) async throws(SourceFault) -> Answer {
        let (person, id, edit) = (accepted.identity.person, command.id, command.edit)
        let (bookmark, isNew) = try await library.changeBookmarks { storage throws(SourceFault) in
            try storage.editBookmark(id, of: person, edit)
        }
        return ledger.done(isNew, for: accepted, Self.one(bookmark))
    }

    private func delete(_ command: Commands.MarkDelete, _ accepted: AcceptedCommand) async throws(SourceFault) -> Bool {
        let (person, id) = (accepted.identity.person, command.id)
        return try await library.changeBookmarks { storage throws(SourceFault) in try storage.deleteBookmark(id, of: person) }
    }

    private func list(_ command: Commands.Marks, _ accepted: AcceptedCommand) async throws(SourceFault) -> BookmarkList {
        let (window, uri, person) = (command.page.window, command.uri, accepted.identity.person)
        let found = try await library.lookAtBookmarks { storage throws(SourceFault) in
            try storage.bookmarks(of: person, in: uri, from: window.offset, limit: window.limit)
        }
        return BookmarkList(found.bookmarks, total: found.total, cursor: window.next(after: found.bookmarks.count, of: found.total))
    }

    private static func one(_ bookmark: Bookmark) -> BookmarkList { BookmarkList([bookmark], total: 1) }
}
