import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about accounts at servers. They wait for a disk or a server, so they run off the loop.
@Loop
struct SourceCommands {
    let accounts: SourceAccounts
    let delivery: OutboxDelivery
    let savedQueues: SavedQueues
    let mirrorPasses: MirrorPasses
    let ledger: Ledger
    /// Limit on rows of one answer.
    private nonisolated static let mostNotes = 200
    /// Time limit for the start of a scan, which a server may delay.
    private static let rescanLimit: Duration = .seconds(30)

    func install(in commands: CommandTable) {
        commands.find(Commands.Sources.self, with: ledger) { _, accepted async throws(SourceFault) in try list(for: accepted.identity) }
        commands.change(Commands.SourceAdd.self, with: ledger) { command, _ async throws(SourceFault) in try await accounts.add(command) }
        commands.change(Commands.SourceSet.self, with: ledger) { command, _ async throws(SourceFault) in
            try await accounts.change(command)
        }
        commands.find(Commands.SourceTest.self, with: ledger) { command, _ async throws(SourceFault) in
            guard let name = command.name else { return try await accounts.tryOut(command) }
            return try await test(name)
        }
        commands.change(Commands.SourceRemove.self, with: ledger) { command, _ async throws(SourceFault) in
            try await accounts.remove(command.name)
        }
        commands.change(Commands.SourceSync.self, with: ledger) { command, _ async throws(SourceFault) in
            try await sync(command.name, rescan: command.rescan)
        }
        commands.find(Commands.SourcePending.self, with: ledger) { command, _ async throws(SourceFault) in
            try await pending(command.name, isDropped: command.isDropped)
        }
    }

    private func list(for identity: Identity) throws(SourceFault) -> SourceList {
        guard let parts = accounts.parts else { throw SourceAccounts.unsupported }
        let isAdmin = identity.role == .admin
        let rows = accounts.entries.map { entry in
            let account = entry.account
            return SourceList.Row(
                name: account.name, kind: account.kind, title: account.title, isEnabled: account.isEnabled,
                isConfigured: account.isConfigured, url: isAdmin ? account.url : nil, user: isAdmin ? entry.user : nil,
                options: isAdmin ? account.options : [:])
        }
        let kinds = parts.kinds.map { kind in
            SourceList.Kind(
                name: kind.name, title: kind.title, login: kind.logins,
                options: kind.options.map { .init(name: $0.name, about: $0.about, usual: $0.usual) })
        }
        return SourceList(rows, kinds: kinds)
    }

    private func test(_ name: String) async throws(SourceFault) -> SourceTested {
        _ = try accounts.entry(name)
        await accounts.sources.checkNow(name)
        savedQueues.read(name)
        // It may have been changed or removed meanwhile.
        let (state, sentence) = accounts.state(of: try accounts.entry(name))
        let sources = accounts.sources
        return SourceTested(
            state: state, sentence: sentence, latencyMs: state == .ok ? sources.latencyMs(of: name) : nil,
            asks: state == .down ? sources.health.asks(of: name)?.rawValue : nil)
    }

    private func sync(_ name: String, rescan: Bool) async throws(SourceFault) -> Bool {
        _ = try accounts.entry(name)
        let connector = try await accounts.sources.connector(named: name)
        savedQueues.read(name)
        if rescan {
            guard connector.about.abilities.contains(.rescan) else {
                throw SourceFault(.unsupported, "The source “\(connector.about.name)” cannot be told to look for new music.")
            }
            try await accounts.sources.ask(connector, within: Self.rescanLimit) { connector throws(SourceFault) in
                try await connector.rescan()
            }
        }
        guard mirrorPasses.isOpen, connector.about.abilities.contains(.mirror) else {
            guard rescan else { throw SourceFault(.unsupported, "The hub keeps no copy of the rows of “\(connector.about.name)”.") }
            return true
        }
        return mirrorPasses.sync(name) || rescan
    }

    private func pending(_ name: String, isDropped: Bool) async throws(SourceFault) -> PendingNotes {
        _ = try accounts.entry(name)
        let notes = try await delivery.pending(of: name, limit: Self.mostNotes)
        let count = delivery.counts[name] ?? OutboxCount()
        let dropped = isDropped ? try await delivery.drop(of: name) : nil
        // The counts follow the notes a moment later, so they are used only where not all notes are here.
        let total = notes.count < Self.mostNotes ? notes.count : max(notes.count, count.pending + count.refused)
        return PendingNotes(notes.map(PendingNotes.Row.init), total: total, dropped: dropped)
    }
}

extension PendingNotes.Row {
    fileprivate init(_ note: OutboxNote) {
        let (what, uri): (String, ItemURI?) =
            switch note.note {
            case .favourite(let uri, _): ("favourite", uri)
            case .stars(let uri, _): ("stars", uri)
            case .played(let uri, _): ("played", uri)
            case .nowPlaying(let uri): ("playing", uri)
            case .progress(let note): ("progress", note.uri)
            case .queue(_, let current, _): ("queue", current)
            }
        self.init(what: what, uri: uri, atMs: note.atMs, tries: note.tries, isRefused: note.isRefused, sentence: note.sentence)
    }
}
