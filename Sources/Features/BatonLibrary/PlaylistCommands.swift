import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about playlists. A command that creates, changes or deletes one has a key. Key and change are one transaction in
/// the file of the marks, so the same command over two connections counts once.
@Loop
final class PlaylistCommands {
    private let library: LibraryService
    private let items: ItemExpansion
    private let ledger: Ledger
    private let clock: HubClock
    private let playlistLength: Int
    private let atServers: any ServerListEditing
    private let users: UserRegistry?

    init(
        _ library: LibraryService, _ items: ItemExpansion, _ atServers: any ServerListEditing, _ ledger: Ledger, _ clock: HubClock,
        _ limits: WireLimits, users: UserRegistry?
    ) {
        self.atServers = atServers
        self.users = users
        self.library = library
        self.items = items
        self.ledger = ledger
        self.clock = clock
        playlistLength = limits.playlistLength
    }

    package func install(in commands: CommandTable) {
        commands.work(on: Commands.Playlists.self, list)
        commands.work(on: Commands.Playlist.self, contents)
        commands.work(on: Commands.PlaylistShare.self, share)
        commands.work(on: Commands.PlaylistCreate.self, create)
        commands.work(on: Commands.PlaylistEdit.self, edit)
        commands.work(on: Commands.PlaylistRestore.self) { [self] command, visit async throws(ProtocolFault) in
            try await change(visit) { userMarks, once, _ throws(SourceFault) in try userMarks.restorePlaylist(command.id, once: once) }
        }
        commands.work(on: Commands.PlaylistDelete.self) { [self] command, visit async throws(ProtocolFault) in
            if let list = command.list { return try await atServers.delete(list, from: command.version, for: visit) }
            let id = command.id ?? PlaylistID("")
            return try await change(visit) { userMarks, once, _ throws(SourceFault) in try userMarks.deletePlaylist(id, once: once) }
        }
    }

    // MARK: Looking

    private func list(_ command: Commands.Playlists, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let window = PageWindow(from: command.from, limit: command.limit)
        let (person, persons) = (visit.identity.person, library.persons)
        var list = try await looking { userMarks throws(SourceFault) in
            let revision = try userMarks.libraryCounts().playlistRevision
            guard let persons, persons.hasOwnedLists || person.isUser else {
                return PlaylistList(try userMarks.playlists(window), revision: revision)
            }
            return PlaylistList(try Self.visible(window, to: person, persons), revision: revision)
        }
        for index in list.rows.indices { describe(&list.rows[index]) }
        return ledger.found(list, for: visit)
    }

    /// The page of the lists that this person may see.
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

    /// Adds the owner and the access of a list to its row.
    private func describe(_ row: inout PlaylistRow) {
        guard let access = library.persons?.access(of: row.id) else { return }
        row.owner = users?.name(of: access.owner)
        row.sharing = access.sharing
    }

    private func contents(_ command: Commands.Playlist, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let (id, from, count) = (command.id, command.from, command.count)
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
        return ledger.found(PlaylistContents(entries, list: row, from: page.from), for: visit)
    }

    private func looking<Found: Sendable>(
        _ question: @escaping @Sendable (any UserMarks) throws(SourceFault) -> Found
    ) async throws(ProtocolFault) -> Found {
        do throws(SourceFault) { return try await library.look(question) } catch {
            throw ProtocolFault(error, at: nil)
        }
    }

    // MARK: Changing

    private func create(_ command: Commands.PlaylistCreate, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let (name, uris, rule) = (command.name, command.uris ?? [], command.rule)
        if let source = command.source { return try await atServers.create(name, of: uris, at: source, for: visit) }
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

    private func edit(_ command: Commands.PlaylistEdit, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        if let list = command.list { return try await atServers.edit(list, from: command.version, by: command.ops, for: visit) }
        let (id, base) = (command.id ?? PlaylistID(""), command.base)
        if let known = try await answered(visit, telling: Self.edited) { return known }
        var edits: [PlaylistEdit] = []
        for (index, op) in command.ops.enumerated() {
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

    /// Shares a list. Only the owner may; a list without an owner goes to the user who shares it, if that is an admin.
    private func share(_ command: Commands.PlaylistShare, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        let (id, sharing) = (command.id, command.share)
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
            return ledger.done(isNew, for: visit, SharedPlaylist(sharing: sharing, link: wanted?.link))
        } catch {
            throw ProtocolFault(error, at: nil)
        }
    }

    private static func made(_ outcome: PlaylistOutcome) -> PlaylistEdited? {
        PlaylistEdited(id: outcome.id, revision: outcome.revision, entries: outcome.added)
    }

    private static func edited(_ outcome: PlaylistOutcome) -> PlaylistEdited? {
        PlaylistEdited(revision: outcome.revision, entries: outcome.added)
    }

    /// The entries of these items, which may be none.
    private func expand(_ uris: [ItemURI], _ visit: Visit, at pointer: (Int) -> String) async throws(ProtocolFault) -> [NewEntry] {
        let (most, caller) = (playlistLength, visit.identity)
        let items =
            uris.isEmpty
            ? [] : try await items.items(of: uris, by: caller.person, trust: caller.trust, most: most, in: "playlist", at: pointer)
        if Task.isCancelled { throw .cancelled }
        return items
    }

    /// The answer to an earlier command with this key, since the sources that it names may be gone.
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
        return ledger.answer(visit, outcome.isNoop ? .noop(why: why) : .applied(why: why), telling(outcome))
    }
}
