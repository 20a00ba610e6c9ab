import BatonCore
import BatonProtocol
import BatonSeams

/// Commands that take songs out of the queue and move them.
extension Session {
    /// The revision of the queue, for commands that are about all of it. Nothing comes between it and the command.
    private var revision: Int { view.queue?.revision ?? 0 }

    /// The place at which something is put into the queue. The last one is the end.
    func insertion(at place: Int) -> InsertionPoint {
        if place >= queue.songs.count { return .end }
        return place == 0 ? .after(nil) : .after(queue.songs[place - 1], orEnd: true)
    }

    /// The place that a word names, at the end without one.
    func insertion(_ word: String?) throws(Ack) -> InsertionPoint {
        guard let word else { return .end }
        queue.refresh()
        let place = current.flatMap { queue.versions.place(of: $0) }
        return insertion(at: try Argument.place(word, current: place, length: queue.songs.count))
    }

    // MARK: Removing

    func clear() -> Step { removing(nil) }

    func delete(_ words: [String]) throws(Ack) -> Step {
        let range = try Argument.range(words[0])
        queue.refresh()
        guard range.start <= queue.songs.count else { throw .badSongIndex }
        return remove(range.within(queue.songs.count))
    }

    func deleteID(_ words: [String]) throws(Ack) -> Step {
        removing([try entry(try Argument.count(words[0]))])
    }

    private func remove(_ places: Range<Int>) -> Step {
        if places.isEmpty { return .done }
        if places.count == queue.songs.count { return clear() }
        return removing(Array(queue.songs[places]))
    }

    /// Removes these songs, or all. Where one song is repeated and that one is removed, playback stops, as in the original.
    ///
    /// A connection that itself removes the song it was told of knows that another one is current.
    func removing(_ songs: [EntryID]?, then: @escaping @Loop () throws(Ack) -> Void = {}) -> Step {
        let knows = press.told == current
        let modes = view.modes
        let isRepeated = modes.repeat && modes.single != .off && modes.consume == .off
        let stops = isRepeated && view.playing == .play && current.map { songs?.contains($0) } == true
        let command: any CommandRequest = songs.map { Commands.QueueRemove($0) } ?? Commands.QueueClear(revision)
        return .asking(command) { [self] _ throws(Ack) in
            if knows { told() }
            try then()
            return stops ? .ask(Commands.Stop()) : .done
        }
    }

    // MARK: Moving

    func move(_ words: [String]) throws(Ack) -> Step {
        let range = try Argument.range(words[0])
        guard range.end != SongRange.everything.end else { throw Ack(.argument, "Open-ended range not supported") }
        queue.refresh()
        return try move(range.start..<range.end, to: words[1])
    }

    func moveID(_ words: [String]) throws(Ack) -> Step {
        let entry = try entry(try Argument.count(words[0]))
        guard let place = queue.versions.place(of: entry) else { throw .noSuchSong }
        return try move(place..<(place + 1), to: words[1])
    }

    private func move(_ moved: Range<Int>, to word: String) throws(Ack) -> Step {
        let place = try destination(word, of: moved)
        let songs = queue.songs
        guard moved.upperBound <= songs.count, place <= songs.count - moved.count else { throw .badSongIndex }
        guard !moved.isEmpty, place != moved.lowerBound else { return .done }
        var rest = songs
        rest.removeSubrange(moved)
        return .ask(Commands.QueueMove(Array(songs[moved]), anchor: .after(place == 0 ? nil : rest[place - 1])))
    }

    /// The place of the first moved song after the move. One relative to the current song counts without the moved ones. A range beyond the queue has
    /// no limit here, as in the original, and is refused afterwards.
    private func destination(_ word: String, of moved: Range<Int>) throws(Ack) -> Int {
        let rest = queue.songs.count - moved.count
        guard let sign = word.utf8.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            return try Argument.count(word, most: rest < 0 ? Self.unlimited : rest)
        }
        guard var place = current.flatMap({ queue.versions.place(of: $0) }) else { throw Ack(.playerState, "No current song") }
        guard !moved.contains(place) else { throw Ack(.argument, "Cannot move current song relative to itself") }
        if place >= moved.upperBound { place -= moved.count }
        return try Argument.place(word, current: place, length: rest < place ? Self.unlimited : rest + 1)
    }

    private static let unlimited = Int(UInt32.max)

    func swap(_ words: [String]) throws(Ack) -> Step {
        let one = try Argument.count(words[0])
        let other = try Argument.count(words[1])
        queue.refresh()
        guard queue.songs.indices.contains(one), queue.songs.indices.contains(other) else { throw .badSongIndex }
        return swap(min(one, other), max(one, other))
    }

    func swapID(_ words: [String]) throws(Ack) -> Step {
        let (one, other) = (try Argument.count(words[0]), try Argument.count(words[1]))
        guard let place = queue.versions.place(of: try entry(one)), let second = queue.versions.place(of: try entry(other)) else {
            throw .noSuchSong
        }
        return swap(min(place, second), max(place, second))
    }

    /// One move of all songs between both, so that it is one edit and one undo.
    private func swap(_ low: Int, _ high: Int) -> Step {
        guard low != high else { return .done }
        var songs = Array(queue.songs[low...high])
        songs.swapAt(0, songs.count - 1)
        return .ask(Commands.QueueMove(songs, anchor: .after(low == 0 ? nil : queue.songs[low - 1])))
    }

    // MARK: Mixing

    func shuffle(_ words: [String]) throws(Ack) -> Step {
        let range: SongRange = if let word = words.first { try Argument.range(word) } else { .everything }
        queue.refresh()
        guard range.start <= queue.songs.count else { throw .badSongIndex }
        let places = range.within(queue.songs.count)
        guard places.count > 1 else { return .done }
        var songs = Array(queue.songs[places])
        var random = SeededGenerator(dialect.parts.random())
        songs.shuffle(using: &random)
        // The current song plays on, and all others follow it.
        if view.playing != .stop, let entry = view.now?.entry, let place = songs.firstIndex(of: entry) {
            songs.remove(at: place)
            songs.insert(entry, at: 0)
        }
        let anchor: EntryID? = places.lowerBound == 0 ? nil : queue.songs[places.lowerBound - 1]
        return .ask(Commands.QueueMove(songs, anchor: .after(anchor)))
    }
}
