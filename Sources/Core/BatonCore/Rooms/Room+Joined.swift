/// A room that plays along with a room of another server.
///
/// The server decides what plays and where; this room shows it and tells its player. Its own queue is untouched meanwhile (`LiveRoom.own`), and
/// nothing of what is shown here is stored.
extension Room {
    /// A copy of this room that shows what another server plays: the same volume, and an empty queue.
    package func joined() -> Room {
        var room = Room(id: id, name: name, volume: volume)
        room.isJoined = true
        room.modes = modes
        (room.modes.repeat, room.modes.shuffle, room.modes.speed) = (false, false, 1000)
        (room.modes.single, room.modes.consume) = (.off, .off)
        room.outputProblem = outputProblem
        room.seed = seed
        // Clients that have the queue open know it by its revision, so the new one needs a higher number.
        room.queue.revision = queue.revision + 1
        return room
    }

    /// This room's own queue, position and modes again, paused, with the current name and volume.
    package func left(for own: Room) -> Room {
        var room = own
        room.name = name
        room.volume = volume
        room.links = links
        room.outputProblem = outputProblem
        room.queue.revision = max(own.queue.revision, queue.revision + 1)
        return room
    }

    // MARK: What the server says

    /// Shows the server's queue, current track and mode. The player is not told yet.
    package mutating func show(_ state: ServerRoomState, numbers: inout EntryNumbers, at now: Moment) -> Outcome {
        var outcome = Outcome()
        if let queue = state.queue { take(queue, of: state, numbers: &numbers, at: now, into: &outcome) }
        if let track = state.track { settleCurrent(track, of: state, numbers: &numbers, at: now, into: &outcome) }
        if let mode = state.mode, modes.named != mode {
            modes.take(mode.change)
            outcome.touched.formUnion([.modes, .queue])
        }
        return outcome.touched.isEmpty && outcome.changes.isEmpty ? .noop(.same) : outcome
    }

    /// Entries that stay keep their ids.
    private mutating func take(
        _ new: ServerRoomState.Queue, of state: ServerRoomState, numbers: inout EntryNumbers, at now: Moment, into outcome: inout Outcome
    ) {
        (joinedStart, joinedStray) = (new.start, nil)
        guard new.entries.count != queue.count || !zip(new.entries, queue.entries).allSatisfy({ $0.uri == $1.uri }) else { return }
        var known: [ItemURI: [QueueEntry]] = [:]
        for entry in queue.entries.reversed() { known[entry.uri, default: []].append(entry) }
        let kept = queue.currentEntry
        var entries: [QueueEntry] = []
        entries.reserveCapacity(new.entries.count)
        for item in new.entries.prefix(PlaybackQueue.limit) {
            entries.append(known[item.uri]?.popLast() ?? self.entries(of: [item], by: nil, at: now, numbers: &numbers)[0])
        }
        let current = kept.flatMap { old in entries.first { $0.id == old.id }?.id } ?? entries.first?.id
        outcome.changes += queue.replace(with: entries, current: current)
        outcome.touched.formUnion([.queue, .now])
    }

    /// Makes the server's current track current here: the entry at the position that the server names if it is this track, else the first entry with
    /// this track. A track that is missing from the server's queue is added at the end.
    private mutating func settleCurrent(
        _ track: NewEntry, of state: ServerRoomState, numbers: inout EntryNumbers, at now: Moment, into outcome: inout Outcome
    ) {
        let index = (state.index ?? -1).minus(joinedStart)
        if queue.entries.indices.contains(index), queue.entries[index].uri == track.uri {
            return makeCurrent(queue.entries[index].id, into: &outcome)
        }
        if queue.currentEntry?.uri == track.uri { return }
        if let found = queue.entries.first(where: { $0.uri == track.uri }) { return makeCurrent(found.id, into: &outcome) }
        let new = entries(of: [track], by: nil, at: now, numbers: &numbers)[0]
        let others = Array(queue.entries.filter { $0.id != joinedStray }.prefix(PlaybackQueue.limit - 1))
        joinedStray = new.id
        outcome.changes += queue.replace(with: others + [new], current: new.id)
        outcome.touched.formUnion([.queue, .now, .timeline])
    }

    /// Shows a problem of the connection to the other server; `nil` when it is solved.
    package mutating func setJoinedProblem(_ sentence: String?) -> Outcome {
        guard problem != sentence else { return .noop(.same) }
        problem = sentence
        var outcome = Outcome()
        outcome.touched = [.room]
        return outcome
    }

    // MARK: What the player is told

    /// Loads the current entry. It starts when the server's room reaches that position, or stays paused there.
    package mutating func prepare(atMs position: Milliseconds, thenPlays: Bool, at now: Moment) -> Outcome {
        guard let current = queue.current else { return .noop(.same) }
        var outcome = Outcome()
        if loaded == current, !isLoading {
            outcome.orders = [.setPaused(true), .seek(toMs: position)]
            isWaiting = false
        } else {
            outcome = start(current, fromMs: position, paused: true, at: now)
        }
        isHeld = thenPlays
        draw(thenPlays ? .buffering : .paused, fromMs: position, at: now)
        outcome.touched.formUnion([.now, .timeline])
        return outcome
    }

    /// Starts the held entry at its moment.
    package mutating func letGo(at now: Moment) -> Outcome {
        guard isHeld else { return .noop(.same) }
        isHeld = false
        var outcome = Outcome()
        outcome.orders = [.setPaused(false)]
        draw(.playing, fromMs: timeline.positionMs, at: now)
        outcome.touched = [.timeline]
        return outcome
    }

    /// Called when the server's room plays nothing, or when this room leaves it.
    package mutating func fallSilent(at now: Moment) -> Outcome {
        var outcome = Outcome()
        isHeld = false
        halt(at: now, into: &outcome)
        return outcome
    }

    /// The current entry has ended here or cannot be played; the server decides what follows.
    mutating func awaitServer(at now: Moment) -> Outcome {
        var outcome = Outcome()
        let position = positionMs(at: now)
        loaded = nil
        (isLoading, isWaiting, isHeld) = (false, false, false)
        draw(.buffering, fromMs: position, at: now)
        outcome.touched = [.timeline]
        return outcome
    }

    /// The server may go on meanwhile; otherwise the entry is tried again later.
    mutating func failedJoined(_ entry: EntryID, _ reason: String, at now: Moment) -> Outcome {
        guard entry == loaded else { return .noop(.moved) }
        _ = queue.note(reason, on: entry)
        var outcome = awaitServer(at: now)
        problem = reason
        outcome.touched.formUnion([.now, .room])
        return outcome
    }

    /// True when the player has loaded the current entry, or was told to.
    package var hasJoinedSound: Bool { loaded != nil && loaded == queue.current }
    /// True when the player was told to load the entry and it has not begun.
    package var isJoinedLoading: Bool { isLoading }
    /// True while the loaded entry waits for its moment to start.
    package var isJoinedHeld: Bool { isHeld }
}
