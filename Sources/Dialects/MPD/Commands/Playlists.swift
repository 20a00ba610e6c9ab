import BatonCore
import BatonProtocol
import BatonSeams

/// Commands that show playlists, and queue them.
extension Session {
    static let noSuchPlaylist = Ack(.missing, "No such playlist")

    /// Checks a name as the original does, for which a playlist is a file.
    static func checkName(_ name: String) throws(Ack) {
        guard !name.isEmpty, !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0x0A || $0 == 0x0D }) else {
            throw Ack(.argument, "Bad playlist name")
        }
    }

    // MARK: Reading

    func allPlaylists() async throws(Ack) -> [PlaylistRow] {
        var lists: [PlaylistRow] = []
        while let page = try await ask(Commands.Playlists(from: lists.count)).data as? PlaylistList, !page.rows.isEmpty {
            lists += page.rows
        }
        return lists
    }

    func playlist(named name: String) async throws(Ack) -> PlaylistRow? { try await allPlaylists().first { $0.name == name } }

    /// A playlist that is changed or removed. One that is only read may have any name, and is not found by a bad one.
    func changeablePlaylist(_ name: String) async throws(Ack) -> PlaylistRow {
        try Self.checkName(name)
        return try await existingPlaylist(name)
    }

    func existingPlaylist(_ name: String) async throws(Ack) -> PlaylistRow {
        guard let list = try await playlist(named: name) else { throw Self.noSuchPlaylist }
        return list
    }

    /// All entries of a playlist, and its revision.
    func contents(of list: PlaylistRow) async throws(Ack) -> (entries: [PlaylistEntry], revision: Int) {
        var entries: [PlaylistEntry] = []
        var revision = list.revision
        while let page = try await ask(Commands.Playlist(list.id, from: entries.count)).data as? PlaylistContents, !page.rows.isEmpty {
            entries += page.rows
            revision = page.list.revision
        }
        return (entries, revision)
    }

    /// The songs of entries, as the library knows them, or as the playlist does.
    private func songs(of entries: [PlaylistEntry]) async throws(Ack) -> [Song] {
        let rows = entries.map(\.row)
        guard let library = dialect.parts.songs() else { return rows.map { Song(item: $0.uri, $0.tags) } }
        let items = rows.map(\.uri)
        let found = try await offLoop { () throws(SourceFault) in try library.songs(of: items) }
        return rows.indices.map { place in (place < found.count ? found[place] : nil) ?? Song(item: rows[place].uri, rows[place].tags) }
    }

    // MARK: Showing

    func listPlaylists() -> Step {
        .working { [self] () async throws(Ack) in
            for list in try await allPlaylists() { writePlaylist(list) }
        }
    }

    func writePlaylist(_ list: PlaylistRow) {
        var written = SongText()
        written.add(playlist: list.name, changed: (list.changedMs ?? list.madeMs).map { Int($0) / 1000 })
        text.lines(written.bytes)
    }

    func listPlaylist(_ words: [String], showsSongs: Bool) throws(Ack) -> Step {
        let range: SongRange = if words.count > 1 { try Argument.range(words[1]) } else { .everything }
        let name = words[0]
        return .working { [self] () async throws(Ack) in
            let entries = try await contents(of: try await existingPlaylist(name)).entries
            let wanted = Array(entries[range.within(entries.count)])
            for start in stride(from: 0, to: wanted.count, by: SongStream.piece) {
                var text = SongText(tags)
                for song in try await songs(of: Array(wanted[start..<min(start + SongStream.piece, wanted.count)])) {
                    if showsSongs { text.add(song) } else { text.addPath(of: song) }
                }
                try await send(text.bytes)
            }
        }
    }

    func measurePlaylist(_ words: [String]) throws(Ack) -> Step {
        let name = words[0]
        return .working { [self] () async throws(Ack) in
            let list = try await existingPlaylist(name)
            text.line("songs", list.count)
            text.line("playtime", Int(list.durationMs) / 1000)
        }
    }

    func searchPlaylist(_ words: [String]) throws(Ack) -> Step {
        let name = words[0]
        let question = try SongQuestion(Array(words.dropFirst()), foldsCase: true)
        let tester = try SongTester(question.filter)
        return .working { [self] () async throws(Ack) in
            let entries = try await contents(of: try await existingPlaylist(name)).entries
            let all = try await songs(of: entries)
            let songs = try await offLoop { () throws(SourceFault) in all.filter { tester.matches($0) } }
            var text = SongText(tags)
            for song in songs[question.window.within(songs.count)] { text.add(song) }
            try await send(text.bytes)
        }
    }

    // MARK: Queueing

    func loadPlaylist(_ words: [String]) throws(Ack) -> Step {
        let range: SongRange = if words.count > 1 { try Argument.range(words[1]) } else { .everything }
        let place = try insertion(words.count > 2 ? words[2] : nil)
        let name = words[0]
        return .working { [self] () async throws(Ack) in
            let entries = try await contents(of: try await existingPlaylist(name)).entries
            let items = entries[range.within(entries.count)].map(\.row.uri)
            if !items.isEmpty { _ = try await ask(Commands.QueueAdd(items, place: place)) }
        }
    }
}
