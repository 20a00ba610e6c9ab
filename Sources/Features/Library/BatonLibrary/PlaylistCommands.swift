import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about playlists. A command that creates, changes or deletes one has a key. Key and change are one transaction in
/// the file of the marks, so the same command over two connections counts once.
@Loop
struct PlaylistCommands {
    let library: LibraryService
    let items: ItemExpansion
    let ledger: Ledger
    let clock: HubClock
    let atServers: any ServerListEditing
    let users: UserRegistry?
    let playlistLength: Int

    func install(in commands: CommandTable) {
        commands.find(Commands.Playlists.self, with: ledger, list)
        commands.find(Commands.Playlist.self, with: ledger, contents)
        commands.work(on: Commands.PlaylistShare.self, share)
        commands.work(on: Commands.PlaylistCreate.self, create)
        commands.work(on: Commands.PlaylistEdit.self, edit)
        commands.work(on: Commands.PlaylistRestore.self) { command, accepted async throws(ProtocolFault) in
            try await change(accepted) { userMarks, once, _ throws(SourceFault) in try userMarks.restorePlaylist(command.id, once: once) }
        }
        commands.work(on: Commands.PlaylistDelete.self) { command, accepted async throws(ProtocolFault) in
            if let list = command.list { return try await atServers.delete(list, from: command.version, for: accepted) }
            let id = command.id ?? PlaylistID("")
            return try await change(accepted) { userMarks, once, _ throws(SourceFault) in try userMarks.deletePlaylist(id, once: once) }
        }
    }

    // MARK: Looking

    private func list(_ command: Commands.Playlists, _ accepted: AcceptedCommand) async throws(SourceFault) -> PlaylistList {
        let window = PageWindow(from: command.from, limit: command.limit)
        let (person, persons) = (accepted.identity.person, library.persons)
        var list = try await library.look { userMarks throws(SourceFault) in
            let revision = try userMarks.libraryCounts().playlistRevision
            guard let persons, persons.hasOwnedLists || person.isUser else {
                return PlaylistList(try userMarks.playlists(window), revision: revision)
            }
            return PlaylistList(try persons.visiblePlaylists(window, to: person), revision: revision)
        }
        for index in list.rows.indices { describe(&list.rows[index]) }
        return list
    }

    /// Adds the owner and the access of a list to its row.
    private func describe(_ row: inout PlaylistRow) {
        guard let access = library.persons?.access(of: row.id) else { return }
        row.owner = users?.name(of: access.owner)
        row.sharing = access.sharing
    }

    private func contents(_ command: Commands.Playlist, _ accepted: AcceptedCommand) async throws(SourceFault) -> PlaylistContents {
        let (id, from, count) = (command.id, command.from, command.count)
        let (person, persons) = (accepted.identity.person, library.persons)
        let page = try await library.look { userMarks throws(SourceFault) in
            guard person.isUser, let persons else { return try userMarks.playlist(id, from: from, count: count) }
            return try persons.playlist(id, from: from, count: count, for: person)
        }
        let mayNamePaths = accepted.identity.trust >= .musicFolders
        let rows = await library.marked(page.entries.map(\.row), for: person)
        let entries = zip(page.entries, rows).map { PlaylistEntry(id: $0.id, row: $1, path: mayNamePaths ? $0.path : nil) }
        var row = page.list
        describe(&row)
        return PlaylistContents(entries, list: row, from: page.from)
    }

    // MARK: Changing

    private func create(_ command: Commands.PlaylistCreate, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let (name, uris, rule) = (command.name, command.uris ?? [], command.rule)
        if let source = command.source { return try await atServers.create(name, of: uris, at: source, for: accepted) }
        if let known = try await answered(accepted, telling: Self.made) { return known }
        let items = try await expand(uris, accepted) { "/p/uris/\($0)" }
        let (owner, persons) = (accepted.identity.user?.user.person, library.persons)
        return try await change(accepted, telling: Self.made) { userMarks, once, atMs throws(SourceFault) in
            guard let owner, let persons else { return try userMarks.createPlaylist(name, items, rule: rule, once: once, atMs: atMs) }
            return try persons.createPlaylist(name, items, rule: rule, access: PlaylistAccess(owner: owner), once: once, atMs: atMs)
        }
    }

