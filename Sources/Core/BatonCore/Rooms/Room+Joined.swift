/// A room that plays along with a room of another server.
///
/// The server decides what plays and where; this room shows it and tells its player. Its own queue waits beside it, untouched
/// (`LiveRoom.own`), and nothing of what is shown here is kept.
extension Room {
    /// The same room for what another server plays: as loud as before, and with nothing in its queue yet.
    package func joined() -> Room {
        var room = Room(id: id, name: name, volume: volume)
        room.isJoined = true
        room.modes = modes
        (room.modes.repeat, room.modes.shuffle, room.modes.speed) = (.off, false, 1000)
        room.outputProblem = outputProblem
        room.seed = seed
        // Clients that have the queue open know the old one by its revision.
        room.queue.revision = queue.revision + 1
        return room
    }

    /// This room's own queue, position and modes again, paused, with the name and the volume that it has now.
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

    /// Shows the queue, what plays and the mode. The player is not told anything yet.
    package mutating func show(_ state: ServerRoomState, numbers: inout EntryNumbers, at now: Moment) -> Outcome {
        var outcome = Outcome()
        if let queue = state.queue { take(queue, of: state, &numbers, now, into: &outcome) }
        if let track = state.track { settleCurrent(track, of: state, &numbers, now, into: &outcome) }
        if let mode = state.mode?.change, modes.repeat != mode.repeat || modes.shuffle != mode.shuffle {
            modes.repeat = mode.repeat ?? modes.repeat
            modes.shuffle = mode.shuffle ?? modes.shuffle
            outcome.touched.formUnion([.modes, .queue])
        }
        return outcome.touched.isEmpty && outcome.changes.isEmpty ? .noop(.same) : outcome
    }

    /// Entries that stay keep their ids.
    private mutating func take(
        _ new: ServerRoomState.Queue, of state: ServerRoomState, _ numbers: inout EntryNumbers, _ now: Moment, into outcome: inout Outcome
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

    /// What plays is the entry at the place that the server names, when that is this track; else the first of this track. A track that
    /// is not in its own queue stands behind all others.
    private mutating func settleCurrent(
        _ track: NewEntry, of state: ServerRoomState, _ numbers: inout EntryNumbers, _ now: Moment, into outcome: inout Outcome
    ) {
        let place = (state.index ?? -1).minus(joinedStart)
        if queue.entries.indices.contains(place), queue.entries[place].uri == track.uri {
            return makeCurrent(queue.entries[place].id, into: &outcome)
        }
        if queue.currentEntry?.uri == track.uri { return }
        if let found = queue.entries.first(where: { $0.uri == track.uri }) { return makeCurrent(found.id, into: &outcome) }
        let new = entries(of: [track], by: nil, at: now, numbers: &numbers)[0]
        let others = Array(queue.entries.filter { $0.id != joinedStray }.prefix(PlaybackQueue.limit - 1))
        joinedStray = new.id
        outcome.changes += queue.replace(with: others + [new], current: new.id)
        outcome.touched.formUnion([.queue, .now, .timeline])
    }

    package mutating func setJoinedProblem(_ sentence: String?) -> Outcome {
        guard problem != sentence else { return .noop(.same) }
        problem = sentence
        var outcome = Outcome()
        outcome.touched = [.room]
        return outcome
    }

    // MARK: What the player is told

    /// Loads what is current, to be let go at the moment at which the server's room is there; or to stay paused there.
    package mutating func prepare(atMs position: Int, thenPlays: Bool, at now: Moment) -> Outcome {
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

    /// Its moment has come.
    package mutating func letGo(at now: Moment) -> Outcome {
        guard isHeld else { return .noop(.same) }
        isHeld = false
        var outcome = Outcome()
        outcome.orders = [.setPaused(false)]
        draw(.playing, fromMs: timeline.positionMs, at: now)
        outcome.touched = [.timeline]
        return outcome
    }

    /// The server's room plays nothing, or this one is left.
    package mutating func fallSilent(at now: Moment) -> Outcome {
        var outcome = Outcome()
        isHeld = false
        halt(at: now, into: &outcome)
        return outcome
    }

    /// The sound of what is current has come to its end here, or cannot be had: what follows is the server's decision.
    mutating func awaitServer(at now: Moment) -> Outcome {
        var outcome = Outcome()
        let position = positionMs(at: now)
        loaded = nil
        (isLoading, isWaiting, isHeld) = (false, false, false)
        draw(.buffering, fromMs: position, at: now)
        outcome.touched = [.timeline]
        return outcome
    }

    /// It is tried again later, or the server goes on meanwhile.
    mutating func failedJoined(_ entry: EntryID, _ reason: String, at now: Moment) -> Outcome {
        guard entry == loaded else { return .noop(.moved) }
        _ = queue.note(reason, on: entry)
        var outcome = awaitServer(at: now)
        problem = reason
        outcome.touched.formUnion([.now, .room])
        return outcome
    }

    /// Whether the player has what is current, or was told to load it.
    package var hasJoinedSound: Bool { loaded != nil && loaded == queue.current }
    /// It was told to load it, and has not begun.
    package var isJoinedLoading: Bool { isLoading }
    /// What plays waits for its moment.
    package var isJoinedHeld: Bool { isHeld }
}
