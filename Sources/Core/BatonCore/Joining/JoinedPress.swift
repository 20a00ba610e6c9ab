/// The meaning of a command in a room that plays along with a room of another server: steps for that server, and signs that each step was carried
/// out.
package struct JoinedPress: Equatable, Sendable {
    /// One step, and the sign that shows it was carried out.
    package struct Step: Equatable, Sendable {
        package var action: ServerRoomAction
        /// The sign in the server's state by which the hub knows that the request took effect.
        package var sign: JoinedSign

        package init(_ action: ServerRoomAction, shownBy sign: JoinedSign) {
            self.action = action
            self.sign = sign
        }
    }

    /// The meaning of a command for the server's room.
    package enum Meaning: Equatable, Sendable {
        /// The steps in their order; each waits for the sign of the one before.
        case steps([Step])
        /// Nothing to do: the state is so already, or the person saw another entry.
        case nothing(Outcome.Reason)
        /// The command concerns this room alone, such as its volume.
        case ours
    }

    /// The known state of the server's room.
    package struct View: Sendable {
        /// The part of the server's queue that is known, with the ids that clients use.
        package var queue: PlaybackQueue
        /// The index of the first entry in the server's whole queue.
        package var start: Int
        /// Length of the server's whole queue.
        package var length: Int
        /// True while the server's room is paused.
        package var isPaused: Bool
        /// The position of the server's room now.
        package var positionMs: Milliseconds
        /// The server's mode; `nil` where it does not tell one.
        package var mode: NamedMode?

        package init(queue: PlaybackQueue, start: Int, length: Int, isPaused: Bool, positionMs: Milliseconds, mode: NamedMode?) {
            self.queue = queue
            self.start = start
            self.length = length
            self.isPaused = isPaused
            self.positionMs = positionMs
            self.mode = mode
        }

        var wraps: Bool { mode != .once }
        var durationMs: Milliseconds? { queue.currentEntry?.tags.durationMs }
        func index(of id: EntryID) -> Int? { queue.index(of: id).map { $0 + start } }
    }

    /// Translates a command, or refuses one that such a room cannot carry out.
    package static func meaning(of command: Command, in view: View) throws(Refusal) -> Meaning {
        switch command {
        case .play(let entry, let position): return try play(entry, at: position, in: view)
        case .pause, .stop: return view.isPaused ? .nothing(.same) : step(.pause, shownBy: .paused(true))
        case .next(let from, let count): return try skip(from: from, by: count, in: view)
        case .previous(let from, let restartMs): return try previous(from: from, restartMs: restartMs, in: view)
        case .jump(let entry): return .steps([try jump(to: entry, in: view)])
        case .seek(let entry, let toMs): return try seek(entry, to: toMs, in: view)
        case .skip(let entry, let byMs): return try seek(entry, to: view.positionMs.plus(byMs), in: view)
        case .setModes(let change): return try setModes(change, in: view)
        case .add(let items, let point): return .steps([try add(items.map(\.uri), at: point, in: view)])
        case .remove(let ids): return remove(ids, in: view)
        case .move(let ids, let point): return try move(ids, to: point, in: view)
        case .clear(let base, let keep): return try clear(ifAt: base, keeping: keep, in: view)
        case .replace(let base, let items, let start, _, let play):
            return try replace(ifAt: base, with: items.map(\.uri), start: start, play: play, in: view)
        case .setLevel, .stepLevel, .setMute: return .ours
        case .chapter, .rewind, .setSpeech, .setSleep, .clearSleep, .shuffle, .undo:
            throw Refusal(.invalidState, "The room of another server has no such command. Leave it first: baton leave")
        }
    }

    // MARK: Playing

    private static func play(_ entry: EntryID?, at position: Milliseconds?, in view: View) throws(Refusal) -> Meaning {
        guard view.queue.current != nil || entry != nil else {
            throw Refusal(.invalidState, "There is nothing to play: the queue of that room is empty.")
        }
        var steps: [Step] = []
        if let entry, entry != view.queue.current { steps.append(try jump(to: entry, in: view)) }
        if let position { steps.append(Step(.seek(toMs: max(0, position)), shownBy: .position(ms: max(0, position)))) }
        if view.isPaused { steps.append(Step(.unpause, shownBy: .paused(false))) }
        return steps.isEmpty ? .nothing(.same) : .steps(steps)
    }

    private static func jump(to entry: EntryID, in view: View) throws(Refusal) -> Step {
        guard let index = view.index(of: entry) else { throw Refusal(.gone, "That entry is no longer in the queue.") }
        return jump(to: index, in: view)
    }

    private static func jump(to index: Int, in view: View) -> Step {
        let isSame = view.queue.currentIndex.map { $0 + view.start } == index
        return Step(.jump(index), shownBy: isSame ? .position(ms: 0) : .index(index))
    }

    private static func skip(from: EntryID?, by count: Int, in view: View) throws(Refusal) -> Meaning {
        if let from, from != view.queue.current { return .nothing(.moved) }
        guard let here = view.queue.currentIndex, view.length > 0, count > 0 else { return .nothing(.same) }
        let there = (here + view.start).plus(count)
        guard there >= view.length else { return .steps([jump(to: there, in: view)]) }
        guard view.wraps else { throw Refusal(.invalidState, "This is the last entry of that room's queue.") }
        return .steps([jump(to: there % view.length, in: view)])
    }

    private static func previous(from: EntryID?, restartMs: Milliseconds, in view: View) throws(Refusal) -> Meaning {
        if let from, from != view.queue.current { return .nothing(.moved) }
        guard let here = view.queue.currentIndex, view.length > 0 else { return .nothing(.same) }
        let index = here + view.start
        if view.positionMs > restartMs || index == 0 && !view.wraps { return step(.seek(toMs: 0), shownBy: .position(ms: 0)) }
        return .steps([jump(to: index == 0 ? view.length - 1 : index - 1, in: view)])
    }

    private static func seek(_ entry: EntryID?, to wanted: Milliseconds, in view: View) throws(Refusal) -> Meaning {
        if let entry, entry != view.queue.current { return .nothing(.moved) }
        guard view.queue.current != nil else {
            throw Refusal(.invalidState, "Nothing is playing, so there is nowhere to seek.")
        }
        let toMs = max(0, min(wanted, view.durationMs ?? .max))
        return step(.seek(toMs: toMs), shownBy: .position(ms: toMs))
    }

    private static func setModes(_ change: ModeChange, in view: View) throws(Refusal) -> Meaning {
        var modes = Modes()
        if let now = view.mode?.change { modes.take(now) }
        if change.speed != nil || change.unfinished != nil {
            throw Refusal(.invalidState, "A room that plays along with another one has no speed of its own. Leave it first: baton leave")
        }
        // The server's mode of one entry repeats it, so one entry and then silence is no mode of it either.
        let endsAfterOne = change.single == .on && !(change.repeat ?? modes.repeat)
        if change.single == .once || endsAfterOne || change.consume ?? .off != .off {
            throw Refusal(.invalidState, "The room of another server has no such mode. Leave it first: baton leave")
        }
        guard change.repeat != nil || change.shuffle != nil || change.single != nil else { return .ours }
        modes.take(ModeChange(repeat: change.repeat, shuffle: change.shuffle, single: change.single))
        // The server has four modes: those of one entry and of a mixed order always repeat.
        if change.repeat == false { modes.take(ModeChange(shuffle: change.shuffle ?? false, single: change.single ?? .off)) }
        if change.shuffle == true { modes.single = .off }
        if modes.single == .on { modes.shuffle = false }
        if modes.shuffle || modes.single == .on { modes.repeat = true }
        guard let wanted = modes.named else { return .nothing(.same) }
        return wanted == view.mode ? .nothing(.same) : step(.setMode(wanted), shownBy: .mode(wanted))
    }

    // MARK: The queue

    private static func add(_ uris: [ItemURI], at point: InsertionPoint, in view: View) throws(Refusal) -> Step {
        guard let first = uris.first else { throw Refusal(.badRequest, "There is nothing to add.") }
        let at = try index(for: point, in: view)
        return Step(.add(uris, at: at), shownBy: .atLeast(view.queue.entries.count { $0.uri == first } + 1, of: first))
    }

    /// The index in the server's queue; `nil` is the end.
    private static func index(for point: InsertionPoint, in view: View) throws(Refusal) -> Int? {
        switch point {
        case .end: return nil
        case .next: return view.queue.currentIndex.map { $0 + view.start + 1 }
        case .after(nil, _): return 0
        case .after(let anchor?, let orEnd):
            if let at = view.index(of: anchor) { return at + 1 }
            if orEnd { return nil }
            throw Refusal(.anchorGone, "The entry to put this behind is no longer in the queue.")
        }
    }

    private static func remove(_ ids: [EntryID], in view: View) -> Meaning {
        let indices = Set(ids.compactMap { view.queue.index(of: $0) }).sorted()
        guard let first = indices.first else { return .nothing(.same) }
        let uri = view.queue.entries[first].uri
        let removed = indices.count { view.queue.entries[$0].uri == uri }
        let rest = view.queue.entries.count { $0.uri == uri } - removed
        return step(.remove(indices.map { $0 + view.start }), shownBy: .atMost(rest, of: uri))
    }

    /// The server moves one entry at a time, so several need several steps.
    private static func move(_ ids: [EntryID], to point: InsertionPoint, in view: View) throws(Refusal) -> Meaning {
        var queue = view.queue
        var steps: [Step] = []
        var anchor = point
        guard ids.count <= mostMoved else {
            throw Refusal(.quota, "In the room of another server at most \(mostMoved) entries are moved at once.")
        }
        for id in ids {
            guard let from = queue.index(of: id) else {
                throw Refusal(.gone, "One of the entries to move is no longer in the queue.")
            }
            guard try !queue.move([id], to: anchor).isEmpty, let to = queue.index(of: id) else {
                anchor = .after(id)
                continue
            }
            steps.append(
                Step(
                    .move(from: from + view.start, to: to + view.start),
                    shownBy: .entry(queue.entries[to].uri, at: to + view.start)))
            anchor = .after(id)
        }
        return steps.isEmpty ? .nothing(.same) : .steps(steps)
    }

    private static let mostMoved = 20

    private static func clear(ifAt base: Int?, keeping keep: QueueRemainder, in view: View) throws(Refusal) -> Meaning {
        try checkRevision(base, in: view)
        let kept = keep == .current ? view.queue.currentEntry.map { [$0.uri] } ?? [] : []
        guard view.length > kept.count else { return .nothing(.same) }
        return step(.replace(kept), shownBy: .queue(kept))
    }

    private static func replace(ifAt base: Int?, with uris: [ItemURI], start: Int, play: Bool, in view: View) throws(Refusal) -> Meaning {
        try checkRevision(base, in: view)
        guard uris.indices.contains(start) || uris.isEmpty else {
            throw Refusal(.notFound, "There is no entry number \(start) in what was given: it has \(uris.count).")
        }
        var steps = [Step(.replace(uris), shownBy: .queue(uris))]
        if start > 0 { steps.append(Step(.jump(start), shownBy: .index(start))) }
        if play, view.isPaused, !uris.isEmpty { steps.append(Step(.unpause, shownBy: .paused(false))) }
        return .steps(steps)
    }

    /// Adds items behind the current entry and plays them.
    package static func play(_ uris: [ItemURI], index: Int, in view: View) throws(Refusal) -> Meaning {
        let begin = view.queue.currentIndex.map { $0 + view.start + 1 } ?? view.length
        var steps = [try add(uris, at: view.queue.current == nil ? .end : .next, in: view)]
        let there = begin + max(0, min(index, uris.count - 1))
        steps.append(Step(.jump(there), shownBy: .index(there)))
        if view.isPaused { steps.append(Step(.unpause, shownBy: .paused(false))) }
        return .steps(steps)
    }

    private static func checkRevision(_ base: Int?, in view: View) throws(Refusal) {
        guard let base, base != view.queue.revision else { return }
        throw Refusal(
            .queueConflict,
            "The queue has changed since you saw it: it is at \(view.queue.revision), not at \(base). Look again and repeat the command.",
            revision: view.queue.revision)
    }

    private static func step(_ action: ServerRoomAction, shownBy sign: JoinedSign) -> Meaning { .steps([Step(action, shownBy: sign)]) }
}

