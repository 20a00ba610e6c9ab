import BatonCore
import BatonProtocol
import BatonSeams

/// Commands that show the queue.
extension Session {
    // MARK: Songs of rows

    /// The songs of rows of the queue, as the library knows them, or as the queue does.
    func songs(of rows: [QueueRow]) async throws(Ack) -> [Song] {
        guard let library = dialect.parts.songs() else { return rows.map(Song.init) }
        let items = rows.map { $0.uri ?? ItemURI("") }
        let found = try await offLoop { () throws(SourceFault) in try library.songs(of: items) }
        return rows.indices.map { place in (place < found.count ? found[place] : nil) ?? Song(rows[place]) }
    }

    /// Shows these places, a piece of the queue at a time.
    private func show(_ places: [Int]) -> Step {
        guard !places.isEmpty else { return .done }
        let entries = places.map { SongText.Entry(place: $0, id: queue.songs[$0]) }
        return .working { [self] () async throws(Ack) in
            for start in stride(from: 0, to: entries.count, by: SongStream.piece) {
                let piece = Array(entries[start..<min(start + SongStream.piece, entries.count)])
                let rows = rows(of: piece)
                let songs = try await songs(of: rows)
                var text = SongText(tags)
                for place in rows.indices {
                    guard let entry = piece.first(where: { $0.id == rows[place].entry }) else { continue }
                    text.add(songs[place], at: entry)
                }
                try await send(text.bytes)
            }
        }
    }

    /// The rows of these entries, as far as they are in the queue still. The queue may change while a long answer is sent.
    func rows(of entries: [SongText.Entry]) -> [QueueRow] {
        queue.refresh()
        guard let first = entries.first, let last = entries.last else { return [] }
        let span = first.place..<min(last.place + 1, queue.songs.count)
        let wanted = Set(entries.map(\.id))
        let near = span.isEmpty ? [] : queue.rows(span).filter { wanted.contains($0.entry) }
        guard near.count < entries.count else { return near }
        return queue.rows(0..<queue.songs.count).filter { wanted.contains($0.entry) }
    }

    // MARK: Lists

    func showQueue(_ words: [String]) throws(Ack) -> Step {
        let range: SongRange = if let word = words.first { try Argument.range(word) } else { .everything }
        queue.refresh()
        guard range.start <= queue.songs.count else { throw .badSongIndex }
        return show(Array(range.within(queue.songs.count)))
    }

    func showQueueByID(_ words: [String]) throws(Ack) -> Step {
        guard let word = words.first else { return try showQueue([]) }
        let entry = try entry(try Argument.count(word))
        return show(queue.versions.place(of: entry).map { [$0] } ?? [])
    }

    func listQueuePaths() -> Step {
        queue.refresh()
        guard !queue.songs.isEmpty else { return .done }
        let count = queue.songs.count
        return .working { [self] () async throws(Ack) in
            for start in stride(from: 0, to: count, by: SongStream.piece) {
                let rows = queue.rows(start..<min(start + SongStream.piece, count))
                let songs = try await songs(of: rows)
                var text = AnswerText()
                for place in rows.indices { text.whole("\(start + place):file: \(songs[place].uri)") }
                try await send(text.bytes)
            }
        }
    }

    func showChanges(_ words: [String], showsSongs: Bool) throws(Ack) -> Step {
        let version = try Argument.version(words[0])
        let range: SongRange = if words.count > 1 { try Argument.range(words[1]) } else { .everything }
        queue.refresh()
        let places = queue.versions.changes(since: version, in: range)
        if showsSongs { return show(places) }
        for place in places {
            text.line("cpos", place)
            text.line("Id", queue.songs[place].number)
        }
        return .done
    }

    // MARK: Finding

    func findInQueue(_ words: [String], foldsCase: Bool) throws(Ack) -> Step {
        let question = try SongQuestion(words, foldsCase: foldsCase)
        let tester = try SongTester(question.filter)
        queue.refresh()
        let entries = queue.songs.enumerated().map { SongText.Entry(place: $0.offset, id: $0.element) }
        return .working { [self] () async throws(Ack) in
            var found: [(song: Song, entry: SongText.Entry)] = []
            for start in stride(from: 0, to: entries.count, by: SongStream.piece) {
                let piece = Array(entries[start..<min(start + SongStream.piece, entries.count)])
                let rows = rows(of: piece)
                let songs = try await songs(of: rows)
                for place in try await offLoop({ () throws(SourceFault) in songs.indices.filter { tester.matches(songs[$0]) } }) {
                    guard let entry = piece.first(where: { $0.id == rows[place].entry }) else { continue }
                    found.append((songs[place], entry))
                }
            }
            if let order = question.order {
                let songs = found.map(\.song)
                let places = try await offLoop { () throws(SourceFault) in order.places(of: songs) }
                found = places.map { found[$0] }
            }
            var text = SongText(tags)
            for (song, entry) in found[question.window.within(found.count)] { text.add(song, at: entry) }
            try await send(text.bytes)
        }
    }
}

extension Song {
    /// A song that the library does not know, as far as the queue knows it.
    init(_ row: QueueRow) { self.init(item: row.uri, row.tags) }

    /// An item of another source, by what its source says of it.
    init(item: ItemURI?, _ known: Tags) {
        var tags: [Tag] = []
        func add(_ name: TagName, _ value: String) { if !value.isEmpty { tags.append(Tag(name, value)) } }
        let isPlainAddress = item?.source.hasPrefix("http") == true && known.artists.isEmpty && known.durationMs == nil
        for artist in known.artists { add(.artist, artist) }
        add(.albumArtist, known.albumArtist)
        if known.kind == .station {
            add(.name, known.title)
            add(.title, known.streamTitle ?? "")
        } else if !isPlainAddress {
            add(.title, known.title)
        }
        add(.album, known.album)
        add(.track, known.track.map(String.init) ?? "")
        add(.date, known.year.map(String.init) ?? "")
        add(.disc, known.disc.map(String.init) ?? "")
        self.init(uri: item?.text ?? "", item: item, tags: tags, durationMs: known.durationMs.map { Int($0) })
    }
}
