import BatonCore
import BatonProtocol
import BatonSeams

/// Commands that make playlists and change them.
extension Session {
    /// How `save` treats a playlist that exists.
    private enum SaveMode: String {
        case create, append, replace
    }

    func savePlaylist(_ words: [String]) throws(Ack) -> Step {
        let name = words[0]
        guard let mode = words.count > 1 ? SaveMode(rawValue: words[1]) : .create else {
            throw Ack(.argument, "Unrecognized save mode, expected one of 'create', 'append', 'replace'")
        }
        return .working { [self] () async throws(Ack) in
            try Self.checkName(name)
            let list = try await playlist(named: name)
            queue.refresh()
            let items = queue.rows(0..<queue.songs.count).compactMap(\.uri)
            switch mode {
            case .create:
                if list != nil { throw Ack(.exists, "Playlist already exists") }
                try await make(name, items)
            case .append, .replace:
                guard let list else { throw Self.noSuchPlaylist }
                var ops: [PlaylistOp] = mode == .replace ? [.plain(.clear)] : []
                if !items.isEmpty { ops.append(.add(items, at: .end)) }
                if !ops.isEmpty { try await edit(list, ops) }
            }
        }
    }

    private func make(_ name: String, _ items: [ItemURI]) async throws(Ack) {
        do throws(Ack) {
            _ = try await ask(Commands.PlaylistCreate(name, uris: items.isEmpty ? nil : items))
        } catch {
            // A name that the hub does not take is a bad one.
            throw error.code == .argument ? Ack(.argument, "Bad playlist name") : error
        }
    }

    private func edit(_ list: PlaylistRow, _ ops: [PlaylistOp], revision: Int? = nil) async throws(Ack) {
        let most = ports.limits.playlistOps
        var base: Int? = revision ?? list.revision
        for start in stride(from: 0, to: ops.count, by: most) {
            let piece = Array(ops[start..<min(start + most, ops.count)])
            let reply = try await ask(Commands.PlaylistEdit(id: list.id, base: base, ops: piece))
            base = (reply.data as? PlaylistEdited)?.revision
        }
    }

    func removePlaylist(_ words: [String]) throws(Ack) -> Step {
        let name = words[0]
        return .working { [self] () async throws(Ack) in
            _ = try await ask(Commands.PlaylistDelete(id: try await changeablePlaylist(name).id))
        }
    }

    func renamePlaylist(_ words: [String]) throws(Ack) -> Step {
        let (name, other) = (words[0], words[1])
        return .working { [self] () async throws(Ack) in
            try Self.checkName(name)
            try Self.checkName(other)
            let lists = try await allPlaylists()
            guard !lists.contains(where: { $0.name == other }) else { throw Ack(.exists, "Playlist exists already") }
            guard let list = lists.first(where: { $0.name == name }) else { throw Self.noSuchPlaylist }
            try await edit(list, [.plain(.rename(other))])
        }
    }

    func clearPlaylist(_ words: [String]) throws(Ack) -> Step {
        let name = words[0]
        return .working { [self] () async throws(Ack) in
            let list = try await changeablePlaylist(name)
            if list.count > 0 { try await edit(list, [.plain(.clear)]) }
        }
    }

    // MARK: Entries

    func addToPlaylist(_ words: [String]) throws(Ack) -> Step {
        let (name, uri) = (words[0], words[1])
        let place: Int? = words.count > 2 ? try Argument.count(words[2]) : nil
        return .working { [self] () async throws(Ack) in
            try Self.checkName(name)
            try await checkPlace(place, in: name)
            try await add(try await items(at: uri), to: name, at: place)
        }
    }

    func addFoundToPlaylist(_ words: [String]) throws(Ack) -> Step {
        let name = words[0]
        var rest = words.dropFirst()
        let place: Int? = if let word = SongQuestion.take("position", from: &rest) { try Argument.count(word) } else { nil }
        let question = try SongQuestion(Array(rest), foldsCase: true)
        return .working { [self] () async throws(Ack) in
            // As the original does, which looks at the playlist only where it has a place to find or a song to add.
            if place != nil { try Self.checkName(name) }
            try await checkPlace(place, in: name)
            let found = try await foundItems(question)
            guard !found.isEmpty else { return }
            try Self.checkName(name)
            try await add(found, to: name, at: place)
        }
    }

    /// The place is looked at before the songs. A playlist that does not exist yet has one.
    private func checkPlace(_ place: Int?, in name: String) async throws(Ack) {
        guard let place, place > 0 else { return }
        guard place <= (try await playlist(named: name)?.count ?? 0) else { throw Ack(.argument, "Bad position") }
    }

    /// Adds items to a playlist, which is made where there is none.
    private func add(_ items: [ItemURI], to name: String, at place: Int?) async throws(Ack) {
        guard !items.isEmpty else { return }
        guard let list = try await playlist(named: name) else { return try await make(name, items) }
        guard let place else { return try await edit(list, [.add(items, at: .end)]) }
        let entries = try await contents(of: list).entries
        let point: InsertionPoint = place >= entries.count ? .end : .after(place == 0 ? nil : entries[place - 1].id)
        try await edit(list, [.add(items, at: point)])
    }

    func deleteFromPlaylist(_ words: [String]) throws(Ack) -> Step {
        let range = try Argument.range(words[1])
        let name = words[0]
        return .working { [self] () async throws(Ack) in
            let list = try await changeablePlaylist(name)
            let (entries, revision) = try await contents(of: list)
            guard range == .everything || range.start <= entries.count else { throw .badSongIndex }
            let gone = entries[range.within(entries.count)].map(\.id)
            if !gone.isEmpty { try await edit(list, [.plain(.remove(gone))], revision: revision) }
        }
    }

    func moveInPlaylist(_ words: [String]) throws(Ack) -> Step {
        let range = try Self.moved(words[1])
        let target = try Argument.count(words[2])
        let name = words[0]
        // The original does not even look for the playlist then.
        guard target != range.start else { return .done }
        return .working { [self] () async throws(Ack) in
            let list = try await changeablePlaylist(name)
            let (entries, revision) = try await contents(of: list)
            var range = range
            if range.end == SongRange.everything.end { range.end = entries.count }
            guard range.start < range.end, range.end <= entries.count, target <= entries.count - (range.end - range.start) else {
                throw Ack(.argument, "Bad range")
            }
            var rest = entries
            rest.removeSubrange(range.start..<range.end)
            let anchor: EntryID? = target == 0 ? nil : rest[target - 1].id
            let ids = entries[range.start..<range.end].map(\.id)
            try await edit(list, [.plain(.move(ids, to: .after(anchor)))], revision: revision)
        }
    }

    /// A place or a range. A single place is refused in the words for a number.
    private static func moved(_ word: String) throws(Ack) -> SongRange {
        if word.utf8.contains(UInt8(ascii: ":")) { return try Argument.range(word) }
        return SongRange(try Argument.count(word))
    }
}
