import BatonCore
import BatonProtocol
import BatonSeams

/// Playlists. A command that makes, changes or deletes one brings a key, and key and change are kept in one transaction of
/// the marks' own file; so the same press by two connections at once counts once.
@Loop
final class PlaylistCommands {
    private let library: LibraryService
    private let items: ItemExpansion
    private let ledger: Ledger
    private let settling: Settling
    private let clock: HubClock
    private let playlistLength: Int
    private let atServers: ServerListCommands
    private let users: UserRegistry?

    init(
        _ library: LibraryService, _ items: ItemExpansion, _ atServers: ServerListCommands, _ ledger: Ledger, _ settling: Settling,
        _ clock: HubClock, _ limits: WireLimits, users: UserRegistry?
    ) {
        self.atServers = atServers
        self.users = users
        self.library = library
        self.items = items
        self.ledger = ledger
        self.settling = settling
        self.clock = clock
        playlistLength = limits.playlistLength
    }

    func handle(_ request: PlaylistRequest, _ visit: Visit) -> Handling {
        settling.working(visit.id) { [self] () async throws(ProtocolFault) in try await answer(request, visit) }
    }

    private func answer(_ request: PlaylistRequest, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        switch request {
        case .list(let from, let limit): return try await list(PageWindow(from: from, limit: limit), visit)
        case .get(let id, let from, let count, _): return try await contents(of: id, from, count, visit)
        case .share(let id, let sharing): return try await share(id, sharing, visit)
        case .create(let name, let uris, let rule): return try await create(name, uris, rule, visit)
        case .edit(let id, let base, let ops): return try await edit(id, base, ops, visit)
        case .createAt(let source, let name, let uris): return try await atServers.create(source, name, uris, visit)
        case .editAt(let list, let version, let ops): return try await atServers.edit(list, version, ops, visit)
        case .deleteAt(let list, let version): return try await atServers.delete(list, version, visit)
        case .restore(let id):
            return try await change(visit) { userMarks, once, _ throws(SourceFault) in try userMarks.restorePlaylist(id, once: once) }
        case .delete(let id):
            return try await change(visit) { userMarks, once, _ throws(SourceFault) in try userMarks.deletePlaylist(id, once: once) }
        }
    }

    // MARK: Looking

    private func list(_ window: PageWindow, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let (person, persons) = (visit.identity.person, library.persons)
        var list = try await looking { userMarks throws(SourceFault) in
            let revision = try userMarks.libraryCounts().playlistRevision
            guard let persons, persons.hasOwnedLists || person.isUser else {
                return PlaylistList(try userMarks.playlists(window), revision: revision)
            }
            return PlaylistList(try Self.visible(window, to: person, persons), revision: revision)
        }
        for index in list.rows.indices { describe(&list.rows[index]) }
        return found(.playlists(list), visit)
    }

    /// The window over those lists that this person may see.
    private nonisolated static func visible(
        _ window: PageWindow, to person: Person, _ persons: any PersonKeeper
    ) throws(SourceFault) -> [PlaylistRow] {
        var rows: [PlaylistRow] = []
        var from = 0
        while rows.count < window.place + window.limit {
            let some = try persons.playlists(PageWindow(from: from, limit: 100), for: person)
            rows += some.filter { persons.access(of: $0.id)?.isReadable(by: person) ?? true }
            from += some.count
            if some.count < 100 { break }
        }
        return Array(rows.dropFirst(window.place).prefix(window.limit))
    }

    /// Whose it is, and who may see it.
    private func describe(_ row: inout PlaylistRow) {
        guard let access = library.persons?.access(of: row.id) else { return }
        row.owner = users?.name(of: access.owner)
        row.sharing = access.sharing
    }

    private func contents(of id: PlaylistID, _ from: Int, _ count: Int, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let (person, persons) = (visit.identity.person, library.persons)
        let page = try await looking { userMarks throws(SourceFault) in
            guard person.isUser, let persons else { return try userMarks.playlist(id, from: from, count: count) }
            return try persons.playlist(id, from: from, count: count, for: person)
        }
        let mayNamePaths = visit.identity.trust >= .musicFolders
        let rows = await library.marked(page.entries.map(\.row), for: person)
        let entries = zip(page.entries, rows).map { PlaylistEntry(id: $0.id, row: $1, path: mayNamePaths ? $0.path : nil) }
        var row = page.list
        describe(&row)
        return found(.playlist(PlaylistContents(entries, list: row, from: page.from)), visit)
    }

    private func found(_ data: ReplyData, _ visit: Visit) -> Answer {
        Answer(Reply(id: visit.id, .applied(), revision: ledger.revision, data: data))
    }

    private func looking<Found: Sendable>(
        _ question: @escaping @Sendable (any UserMarks) throws(SourceFault) -> Found
    ) async throws(ProtocolFault) -> Found {
        do throws(SourceFault) { return try await library.look(question) } catch {
            throw ProtocolFault(error, at: nil)
        }
    }

    // MARK: Changing

    private func create(_ name: String, _ uris: [ItemURI], _ rule: SmartRule?, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        if let known = try await answered(visit, telling: Self.made) { return known }
        let items = try await expand(uris, visit) { "/p/uris/\($0)" }
        if let owner = visit.identity.user?.user.person, let persons = library.persons {
            let access = PlaylistAccess(owner: owner)
            return try await change(visit) { _, once, atMs throws(SourceFault) in
                try persons.createPlaylist(name, items, rule: rule, access, once: once, atMs: atMs)
            } telling: {
                Self.made($0)
            }
        }
        return try await change(visit) { userMarks, once, atMs throws(SourceFault) in
            try userMarks.createPlaylist(name, items, rule: rule, once: once, atMs: atMs)
        } telling: {
            Self.made($0)
        }
    }