/// A sign in a server's messages that a step was carried out.
package enum JoinedSign: Equatable, Sendable {
    /// The room is paused, or plays.
    case paused(Bool)
    /// The entry at this index of the whole queue is current.
    case index(Int)
    /// The position is this, or as far behind it as has played since.
    case position(ms: Milliseconds)
    case mode(NamedMode)
    /// The queue has at least this many entries of the item.
    case atLeast(Int, of: ItemURI)
    /// The queue has at most this many entries of the item.
    case atMost(Int, of: ItemURI)
    /// The item is at this index of the whole queue.
    case entry(ItemURI, at: Int)
    /// The queue consists of these items, as far as the server tells them.
    case queue([ItemURI])

    private static let toleranceMs = 1_500.0

    /// True when the state shows the sign. `elapsedMs` have passed since the request.
    package func isShown(by state: ServerRoomState, elapsedMs: Double) -> Bool {
        switch self {
        case .paused(let isPaused): return state.isPaused == isPaused
        case .index(let index): return state.index == index
        case .position(let ms):
            let ahead = state.positionMs - Double(ms)
            return ahead >= -Self.toleranceMs && ahead <= (state.isPaused ? 0 : max(0, elapsedMs)) + Self.toleranceMs
        case .mode(let mode): return state.mode == mode
        case .atLeast(let count, let uri): return state.queue.map { $0.count(of: uri) >= count } ?? false
        case .atMost(let count, let uri): return state.queue.map { $0.count(of: uri) <= count } ?? false
        case .entry(let uri, let index): return state.queue?.uri(at: index) == uri
        case .queue(let uris):
            guard let queue = state.queue else { return false }
            return queue.length == uris.count && queue.entries.map(\.uri) == Array(uris.dropFirst(queue.start).prefix(queue.entries.count))
        }
    }
}

extension ServerRoomState.Queue {
    fileprivate func count(of uri: ItemURI) -> Int { entries.count { $0.uri == uri } }

    fileprivate func uri(at index: Int) -> ItemURI? {
        entries.indices.contains(index - start) ? entries[index - start].uri : nil
    }
}
