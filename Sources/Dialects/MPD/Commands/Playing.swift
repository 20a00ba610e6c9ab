import BatonCore
import BatonProtocol
import BatonSeams

/// Commands of the player.
extension Session {
    /// The current song of the room as the protocol sees it: a stopped room may have none.
    var current: EntryID? {
        queue.refresh()
        return queue.current
    }

    /// Notes what this connection was told is current, or has just made current.
    func told() { press.tell(current) }

    /// The entry that a press means.
    private func meant() -> EntryID? {
        let now = view.now
        return press.meant(current: now?.entry, sinceUs: now?.sinceUs ?? 0, nowUs: nowUs)
    }

    // MARK: What plays

    func showStatus() -> Step {
        queue.refresh()
        let update = dialect.updates.current
        let status = hiddenProblem.map { queue.status(updating: update, hiding: $0) } ?? queue.status(updating: update)
        status.write(to: &text, atUs: nowUs)
        press.tell(queue.current)
        return .done
    }

    func showCurrentSong() -> Step {
        queue.refresh()
        let song = queue.status(updating: dialect.updates.current).song
        press.tell(song?.id)
        guard let song else { return .done }
        if queue.described?.entry == song.id {
            if let lines = queue.described?.lines(at: song.place, tags) { text.lines(lines) }
            return .done
        }
        return .working { [self] () async throws(Ack) in
            let rows = queue.rows(song.place..<(song.place + 1))
            guard let row = rows.first, row.entry == song.id else { return }
            var described = DescribedSong(try await songs(of: rows)[0], of: song.id)
            text.lines(described.lines(at: song.place, tags))
            if queue.versions.place(of: song.id) != nil { queue.described = described }
        }
    }

    func clearError() -> Step {
        hiddenProblem = view.problem
        return .done
    }

    // MARK: Playing

    func play(_ words: [String]) throws(Ack) -> Step {
        guard let word = words.first else { return playOn() }
        let place = try Argument.integer(word)
        if place == -1 { return playOn() }
        queue.refresh()
        guard queue.songs.indices.contains(place) else { throw .badSongIndex }
        return play(queue.songs[place])
    }

    func playID(_ words: [String]) throws(Ack) -> Step {
        guard let word = words.first else { return playOn() }
        let number = try Argument.integer(word)
        if number == -1 { return playOn() }
        return play(try entry(number))
    }

    private func play(_ entry: EntryID) -> Step {
        .asking(Commands.Jump(entry)) { [self] _ in
            told()
            return .done
        }
    }

    /// Goes on where the room is. The original does nothing for an empty queue, where the hub would play its welcome music, and begins with
    /// the first song where it shows none.
    private func playOn() -> Step {
        let shown = current
        guard let first = queue.songs.first else { return .done }
        if shown == nil, !view.modes.shuffle { return play(first) }
        return .asking(Commands.Play()) { [self] _ in
            told()
            return .done
        }
    }

    func pause(_ words: [String]) throws(Ack) -> Step {
        let wanted: Bool? = if let word = words.first { try Argument.flag(word) } else { nil }
        switch view.playing {
        case .stop: return .done
        case .play: return wanted == false ? .done : .ask(Commands.Pause())
        case .pause: return wanted == true ? .done : .ask(Commands.Toggle(.playing))
        }
    }

    func next() throws(Ack) -> Step {
        guard view.playing != .stop else { throw .notPlaying }
        return .asking(Commands.Next(from: meant())) { [self] _ in
            queue.refresh()
            // The queue was played through, and the hub waits at its first entry.
            if view.playing == .stop { queue.hideSong() }
            told()
            return .done
        }
    }

    /// The original always goes back to the song before.
    func previous() throws(Ack) -> Step {
        guard view.playing != .stop else { throw .notPlaying }
        return .asking(Commands.Previous(from: meant(), restartMs: .max)) { [self] _ in
            told()
            return .done
        }
    }

    // MARK: Positions

    func seek(_ words: [String]) throws(Ack) -> Step {
        let place = try Argument.count(words[0])
        let ms = try Argument.time(words[1])
        queue.refresh()
        guard queue.songs.indices.contains(place) else { throw .badSongIndex }
        return seek(queue.songs[place], toMs: ms)
    }

    func seekID(_ words: [String]) throws(Ack) -> Step {
        let number = try Argument.count(words[0])
        let ms = try Argument.time(words[1])
        return seek(try entry(number), toMs: ms)
    }

    /// A paused room stays paused, also at another song.
    private func seek(_ entry: EntryID, toMs ms: Int) -> Step {
        let isCurrent = view.playing != .stop && view.now?.entry == entry
        let staysPaused = view.playing == .pause && !isCurrent
        let command: any CommandRequest =
            isCurrent
            ? Commands.Seek(entry: entry, positionMs: Milliseconds(ms)) : Commands.Play(entry: entry, positionMs: Milliseconds(ms))
        return .asking(command) { [self] _ in
            told()
            return staysPaused ? .ask(Commands.Pause()) : .done
        }
    }

    func seekCurrent(_ words: [String]) throws(Ack) -> Step {
        let jump = try Argument.jump(words[0])
        guard view.playing != .stop else { throw .notPlaying }
        switch jump {
        case .to(let ms): return .ask(Commands.Seek(entry: meant(), positionMs: Milliseconds(max(0, ms))))
        case .by(let ms): return .ask(Commands.SeekBy(entry: meant(), ms: Milliseconds(ms)))
        }
    }

    // MARK: Songs by their ids

    /// The entry with this number in the queue.
    func entry(_ number: Int) throws(Ack) -> EntryID {
        queue.refresh()
        let entry = EntryID(UInt64(max(0, number)))
        guard number >= 0, queue.versions.place(of: entry) != nil else { throw .noSuchSong }
        return entry
    }
}