    private func edit(_ id: PlaylistID, _ base: Int?, _ ops: [PlaylistOp], _ visit: Visit) async throws(ProtocolFault) -> Answer {
        if let known = try await answered(visit, telling: Self.edited) { return known }
        var edits: [PlaylistEdit] = []
        for (index, op) in ops.enumerated() {
            switch op {
            case .plain(let edit): edits.append(edit)
            case .placed(.describe(let text)): edits.append(.describe(text))
            case .add(let uris, let place):
                edits.append(.add(try await expand(uris, visit) { "/p/ops/\(index)/add/\($0)" }, at: place))
            case .placed: throw ProtocolFault(.badRequest, "Only a list that a server keeps is edited by places.", at: "/p/ops")
            }
        }
        return try await change(visit) { [edits] userMarks, once, atMs throws(SourceFault) in
            try userMarks.editPlaylist(id, base: base, edits, once: once, atMs: atMs)
        } telling: {
            Self.edited($0)
        }
    }

    /// The owner alone shares; what was never owned becomes the list of the user who shares it, if that is an admin.
    private func share(_ id: PlaylistID, _ sharing: PlaylistSharing, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        guard let persons = library.persons, let user = visit.identity.user?.user else {
            throw ProtocolFault(.unauthorized, "Only a user shares playlists. Sign in first: baton signin")
        }
        let before = persons.access(of: id)
        guard before.map({ $0.isEditable(by: user.person) }) ?? (user.role == .admin) else {
            throw ProtocolFault(.forbidden, "This playlist is not yours.", at: "/p/id")
        }
        var access = before ?? PlaylistAccess(owner: user.person)
        access.sharing = PlaylistAccess.Sharing(rawValue: sharing.rawValue) ?? .private
        if access.sharing != .link { access.link = nil } else if access.link == nil { access.link = users?.newToken() ?? "" }
        let wanted = sharing == .hub ? nil : access
        do throws(SourceFault) {
            let isNew = try await library.keepPersons { persons throws(SourceFault) in try persons.setAccess(wanted, of: id) }
            await library.show()
            return Answer(
                Reply(
                    id: visit.id, isNew ? .applied() : .noop(why: .same), revision: ledger.revision,
                    data: .sharedPlaylist(SharedPlaylist(sharing: sharing, link: wanted?.link))))
        } catch {
            throw ProtocolFault(error, at: nil)
        }
    }

    private static func made(_ outcome: PlaylistOutcome) -> PlaylistEdited? {
        PlaylistEdited(id: outcome.id, revision: outcome.revision, added: outcome.added)
    }

    private static func edited(_ outcome: PlaylistOutcome) -> PlaylistEdited? {
        PlaylistEdited(revision: outcome.revision, added: outcome.added)
    }

    /// A list may be made of nothing.
    private func expand(_ uris: [ItemURI], _ visit: Visit, at pointer: (Int) -> String) async throws(ProtocolFault) -> [NewEntry] {
        let (most, caller) = (playlistLength, visit.identity)
        let items =
            uris.isEmpty
            ? [] : try await items.items(of: uris, by: caller.person, trust: caller.trust, most: most, in: "playlist", at: pointer)
        if Task.isCancelled { throw .cancelled }
        return items
    }

    /// What this key was answered before: the sources that the command names need not be there any more.
    private func answered(
        _ visit: Visit, telling: @escaping (PlaylistOutcome) -> PlaylistEdited?
    ) async throws(ProtocolFault) -> Answer? {
        guard let once = visit.commandKey else { return nil }
        do throws(SourceFault) {
            let known = try await library.keep { userMarks throws(SourceFault) in try userMarks.answered(once) }
            return known.map { answer(with: $0, visit, telling: telling) }
        } catch {
            throw ProtocolFault(error, at: nil)
        }
    }

    private func change(
        _ visit: Visit,
        _ body: @escaping @Sendable (any UserMarks, CommandKey?, _ atMs: Int64) throws(SourceFault) -> PlaylistOutcome,
        telling: (PlaylistOutcome) -> PlaylistEdited? = { _ in nil }
    ) async throws(ProtocolFault) -> Answer {
        let once = visit.commandKey
        let atMs = clock.now.wallMs
        do throws(SourceFault) {
            let outcome = try await library.keep { userMarks throws(SourceFault) in try body(userMarks, once, atMs) }
            await library.show()
            return answer(with: outcome, visit, telling: telling)
        } catch {
            throw ProtocolFault(error, at: error.code == .keyMismatch ? "/k" : nil)
        }
    }

    private func answer(with outcome: PlaylistOutcome, _ visit: Visit, telling: (PlaylistOutcome) -> PlaylistEdited?) -> Answer {
        let why: Reply.Why? = outcome.isDup ? .dup : outcome.isNoop ? .same : nil
        let reply = Reply(
            id: visit.id, outcome.isNoop ? .noop(why: why) : .applied(why: why), revision: ledger.revision,
            data: telling(outcome).map { .playlistEdited($0) })
        return Answer(reply)
    }
}
