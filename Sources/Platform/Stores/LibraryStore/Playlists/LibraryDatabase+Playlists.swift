/// Playlists. Each is loaded as a queue that does not play and edited like one; then the differences are written.
import BatonCore
import BatonSeams
import SQLite

extension LibraryDatabase {
    func createPlaylist(_ name: String, _ entries: [NewEntry], rule: SmartRule?, at now: Moment) throws(SourceFault) -> PlaylistOutcome {
        if let rule { _ = try SmartQuery(rule, nowMs: now.wallMs) }
        var hash = Int64.random(in: 1 << 24..<1 << 40)
        while try isTaken(hash) { hash += 1 }
        let number = try insert(
            """
            INSERT INTO playlist (hash, name, fold, revision, next_entry, entries, duration_ms, changed_ms, ord, rule, made_ms)
            VALUES (?1, ?2, ?3, 0, 1, 0, 0, ?4, ?5, ?6, ?4)
            """,
            [.int(hash), .text(name), .text(Folding.short(name)), .time(now.wallMs), .blob([0]), rule.map { .blob($0.packed) } ?? .null])
        libraryCounts.playlists += 1
        libraryCounts.playlistRevision += 1
        try show(playlist: number, called: name)
        let id = PlaylistID(Self.short(UInt64(hash)))
        guard !entries.isEmpty else { return PlaylistOutcome(id: id, revision: 0) }
        guard rule == nil else { throw SourceFault(.badRequest, "“\(name)” is filled by its rule; nothing can be added to it.") }
        var kept = try playlist(number)
        let before = kept
        let edited = try edit(&kept, .add(entries, at: .end), at: now)
        // The initial entries do not count as an edit.
        kept.list = PlaybackQueue(entries: kept.list.entries, current: nil, revision: 1)
        try write(kept, since: before, atMs: now.wallMs)
        return PlaylistOutcome(id: id, revision: 1, added: edited.added)
    }

    func editPlaylist(_ id: PlaylistID, base: Int?, _ edits: [PlaylistEdit], at now: Moment) throws(SourceFault) -> PlaylistOutcome {
        let number = try number(of: id)
        var kept = try playlist(number)
        let before = kept
        if let base, base != kept.list.revision {
            throw SourceFault(
                .conflict, "“\(kept.name)” was changed meanwhile: it is at \(kept.list.revision), not at \(base). Look again.",
                revision: kept.list.revision)
        }
        guard base != nil || !edits.contains(.clear) else {
            throw SourceFault(.badRequest, "Emptying a list needs base, the rev that was looked at.")
        }
        var outcome = PlaylistOutcome(id: id, revision: 0, isNoop: true)
        for one in edits {
            let edited = try edit(&kept, one, at: now)
            outcome.added += edited.added
            if edited.isChanged { outcome.isNoop = false }
        }
        // The revision counts commands, not the edits inside one.
        if !outcome.isNoop {
            kept.list = PlaybackQueue(
                entries: kept.list.entries, current: nil, revision: before.list.revision + 1, history: kept.list.history)
            try write(kept, since: before, atMs: now.wallMs)
            libraryCounts.playlistRevision += 1
        }
        outcome.revision = kept.list.revision
        return outcome
    }

    // MARK: - One edit

    private func edit(_ kept: inout StoredPlaylist, _ edit: PlaylistEdit, at now: Moment) throws(SourceFault) -> PlaybackQueue.Edited {
        switch edit {
        case .rename(let name):
            guard name != kept.name else { return PlaybackQueue.Edited() }
            kept.name = name
            try show(playlist: kept.number, called: name)
            return PlaybackQueue.Edited(isChanged: true)
        case .describe(let text):
            guard text != kept.about else { return PlaybackQueue.Edited() }
            kept.about = text
            return PlaybackQueue.Edited(isChanged: true)
        case .rule(let rule):
            guard kept.rule != nil else {
                throw SourceFault(.badRequest, "“\(kept.name)” is filled by people; only a list made with a rule can have another.")
            }
            guard rule != kept.rule else { return PlaybackQueue.Edited() }
            _ = try SmartQuery(rule, nowMs: now.wallMs)
            kept.rule = rule
            return PlaybackQueue.Edited(isChanged: true)
        case .add, .remove, .move, .clear, .undo:
            guard kept.rule == nil else {
                throw SourceFault(.badRequest, "“\(kept.name)” is filled by its rule; its entries cannot be edited.")
            }
        }
        var own = edit
        if case .add(let entries, let place) = edit {
            guard kept.list.count + entries.count <= PlaybackQueue.limit else { throw tooLong }
            if let other = entries.first(where: \.tags.kind.isContainer) { throw Self.unlisted(other) }
            var items: [NewEntry] = []
            for entry in entries { items.append(NewEntry(uri: ItemURI("\(try item(entry))"), tags: Tags(), trust: entry.trust)) }
            own = .add(items, at: place)
        }
        do {
            return try kept.list.apply(own, numbers: &kept.numbers, at: now)
        } catch {
            throw SourceFault(Refusal(error.code, error.sentence.ofPlaylist, revision: error.revision))
        }
    }

    /// Error for a list as an entry: a list inside a list could contain itself.
    private static func unlisted(_ entry: NewEntry) -> SourceFault {
        SourceFault(.unsupported, "A playlist holds single items, and “\(entry.tags.title)” holds others: add what is in it.")
    }

    private var tooLong: SourceFault { SourceFault(.quota, "A playlist holds at most \(PlaybackQueue.limit) entries.") }

    func show(playlist number: Int64, called name: String) throws(SourceFault) {
        pending.searchEntries[SearchEntryKey(.playlist, number)] = SearchEntry(
            plays: 0, sort: name, name: "pl\(number)", texts: [(.playlistName, name)])
    }
}

extension SourceFault {
    init(_ refusal: Refusal) {
        let code: Code =
            switch refusal.code {
            case .anchorGone: .anchorGone
            case .badRequest: .badRequest
            case .gone: .gone
            case .queueConflict: .conflict
            case .notFound: .notFound
            case .quota: .quota
            case .invalidState: .invalidState
            }
        self.init(code, refusal.sentence, revision: refusal.revision)
    }
}

extension String {
    /// The sentence with “playlist” for “queue”, since playlists share the queue's rules and errors.
    fileprivate var ofPlaylist: String { split(separator: "queue", omittingEmptySubsequences: false).joined(separator: "playlist") }
}