    private func edit(_ command: Commands.PlaylistEdit, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        if let list = command.list { return try await atServers.edit(list, from: command.version, by: command.ops, for: accepted) }
        let (id, base) = (command.id ?? PlaylistID(""), command.base)
        if let known = try await answered(accepted, telling: Self.edited) { return known }
        var edits: [PlaylistEdit] = []
        for (index, op) in command.ops.enumerated() {
            switch op {
            case .plain(let edit): edits.append(edit)
            case .indexed(.describe(let text)): edits.append(.describe(text))
            case .add(let uris, let place):
                edits.append(.add(try await expand(uris, accepted) { "/p/ops/\(index)/add/\($0)" }, at: place))
            case .indexed: throw ProtocolFault(.badRequest, "Only a list that a server keeps is edited by places.", at: "/p/ops")
            }
        }
        return try await change(accepted, telling: Self.edited) { [edits] userMarks, once, atMs throws(SourceFault) in
            try userMarks.editPlaylist(id, base: base, edits, once: once, atMs: atMs)
        }
    }

    /// Shares a list. Only the owner may; a list without an owner goes to the user who shares it, if that is an admin.
    private func share(_ command: Commands.PlaylistShare, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let (id, sharing) = (command.id, command.share)
        guard let persons = library.persons, let user = accepted.identity.user?.user else {
            throw ProtocolFault(.signedOut, "Only a user shares playlists. Sign in first: baton signin")
        }
        let before = persons.access(of: id)
        guard before.map({ $0.isEditable(by: user.person) }) ?? (user.role == .admin) else {
            throw ProtocolFault(.forbidden, "This playlist is not yours.", at: "/p/id")
        }
        var access = before ?? PlaylistAccess(owner: user.person)
        access.sharing = PlaylistAccess.Sharing(rawValue: sharing.rawValue) ?? .private
        if access.sharing != .link { access.link = nil } else if access.link == nil { access.link = users?.newToken() ?? "" }
        let wanted = sharing == .hub ? nil : access
        let isNew = try await ProtocolFault.translating { () async throws(SourceFault) in
            try await library.changePersons { persons throws(SourceFault) in try persons.setAccess(wanted, of: id) }
        }
        await library.show()
        return ledger.done(isNew, for: accepted, SharedPlaylist(sharing: sharing, link: wanted?.link))
    }

    private static func made(_ outcome: PlaylistOutcome) -> PlaylistEdited? {
        PlaylistEdited(id: outcome.id, revision: outcome.revision, entries: outcome.added)
    }

    private static func edited(_ outcome: PlaylistOutcome) -> PlaylistEdited? {
        PlaylistEdited(revision: outcome.revision, entries: outcome.added)
    }

    /// The entries of these items, which may be none.
    private func expand(_ uris: [ItemURI], _ accepted: AcceptedCommand, at pointer: (Int) -> String) async throws(ProtocolFault)
        -> [NewEntry]
    {
        guard !uris.isEmpty else { return [] }
        let caller = accepted.identity
        let found = try await items.items(
            of: uris, by: caller.person, trust: caller.trust, most: playlistLength, in: "playlist", at: pointer)
        if Task.isCancelled { throw .cancelled }
        return found
    }

    /// The answer to an earlier command with this key, since the sources that it names may be gone.
    private func answered(
        _ accepted: AcceptedCommand, telling: @escaping (PlaylistOutcome) -> PlaylistEdited?
    ) async throws(ProtocolFault) -> Answer? {
        guard let once = accepted.commandKey else { return nil }
        let known = try await ProtocolFault.translating { () async throws(SourceFault) in
            try await library.changeMarks { userMarks throws(SourceFault) in try userMarks.answered(once) }
        }
        return known.map { answer(with: $0, accepted, telling: telling) }
    }

    private func change(
        _ accepted: AcceptedCommand, telling: (PlaylistOutcome) -> PlaylistEdited? = { _ in nil },
        _ body: @escaping @Sendable (any UserMarks, CommandKey?, _ atMs: Milliseconds) throws(SourceFault) -> PlaylistOutcome
    ) async throws(ProtocolFault) -> Answer {
        let (once, atMs) = (accepted.commandKey, clock.now.wallMs)
        let outcome = try await ProtocolFault.translating(.keyMismatch, at: "/k") { () async throws(SourceFault) in
            try await library.changeMarks { userMarks throws(SourceFault) in try body(userMarks, once, atMs) }
        }
        await library.show()
        return answer(with: outcome, accepted, telling: telling)
    }

    private func answer(with outcome: PlaylistOutcome, _ accepted: AcceptedCommand, telling: (PlaylistOutcome) -> PlaylistEdited?) -> Answer
    {
        let why: Reply.Why? = outcome.isDup ? .dup : outcome.isNoop ? .same : nil
        return ledger.answer(to: accepted, outcome.isNoop ? .noop(why: why) : .applied(why: why), telling(outcome))
    }
}
