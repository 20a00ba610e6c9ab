/// What a room makes of its player's reports. A report about an entry that was replaced meanwhile
/// changes nothing.
extension Room {
    package mutating func hear(_ report: PlayerReport, at now: Moment) -> Outcome {
        switch report {
        case .began(let entry): return began(entry, at: now)
        case .line(let entry, let position, let atUs, let rate):
            return line(entry, Timeline(entry: entry, positionMs: position, atUs: atUs, rate: rate, state: timeline.state), at: now)
        case .buffering(let entry, let waiting): return buffering(entry, waiting, at: now)
        case .described(let entry, let tags, let format): return described(entry, tags, format)
        case .ended(let entry): return ended(entry, at: now)
        case .failed(let entry, let reason): return failed(entry, reason, at: now)
        case .outputTrouble(let sentence): return outputTrouble(sentence)
        case .devices: return .noop(.same)  // The hub's business: devices belong to no room.
        }
    }

    private mutating func began(_ entry: EntryID, at now: Moment) -> Outcome {
        var outcome = Outcome()
        if entry == queue.current, entry == loaded, isLoading {
            isLoading = false
            if timeline.state == .buffering { draw(.playing, fromMs: timeline.positionMs, at: now) }
        } else if entry == followed {
            followed = nil
            loaded = entry
            makeCurrent(entry, into: &outcome)
            draw(timeline.state == .paused ? .paused : .playing, fromMs: 0, at: now)
            outcome.touched.insert(.now)
        } else {
            return .noop(.moved)
        }
        failures = 0
        if queue.note(nil, on: entry) { outcome.touched.insert(.now) }
        outcome.touched.insert(.timeline)
        settleFollower(into: &outcome)
        return outcome
    }

    /// A measured line is taken when it agrees with what the room is doing, and told only when a
    /// remote would draw something visibly else from it.
    private mutating func line(_ entry: EntryID, _ measured: Timeline, at now: Moment) -> Outcome {
        guard entry == timeline.entry, !isLoading, measured.rate == timeline.rate else { return .noop(.moved) }
        guard !measured.isClose(to: timeline, atUs: now.us, withinMs: Self.lineToleranceMs) else { return .noop(.same) }
        timeline = measured
        var outcome = Outcome()
        outcome.touched = [.timeline]
        return outcome
    }

    private mutating func buffering(_ entry: EntryID, _ waiting: Bool, at now: Moment) -> Outcome {
        guard entry == timeline.entry, isPlaying, !isLoading else { return .noop(.moved) }
        let wanted: Timeline.State = waiting ? .buffering : .playing
        guard wanted != timeline.state else { return .noop(.same) }
        draw(wanted, fromMs: positionMs(at: now), at: now)
        var outcome = Outcome()
        outcome.touched = [.timeline]
        return outcome
    }

    private mutating func described(_ entry: EntryID, _ tags: Tags, _ format: SoundFormat?) -> Outcome {
        guard let index = queue.index(of: entry) else { return .noop(.moved) }
        let merged = queue.entries[index].tags.filled(from: tags)
        guard let change = queue.describe(entry, merged, format ?? queue.entries[index].format) else { return .noop(.same) }
        var outcome = Outcome()
        outcome.changes = [change]
        outcome.touched = entry == queue.current ? [.now] : [.queue]
        return outcome
    }

    private mutating func ended(_ entry: EntryID, at now: Moment) -> Outcome {
        guard entry == loaded, entry == queue.current else { return .noop(.moved) }
        guard let next = upcoming else { return runOut(at: now) }
        // Only a player that has run dry says so; the follower's order must have come too late.
        var outcome = Outcome()
        makeCurrent(next.id, into: &outcome)
        outcome.add(start(next.id, fromMs: 0, at: now))
        return outcome
    }

    private mutating func failed(_ entry: EntryID, _ reason: String, at now: Moment) -> Outcome {
        var outcome = Outcome()
        if entry != queue.current {
            guard entry == followed else { return .noop(.moved) }
            makeCurrent(entry, into: &outcome)
        } else if entry != loaded {
            return .noop(.moved)
        }
        failures += 1
        _ = queue.note(reason, on: entry)
        problem = reason
        outcome.touched.formUnion([.now, .room, .timeline])
        let limit = min(Self.failuresBeforeStopping, queue.count)
        guard failures < limit, modes.repeat != .one, let next = upcoming else {
            if failures >= limit, failures > 1 { problem = "Stopped after \(failures) entries in a row could not be played. \(reason)" }
            failures = 0
            if upcoming == nil, queue.count > 1 { outcome.add(runOut(at: now)) } else { halt(at: now, into: &outcome) }
            return outcome
        }
        outcome.add(go(to: next.id, at: now))
        return outcome
    }

    private mutating func outputTrouble(_ sentence: String?) -> Outcome {
        guard outputProblem != sentence else { return .noop(.same) }
        outputProblem = sentence
        var outcome = Outcome()
        outcome.touched = [.room]
        return outcome
    }
}

extension Tags {
    /// What the file says wins where it says something; what the source said fills the rest.
    func filled(from file: Tags) -> Tags {
        var tags = file
        if tags.title.isEmpty { tags.title = title }
        if tags.artists.isEmpty { tags.artists = artists }
        if tags.album.isEmpty { tags.album = album }
        if tags.albumArtist.isEmpty { tags.albumArtist = albumArtist }
        tags.track = tags.track ?? track
        tags.disc = tags.disc ?? disc
        tags.year = tags.year ?? year
        if kind == .station || tags.kind == .station {
            tags.kind = .station
            tags.durationMs = nil
        } else {
            tags.durationMs = tags.durationMs ?? durationMs
        }
        return tags
    }
}
