import BatonCore
import BatonProtocol
import BatonSeams

/// Commands that find songs of the library.
extension Session {
    var stream: SongStream { SongStream(session: self) }

    func find(_ words: [String], foldsCase: Bool) throws(Ack) -> Step {
        let question = try SongQuestion(words, foldsCase: foldsCase)
        _ = try SongTester(question.filter)
        return .working { [self] () async throws(Ack) in try await stream.found(question) }
    }

    func addFound(_ words: [String], foldsCase: Bool) throws(Ack) -> Step {
        var words = words[...]
        let place = try insertion(SongQuestion.take("position", from: &words))
        let question = try SongQuestion(Array(words), foldsCase: foldsCase)
        return .working { [self] () async throws(Ack) in
            let items = try await foundItems(question)
            if !items.isEmpty { _ = try await ask(Commands.QueueAdd(items, place: place)) }
        }
    }

    /// The items of all songs that a question finds.
    func foundItems(_ question: SongQuestion) async throws(Ack) -> [ItemURI] {
        if question.order != nil { return try await stream.collect(question).compactMap(\.item) }
        // More than a queue or a playlist can take is refused anyway, so no more are looked for.
        var question = question
        question.window.end = min(question.window.end, question.window.start + ports.limits.queueLength + 1)
        var items: [ItemURI] = []
        try await stream.each(question) {
            $0.compactMap(\.item)
        } take: { (found: [ItemURI]) async throws(Ack) in
            items += found
        }
        return items
    }

    // MARK: Lists and counts

    func list(_ words: [String]) throws(Ack) -> Step {
        let question = try ListQuestion(words)
        return .working { [self] () async throws(Ack) in
            guard let tags = question.tags else { return try await listPaths(question.filter ?? .all([])) }
            try await listValues(of: tags, question.filter, counts: false)
        }
    }

    private func listPaths(_ filter: SongFilter) async throws(Ack) {
        var question = SongQuestion.everything
        question.filter = filter
        try await stream.each(question) { songs in
            var text = SongText()
            for song in songs { text.addPath(of: song) }
            return text.bytes
        } take: { (bytes: [UInt8]) async throws(Ack) in
            try await send(bytes)
        }
    }

    /// Sends values in groups. Without a filter the store has counted them.
    private func listValues(of tags: [TagName], _ filter: SongFilter?, counts: Bool) async throws(Ack) {
        let bytes: [UInt8]
        if let filter {
            var question = SongQuestion.everything
            question.filter = filter
            var collector = ListWriter.Collector(tags)
            try await stream.each(question) { songs in
                var part = ListWriter.Collector(tags)
                for song in songs { part.add(song) }
                return part
            } take: { (part: ListWriter.Collector) async throws(Ack) in
                collector.add(part)
            }
            let all = collector
            bytes = try await offLoop { () throws(SourceFault) in ListWriter.text(of: all.rows, tags, counts: counts) }
        } else {
            let question = LastLists.Question(tags: tags, counts: counts)
            if let known = dialect.lists.answer(to: question) { return try await send(known) }
            let state = dialect.totals.number
            let songs = try songs()
            bytes = try await offLoop { () throws(SourceFault) in ListWriter.text(of: try songs.values(of: tags), tags, counts: counts) }
            if state == dialect.totals.number { dialect.lists.keep(bytes, for: question) }
        }
        try await send(bytes)
    }

    func count(_ words: [String], foldsCase: Bool) throws(Ack) -> Step {
        var rest = words[...]
        var group: TagName?
        if let word = SongQuestion.take("group", from: &rest) { group = try ListQuestion.tag(word) }
        let filter: SongFilter? = rest.isEmpty ? nil : try FilterReader.filter(of: rest, foldsCase: foldsCase)
        return .working { [self] () async throws(Ack) in
            if let group { return try await listValues(of: [group], filter, counts: true) }
            var question = SongQuestion.everything
            question.filter = filter ?? .all([])
            var songs = 0
            var lengthMs = 0
            try await stream.each(question) { songs in
                (songs.count, songs.reduce(0) { $0 + ($1.durationMs ?? 0) })
            } take: { (found: (Int, Int)) async throws(Ack) in
                songs += found.0
                lengthMs += found.1
            }
            text.line("songs", songs)
            text.line("playtime", lengthMs / 1000)
        }
    }
}

extension SongQuestion {
    /// All songs.
    static let everything = SongQuestion(filter: .all([]))

    private init(filter: SongFilter) { self.filter = filter }
}
